// Renews the planner's statistics after large writes, because a plan based on stale ones can take minutes. Postgres' own
// autovacuum handles slow growth.
import { type Kysely, sql } from 'kysely';
import type { DB } from './db-types.ts';

/** The least number of new entries for a renewal, and the least share of all entries. */
const ANALYZE_FROM = 100;
const ANALYZE_SHARE = 10;

/**
 * Only the owner may ANALYZE, so each schema with bulk writes has a function that runs it with the owner's rights. While one process is at
 * it, the others of a run go on: each would wait for all before it, and renew what has just been renewed.
 */
const RENEW = {
  ledger: sql`select ledger.renew_statistics() where pg_try_advisory_xact_lock(hashtextextended('tieout statistics ledger', 0))`,
  value: sql`select value.renew_statistics() where pg_try_advisory_xact_lock(hashtextextended('tieout statistics value', 0))`,
};

/**
 * Renews the ledger's statistics before rows that were landed are read, if they are as many as the statistics know: of tables
 * that were empty, every index looks equally good.
 */
export const renewBefore = async (db: Kysely<DB>, rows: number): Promise<void> => {
  if (rows < ANALYZE_FROM) return;
  const { rows: known } = await sql<{ isDue: boolean }>`
    select reltuples <= ${rows}::float8 as "isDue" from pg_class where oid = 'land.records'::regclass`.execute(
    db,
  );
  if (known[0]?.isDue) await RENEW.ledger.execute(db);
};

/** Renews a schema's statistics after `entries` ledger entries, or rows derived from them, were written. */
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
