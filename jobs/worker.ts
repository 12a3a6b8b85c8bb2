// The worker: takes the jobs of nights until a signal ends it. Any number may run, on any number of hosts, beside one database.
import { hostname } from 'node:os';
import { FailedError, messageOf } from '../src/base/errors.ts';
import { sha256 } from '../src/base/json.ts';
import { aborted, untilSignal } from '../src/base/signal.ts';
import type { GatewayConfig } from '../src/config/environment.ts';
import type { Database } from '../src/database/connection.ts';
import { showAlive } from '../src/database/database.ts';
import { refuseForeignState } from '../src/export/export.ts';
import type { Tell } from '../src/run/events.ts';
import {
  addWorker,
  besideRuns,
  deadWorkers,
  type OpenBooks,
  refuseMigrated,
  refuseOtherSchedule,
  refuseOtherSettings,
  removeWorkers,
  settingsOf,
  withBooks,
} from '../src/run/run.ts';
import { mayPass } from './passing.ts';
import { addJobs, migrateQueue, nightJob, type Queue, readSchedule, startQueue } from './queue.ts';
import { forgetFuture, freeJobs, hastenJobs, ownSchedule } from './queue-care.ts';
import type { OnFinish } from './run-end.ts';
import { type RunParts, runParts } from './run-parts.ts';
import { moveFiles, tasksOf } from './worker-tasks.ts';

type WorkerOptions = {
  /** The schedule: the text of a crontab, and its path for messages. */
  readonly crontab: { readonly text: string; readonly path: string };
  readonly jobsMax: number;
  /** Whether this host may write the files of a night. */
  readonly writesFiles: boolean;
  /** Where to serve metrics; null for nowhere. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** Queue a night at once. */
  readonly isNow: boolean;
  readonly tell: Tell;
  /** Called in the process that ends a run. */
  readonly onFinish: OnFinish;
  /** Ends the worker. */
  readonly signal: AbortSignal;
};

const LOOK_MS = 5_000;
/** After the signal, jobs end and are given back, if the database answers: within the minute that jobs/deploy gives a worker. */
const END_MS = 45_000;

/** Works until the signal. Throws a FailedError if the database is lost: its supervisor starts it again. */
export const work = async (config: GatewayConfig, options: WorkerOptions): Promise<void> => {
  const crontab = readSchedule(options.crontab.text, options.crontab.path);
  const lost = new AbortController();
  if (options.writesFiles) refuseForeignState(config.home);
  const settings = { ...config, signal: AbortSignal.any([options.signal, lost.signal]) };
  await untilSignal(options.signal, END_MS, (serving) =>
    withBooks({ ...config, signal: serving.signal }, async (database, url, enter) => {
      const books = { config: settings, database, url, enter, tell: options.tell };
      const own = await readyQueue(books, options);
      const schedule = await ownSchedule(database.db, crontab, options.tell);
      serving.begin();
      const metrics = await openMetrics(config, options, database);
      await takeJobs({ books, settings, schedule, own, options, lost }).finally(() => metrics?.close());
    }),
  );
  if (lost.signal.aborted) throw lost.signal.reason;
};

/** This process, and a digest of its schedule and settings, in which all workers of a database agree. */
type OwnWorker = { readonly host: string; readonly pid: number; readonly schedule: string };

/** Readies the queue, and refuses what other workers would contradict. */
const readyQueue = async (books: OpenBooks, { crontab, tell }: WorkerOptions): Promise<OwnWorker> => {
  const { config, database, enter } = books;
  await migrateQueue((await enter('owner')).url, tell);
  await refuseOtherSettings(database.db, settingsOf(config));
  await freeStale(database.db, tell);
  const schedule = sha256(JSON.stringify([crontab.text, settingsOf(config)]));
  const own = { host: hostname(), pid: process.pid, schedule };
  await refuseOtherSchedule(database.db, own); // before the queue stores it and makes up for its nights
  return own;
};

type Working = {
  readonly books: OpenBooks;
  readonly settings: GatewayConfig & { readonly signal: AbortSignal };
  readonly schedule: ReturnType<typeof readSchedule>;
  readonly own: OwnWorker;
  readonly options: WorkerOptions;
  readonly lost: AbortController;
};

/** Takes jobs until the signal, or until this worker has lost a lock. */
const takeJobs = async ({ books, settings, schedule, own, options, lost }: Working): Promise<void> => {
  const { database, url, tell } = books;
  const { jobsMax, writesFiles, onFinish } = options;
  const filesHost = writesFiles ? own.host : null;
  const parts = runParts(books, settings, filesHost);
  const lose = (reason: Error = gone()) => lost.abort(reason);
  const tasks = tasksOf({ books, config: settings, parts, filesHost, onFinish, lose });
  const alive = { release: async () => {} };
  const begin = async (id: string): Promise<void> => {
    alive.release = (await showAlive(url, id, () => lose())).release;
    await addWorker(database.db, { ...own, id, writesFiles });
    tell({ event: 'worker started', worker: id, host: own.host, jobs: jobsMax });
  };
  try {
    const queue = await startQueue({ url, tasks, schedule, jobsMax, tell }, begin);
    try {
      if (options.isNow) await startNow(books);
      await maintain(books, { parts, queue, signal: settings.signal, tell });
    } catch (error) {
      lost.abort(error); // no job takes what follows for a failure of its own
    }
    const stopped = queue.stop(); // first of all, so that it takes no job that it cannot do
    await parts.close();
    await stopped;
    if (!lost.signal.aborted) await removeWorkers(database.db, [queue.id]);
  } finally {
    await alive.release();
  }
};

/** Serves metrics, if that is wanted; the package behind them is loaded only then. */
const openMetrics = async (
  { gateway: { requestsPerMinute } }: GatewayConfig,
  { metricsPort: port, metricsHost: host, tell }: WorkerOptions,
  database: Database,
) => {
  if (port === null) return null;
  const { serveMetrics } = await import('../src/monitor/monitor.ts');
  const warn = (message: string) => tell({ event: 'warning', message });
  const server = await serveMetrics({ port, host, requestsPerMinute, warn }, database);
  tell({ event: 'metrics', url: server.url });
  return server;
};

const gone = (): FailedError =>
  new FailedError('the worker stopped because its database session ended: start it again');

const startNow = ({ database }: OpenBooks): Promise<void> =>
  besideRuns(database.db, (tx) => addJobs(tx, [nightJob({})]));

type Maintained = {
  readonly parts: RunParts;
  readonly queue: Queue;
  readonly signal: AbortSignal;
  readonly tell: Tell;
};

/** Until the signal, or until another version has migrated the books: frees the jobs of dead workers, and closes runs that others have ended. */
const maintain = async (
  { database }: OpenBooks,
  { parts, queue, signal, tell }: Maintained,
): Promise<void> => {
  const ended = Promise.race([aborted(signal), queue.done]).then(() => 'ended');
  for (;;) {
    const pause = new Promise<string>((done) => setTimeout(() => done('look'), LOOK_MS).unref());
    if ((await Promise.race([ended, pause])) === 'ended') return;
    try {
      await refuseMigrated(database.db);
      await freeStale(database.db, tell);
      for (const moved of await besideRuns(database.db, moveFiles)) tell({ event: 'files moved', ...moved });
      await parts.sweep();
    } catch (error) {
      if (!mayPass(error)) throw error;
      tell({
        event: 'warning',
        message: `looking after the jobs failed, and is tried again: ${messageOf(error)}`,
      });
    }
  }
};

/** Frees the jobs of workers whose processes are gone, and the schedule from a time that has not come. */
const freeStale = async (db: Database['db'], tell: Tell): Promise<void> => {
  if ((await besideRuns(db, forgetFuture)) > 0)
    tell({
      event: 'warning',
      message:
        'a night was queued by a clock that was ahead: it begins at once if it has not yet, and the schedule goes on by the present time; synchronise the clocks (NTP)',
    });
  const dead = await deadWorkers(db);
  const jobs = await besideRuns(db, (tx) => freeJobs(tx, dead));
  await besideRuns(db, hastenJobs);
  if (dead.length > 0) await removeWorkers(db, dead);
  if (dead.length + jobs > 0) tell({ event: 'freed', workers: dead.length, jobs });
};
