// Writing beside runs: what no figure rests on, or what arrives while a run is at work. No run's fence covers it.
import type { Kysely, Transaction } from 'kysely';
import type { DB } from '../database/db-types.ts';

/** One transaction of a login whose sessions are read-only. */
export const besideRuns = <T>(db: Kysely<DB>, use: (tx: Transaction<DB>) => Promise<T>): Promise<T> =>
  db.transaction().setAccessMode('read write').execute(use);
