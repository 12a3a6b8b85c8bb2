// The key of an entity's personal fields.
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';

/** The key for the commitments of an entity's personal fields: created once and stored beside them. */
export const peopleKey = async (db: Kysely<DB>, entity: string): Promise<Buffer> => {
  await sql`insert into land.people_keys (entity_id, key) values (${entity}, ${randomBytes(32)}) on conflict do nothing`.execute(
    db,
  );
  const row = await db
    .selectFrom('land.people_keys')
    .select('key')
    .where('entity_id', '=', entity)
    .executeTakeFirstOrThrow();
  return row.key;
};
