// Late entries: those of closed months that were valued in an open one.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Whether an entry of a closed month was valued in an open month from `from` on: it must be valued there again. */
export const hasLate = async (
  tx: Kysely<DB>,
  { name, entities, closed }: Taxpayer,
  from: string,
): Promise<boolean> => {
  if (closed === '') return false;
  const { rows } = await sql<{ late: boolean }>`
    select exists (
      select from value.postings v join ledger.entries e using (entity_id, entry_id)
      where (v.taxpayer = ${name} or v.entity_id = any(${entities}::text[])) and v.period >= ${from} and e.period <= ${closed}
    ) as late`.execute(tx);
  return rows[0]?.late === true;
};
