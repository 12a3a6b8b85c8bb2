// The planner's figures: renewed at once after much was written, since a plan that guesses takes minutes over it. What grows
// little by little is the server's own business.
import { type Kysely, sql } from 'kysely';
import type { DB } from './db-types.ts';

/** After so many entries, if they are a tenth of all. */
const ANALYZE_FROM = 100;
const ANALYZE_SHARE = 10;

/** Only the owner may ANALYZE, so each schema with bulk writes has a function that runs it with the owner's rights. */
const RENEW = {
  ledger: sql`select ledger.renew_statistics()`,
  value: sql`select value.renew_statistics()`,
};

/** Renews the figures of a schema after so many entries of the ledger, or what was made of them, were written. */
export const renewStatistics = async (
  db: Kysely<DB>,
  schema: keyof typeof RENEW,
  entries: number,
): Promise<void> => {
  if (entries < ANALYZE_FROM) return;
  const { rows } = await sql<{ isDue: boolean }>`
    select reltuples <= ${entries * ANALYZE_SHARE}::float8 as "isDue" from pg_class where oid = 'ledger.entries'::regclass`.execute(
    db,
  );
  if (rows[0]?.isDue) await RENEW[schema].execute(db);
};
