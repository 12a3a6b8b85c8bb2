// What the rules must know besides the record, read once for all records of an entity.
import type { Kysely } from 'kysely';
import type { DB } from '../db-types.ts';
import type { RuleContext } from './outcome.ts';

/** The pockets ever listed for an entity, in lower case; null where the list was never read. */
export const contextOf = async (db: Kysely<DB>, entity: string): Promise<RuleContext> => {
  const isListed = await db
    .selectFrom('land.snapshots')
    .select('request_id')
    .where('entity_id', '=', entity)
    .where('product', '=', 'pocket')
    .executeTakeFirst();
  if (!isListed) return { pockets: null };
  const rows = await db
    .selectFrom('land.pockets')
    .select('pocket_id')
    .where('entity_id', '=', entity)
    .execute();
  return { pockets: new Set(rows.map((row) => row.pocket_id.toLowerCase())) };
};
