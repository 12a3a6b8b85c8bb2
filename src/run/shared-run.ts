// A run that several processes share: one opens it, each of them works in it under a share of the books' lock, and the last one
// closes it. What they write is fenced by the run's number, like the writes of a run in one process.
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import { joinBooks, lockBooks } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { SharedLock } from '../database/writer-lock.ts';
import type { OpenBooks } from './entry.ts';
import { openRun, type Run } from './job-run.ts';
import { refuseOtherSettings, settingsOf } from './settings.ts';
import { refuseMigrated } from './version.ts';
import { untilLost, type Work, workOf } from './work.ts';

/** Begins a run for several processes. Throws a FailedError if another run is writing the books. */
export const openSharedRun = async ({ config, database, url }: OpenBooks, job: string): Promise<Run> => {
  const lock = await lockBooks(url, job);
  try {
    await refuseMigrated(database.db);
    await refuseOtherSettings(database.db, settingsOf(config));
    return await openRun(database.db, job);
  } finally {
    await lock.release();
  }
};

/** Passes a share of a run to `use`. Throws a FailedError if another run is writing the books. */
export const withSharedRun = async <T>(
  books: OpenBooks,
  run: Run,
  use: (work: Work, lock: SharedLock) => Promise<T>,
): Promise<T> => {
  const { signal, lose } = untilLost(books.config);
  const lock = await joinBooks(books.url, run.job, lose);
  try {
    await refuseMigrated(books.database.db);
    return await use(workOf(books, run, lock, signal), lock);
  } finally {
    await lock.release();
  }
};

/** How a shared run stands: at work, over, or replaced by a later one. */
type SharedRunState = 'open' | 'finished' | 'replaced';

export const stateOf = async (db: Kysely<DB>, runId: string): Promise<SharedRunState> => {
  const { rows } = await sql<{ state: SharedRunState }>`
    select case when finished_at is not null then 'finished'
      when run_number < (select max(run_number) from run.runs) then 'replaced' else 'open' end as state
    from run.runs where run_id = ${runId}::uuid`.execute(db);
  return rows[0]?.state ?? 'replaced';
};

/** The requests of a run that has not ended, as the gate of these books has counted them; 0 if another database keeps the gate. */
export const requestsAtGate = async (db: Kysely<DB>, runId: string): Promise<number> => {
  const row = await db
    .selectFrom('run.runs')
    .select('requests')
    .where('run_id', '=', runId)
    .executeTakeFirst();
  return row?.requests ?? 0;
};

/** Throws a FailedError if there is no such run. */
export const sharedRun = async (db: Kysely<DB>, runId: string): Promise<Run> => {
  const row = await db
    .selectFrom('run.runs')
    .select(['run_id as id', 'run_number as number', 'job', 'started_at as startedAt'])
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (row) return row;
  throw new FailedError(
    `the run ${runId} is not in these books: its job was queued for others, and is dropped`,
  );
};
