// A run that several processes share: one opens it, each of them works in it under a share of the books' lock, and the last one
// closes it. What they write is fenced by the run's number, like the writes of a run in one process.
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import type { Config } from '../config/environment.ts';
import type { Database } from '../database/connection.ts';
import { joinBooks, lockBooks, writerOf } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { SharedLock } from '../database/writer-lock.ts';
import type { Tell } from './events.ts';
import { openRun, type Run } from './job-run.ts';
import { refuseOtherSettings, settingsOf } from './settings.ts';
import { type Enter, lockLost, type Signer, type Work } from './work.ts';

/** The books as a process has opened them, once for all runs. */
export type OpenBooks = {
  readonly config: Config;
  readonly database: Database;
  readonly url: string;
  readonly enter: Enter;
  readonly tell: Tell;
};

/** Begins a run for several processes. Throws a FailedError if another run is writing the books. */
export const openSharedRun = async ({ config, database, url }: OpenBooks, job: string): Promise<Run> => {
  const lock = await lockBooks(url, job);
  try {
    await refuseOtherSettings(database.db, settingsOf(config));
    return await openRun(database.db, job);
  } finally {
    await lock.release();
  }
};

/** Passes a share of a run to `use`. Throws a FailedError if another run is writing the books. */
export const withSharedRun = async <T>(
  { config, database, url, enter, tell }: OpenBooks,
  run: Run,
  use: (work: Work, lock: SharedLock) => Promise<T>,
): Promise<T> => {
  const lost = new AbortController();
  const signal = AbortSignal.any([lost.signal, ...(config.signal ? [config.signal] : [])]);
  const lock = await joinBooks(url, run.job, () => lost.abort(lockLost()));
  const fence = { runNumber: run.number, signal };
  const as = async (signer: Signer) => writerOf((await enter(signer)).database, fence);
  const tellOfRun: Tell = (event) => tell({ ...event, run: run.id });
  const resources = {
    config,
    db: writerOf(database, fence),
    pool: database.pool,
    url,
    as,
    run,
    tell: tellOfRun,
    signal,
  };
  try {
    return await use(resources, lock);
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
