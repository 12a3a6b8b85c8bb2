// Entities that moved between taxpayers: their old values and those of the others have used each other's lots.
import { type Kysely, sql } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { ChangedMonths } from './fingerprints.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Whether an entity of taxpayers that changed has values under another one. */
export const hasMoved = async (
  db: Kysely<DB>,
  changes: readonly (Pick<ChangedMonths, 'from'> & { readonly taxpayer: Taxpayer })[],
): Promise<boolean> => {
  const changed = changes.flatMap(({ taxpayer, from }) => (from === null ? [] : [taxpayer]));
  const own = changed.flatMap(({ name, entities }) => entities.map((entity) => ({ entity, name })));
  if (changed.length < 2) return false;
  const { rows } = await sql`
    select from ${unnest(own, { entity: 'text', name: 'text' })}
    where exists (select from value.months m where m.entity_id = input.entity and m.taxpayer <> input.name)
    limit 1`.execute(db);
  return rows.length > 0;
};
