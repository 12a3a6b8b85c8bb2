// What the workers look after in their queue: jobs of workers that are gone, nights of a clock that was ahead, and jobs that would wait
// for hours because the database was away a few times.
import { type Kysely, sql, type Transaction } from 'kysely';
import { HOUR_MS } from '../src/base/time.ts';
import type { DB } from '../src/database/db-types.ts';
import type { Tell } from '../src/run/events.ts';
import { databaseOffsetMs, durationOf } from './clocks.ts';
import { type readSchedule, SCHEMA } from './queue.ts';

/**
 * Takes back what a clock that was ahead has queued, by the clock of the database. A night of that time counts as one of now: the
 * package would queue no other until it has come, and without a time it would make up for one of before. A job for that time begins at once: there is one job for a night, and the next ones would keep its
 * time. Returns how many.
 */
export const forgetFuture = async (db: Kysely<DB>): Promise<number> => {
  const { rows: nights } = await sql`
    update ${sql.raw(SCHEMA)}._private_known_crontabs set last_execution = now()
    where last_execution > now() + interval '1 hour' returning identifier`.execute(db);
  const { rows: jobs } = await sql`
    update ${sql.raw(SCHEMA)}._private_jobs set run_at = now()
    where run_at > now() + interval '1 hour' and last_error is null and locked_at is null returning id`.execute(
    db,
  );
  return nights.length + jobs.length;
};

type Schedule = ReturnType<typeof readSchedule>;

/**
 * The schedule as this host may follow it. By a clock that is hours ahead, a night that has not come looks missed, and each start would
 * begin it again: such a host makes up for none.
 */
export const ownSchedule = async (db: Kysely<DB>, schedule: Schedule, tell: Tell): Promise<Schedule> => {
  const aheadMs = -(await databaseOffsetMs(db));
  if (aheadMs <= HOUR_MS) return schedule;
  tell({
    event: 'warning',
    message:
      `the clock of this host is ${durationOf(aheadMs)} ahead of the database's: its nights begin early, and it makes up ` +
      'for none that was missed; synchronise the clocks (NTP), and start the worker again',
  });
  return schedule.map((item) => ({ ...item, options: { ...item.options, backfillPeriod: 0 } }));
};

/** Frees the jobs of dead workers, and those taken a minute ago by a worker that is not known; returns how many. */
export const freeJobs = async (db: Kysely<DB>, dead: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ worker: string; jobs: number }>`
    select j.locked_by as worker, count(*)::int as jobs from ${sql.raw(SCHEMA)}.jobs j
    where j.locked_by = any(${[...dead]}::text[])
      or (j.locked_at < now() - interval '1 minute' and j.locked_by not in (select worker_id from run.workers))
    group by j.locked_by`.execute(db);
  if (rows.length === 0) return 0;
  const gone = rows.map(({ worker }) => worker);
  await sql`select ${sql.raw(SCHEMA)}.force_unlock_workers(${gone}::text[])`.execute(db);
  return rows.reduce((sum, { jobs }) => sum + jobs, 0);
};

/**
 * No job that failed waits longer than a minute, and none is given up, as long as its run may read. What a task throws may pass: the
 * database was away, or a signal stopped it. The package waits e times as long after each failure, six hours after the tenth, and gives
 * a job up after some more. What workers were killed at without a failure still counts.
 */
export const hastenJobs = async (tx: Transaction<DB>): Promise<void> => {
  await sql`
    update ${sql.raw(SCHEMA)}._private_jobs
    set run_at = least(run_at, now() + interval '1 minute'), attempts = least(attempts, ${FAILURES_COUNTED})
    where locked_at is null and last_error is not null and attempts < max_attempts
      and (run_at > now() + interval '1 minute' or attempts > ${FAILURES_COUNTED})`.execute(tx);
};

/** After so many the package waits for about a minute. */
const FAILURES_COUNTED = 4;
