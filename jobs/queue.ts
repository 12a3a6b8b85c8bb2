// The job queue: Graphile Worker in the database of the books, in a schema of its own. No figure rests on it: a lost job is a
// night that is run again.
import { EventEmitter } from 'node:events';
import { makeWorkerUtils, type ParsedCronItem, parseCrontab, type Runner, run } from 'graphile-worker';
import { type Kysely, sql, type Transaction } from 'kysely';
import { FailedError, UsageError } from '../src/base/errors.ts';
import { HOUR_MS } from '../src/base/time.ts';
import { lockSchema, openBeside, readSql, unnest } from '../src/database/database.ts';
import type { DB } from '../src/database/db-types.ts';
import type { Tell } from '../src/run/events.ts';
import { loggerOf, printedOf } from './queue-log.ts';

export const SCHEMA = 'tieout_queue';

/** What a job says to its task. */
export type Payload = { readonly [name: string]: unknown };
export type Tasks = { readonly [name: string]: (payload: Payload) => Promise<void> };

const WAIT_MS = 60_000;

/** Creates or migrates the queue, as the owner, and lets the loader's logins work on it; one worker after the other. */
export const migrateQueue = async (ownerUrl: string, tell: Tell): Promise<void> => {
  const lock = await lockSchema(ownerUrl, WAIT_MS);
  const pool = openBeside(ownerUrl, { name: 'tieout queue', pgTypes: true });
  try {
    const utils = await makeWorkerUtils({ pgPool: pool, schema: SCHEMA, logger: loggerOf(tell) });
    await utils.migrate();
    await utils.release();
    await pool.query(readSql('queue/rights.sql').text);
  } finally {
    await pool.end();
    await lock.release();
  }
};

/**
 * Reads a crontab whose lines start `night`, one night at a time: nights that were missed are made up for by one. Throws a UsageError
 * that names what is wrong.
 */
export const readSchedule = (text: string, path: string): ParsedCronItem[] => {
  try {
    const items = parseCrontab(text);
    const other = items.find(({ task }) => task !== 'night');
    if (other) throw new Error(`the only task is night, not ${other.task}`);
    if (items.length === 0) throw new Error('it has no line, so no night would ever begin');
    return items.map((item) => ({ ...item, options: { ...item.options, ...ONE_NIGHT } }));
  } catch (error) {
    throw new UsageError(
      `${path} is not a crontab of tieout: ${(error as Error).message.slice(0, REASON_LENGTH_MAX)}; write lines such as ${EXAMPLE}`,
    );
  }
};

const EXAMPLE = '"30 2 * * * night", with minute, hour, day, month and day of the week, in UTC';

/** The parser quotes the line that it cannot read, which may be any file. */
const REASON_LENGTH_MAX = 200;

/** A night is one job, whoever queues it: the next one waits, and no clock that is ahead puts it off. */
const ONE_NIGHT = { queueName: 'night', jobKey: 'night', jobKeyMode: 'preserve_run_at' } as const;

type QueueOptions = {
  /** The loader's address. */
  readonly url: string;
  readonly tasks: Tasks;
  readonly schedule: ParsedCronItem[];
  /** How many jobs this process runs side by side. */
  readonly jobsMax: number;
  readonly tell: Tell;
};

/** A running queue. `id` is what its jobs are locked by. */
export type Queue = {
  readonly id: string;
  /** Rejects when the queue has stopped because of an error. */
  readonly done: Promise<void>;
  /** Takes no more jobs, waits for those at work, and leaves none of them to a worker that is gone. */
  stop(): Promise<void>;
};

const taskList = (tasks: Tasks, begun: Promise<void>) =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload: unknown) => {
        await begun;
        await task(payload as Payload);
      },
    ]),
  );

/** Takes and runs jobs until it is stopped. No task begins before `ready`, so that its worker is known first. */
export const startQueue = async (
  { url, tasks, schedule, jobsMax, tell }: QueueOptions,
  ready: (id: string) => Promise<void>,
): Promise<Queue> => {
  const pool = openBeside(url, { name: `tieout queue pid ${process.pid}`, pgTypes: true });
  const events = new EventEmitter();
  let id = '';
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
    id = workerPool.id;
  });
  const setBack = clockSetBack(events);
  const printAgain = printedOf(tell);
  let begin: () => void = () => {};
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const runner: Runner = await run(
    {
      pgPool: pool,
      schema: SCHEMA,
      concurrency: jobsMax,
      noHandleSignals: true,
      logger: loggerOf(tell),
      events,
      crontab: '',
    },
    taskList(tasks, begun),
    schedule,
  ).catch(async (error) => {
    await pool.end();
    printAgain();
    throw error;
  });
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    begin();
    await runner.stop().catch(() => {}); // it has stopped by itself
    await runner.promise.catch(() => {});
    // The package does not wait until the end of its last job is stored, and the pool is about to end.
    await pool.query(`select ${SCHEMA}.force_unlock_workers($1::text[])`, [[id]]).catch(() => {}); // others free them a minute later
    await pool.end();
    printAgain();
  };
  try {
    await ready(id);
    begin();
  } catch (error) {
    await stop();
    throw error;
  }
  const done = runner.promise.then(() => {
    if (!isStopping) throw new FailedError(MIGRATED);
  });
  done.catch(() => {}); // whoever waits for it hears of it
  return { id, done: Promise.race([done, setBack]), stop };
};

/** The package ends by itself, with an exit code of its own, when it is notified that the queue has another form. */
const MIGRATED =
  'the worker stopped because it was notified that another version migrated the job queue: start it again, with the version of the others';

/** Rejects when the package waits for a time that is an hour away: until then it would queue no night. */
const clockSetBack = (events: EventEmitter): Promise<never> => {
  const waits = new Promise<never>((_, fail) => {
    events.on('cron:prematureTimer', ({ currentTimestamp: now, expectedTimestamp: expected }) => {
      if (expected - now > HOUR_MS)
        fail(
          new FailedError('the worker stopped because the clock of this host was set back: start it again'),
        );
    });
  });
  waits.catch(() => {}); // whoever waits for `done` hears of it
  return waits;
};

export type QueuedJob = {
  readonly task: string;
  /** Jobs with the same key are one job. */
  readonly key: string;
  /** Jobs of one queue run one after the other. */
  readonly queue: string | null;
  readonly payload: Payload;
  /** When the job may begin, from now. Default: at once. */
  readonly waitMs?: number;
};

/** The job of a night. */
export const nightJob = (payload: Payload, waitMs = 0): QueuedJob => ({
  task: 'night',
  key: ONE_NIGHT.jobKey,
  queue: ONE_NIGHT.queueName,
  payload,
  waitMs,
});

const ATTEMPTS_MAX = 25;

/** Queues jobs, in their order, in the transaction `tx`. */
export const addJobs = async (tx: Transaction<DB>, jobs: readonly QueuedJob[]): Promise<void> => {
  const rows = jobs.map(({ payload, waitMs = 0, ...job }, nth) => ({
    ...job,
    micros: waitMs * 1_000 + nth,
    payload: JSON.stringify(payload),
  }));
  const columns = { task: 'text', key: 'text', queue: 'text', micros: 'bigint', payload: 'text' };
  await sql`
    select ${sql.raw(SCHEMA)}.add_job(
      task, payload::json, queue_name => queue, run_at => now() + micros * interval '1 microsecond', max_attempts => ${ATTEMPTS_MAX}, job_key => key
    ) from ${unnest(rows, columns)} order by micros`.execute(tx);
};

/** A step of a run that waits: its task, and what it says. */
type WaitingStep = { readonly task: string; readonly run: string; readonly requests: string };

/**
 * The steps whose tasks begin like this and that no worker has taken for a minute. Read from the package's own tables, because its view
 * lacks what a job says.
 */
export const untakenSteps = async (tx: Transaction<DB>, taskPrefix: string): Promise<WaitingStep[]> => {
  const { rows } = await sql<WaitingStep>`
    select t.identifier as task, j.payload ->> 'run' as run, j.payload ->> 'requests' as requests
    from ${sql.raw(SCHEMA)}._private_jobs j join ${sql.raw(SCHEMA)}._private_tasks t on t.id = j.task_id
    where starts_with(t.identifier, ${taskPrefix}) and j.locked_at is null and j.run_at < now() - interval '1 minute'
      and j.attempts < j.max_attempts`.execute(tx);
  return rows;
};

/** Whether a job whose key begins like this waits or is at work. */
export const hasJob = async (db: Kysely<DB>, prefix: string): Promise<boolean> => {
  const { rows } = await sql`
    select from ${sql.raw(SCHEMA)}.jobs where starts_with(key, ${prefix}) and attempts < max_attempts limit 1`.execute(
    db,
  );
  return rows.length > 0;
};
