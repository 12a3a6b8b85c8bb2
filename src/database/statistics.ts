// Renews the planner's statistics after large writes, because a plan based on stale ones can take minutes. Postgres' own
// autovacuum handles slow growth.
import { type Kysely, sql } from 'kysely';
import type { DB } from './db-types.ts';

/** What a table must have grown by since its statistics were renewed: a tenth of it, or, while it is still growing fast, all of it. */
const GROWN = { 'by a tenth': 0.1, twofold: 1 } as const;

/**
 * Renews the statistics of the tables that a schema's bulk writes fill, of those that have grown so much. Only their owner may ANALYZE, so
 * each such schema has a function that runs it with the owner's rights. While one process is at it, the others of a run go on: each would
 * wait for all before it, and renew what has just been renewed.
 */
export const renewStatistics = async (
  db: Kysely<DB>,
  schema: 'ledger' | 'value',
  grown: keyof typeof GROWN = 'by a tenth',
): Promise<void> => {
  await sql`
    select ${sql.id(schema, 'renew_statistics')}(${GROWN[grown]}::float8)
    where pg_try_advisory_xact_lock(hashtextextended(${`tieout statistics ${schema}`}, 0))`.execute(db);
};
