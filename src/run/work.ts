// The context of every job: a run holds the writer lock, fences what it writes, and always ends with an exit code.

import { InterruptedError, messageOf, UsageError } from '../base/errors.ts';
import { pause } from '../base/signal.ts';
import { stopwatch } from '../base/time.ts';
import type { Config } from '../config/environment.ts';
import type { Books, Database, Stopping } from '../database/connection.ts';
import {
  databaseFailure,
  LockLost,
  lockBooks,
  openReader,
  type WriterLock,
  writerOf,
} from '../database/database.ts';
import { namingAltered } from './altered-proposals.ts';
import { type Enter, type Entry, type OpenBooks, withBooks } from './entry.ts';
import type { Tell } from './events.ts';
import { closeRun, openRun, type Run } from './job-run.ts';
import { whenFree } from './patience.ts';
import { costOf } from './reading-cost.ts';
import { refuseOtherSettings, settingsOf } from './settings.ts';
import type { NightVerdict } from './verdicts.ts';
import { refuseMigrated } from './version.ts';

/** The roles of people: the preparer proposes, the approver accepts another person's proposals. */
export type Signer = 'preparer' | 'approver';

/** The input of a job: typed books, settings, its run, and a function that reports progress. */
export type Work = {
  readonly config: Config;
  readonly db: Books;
  readonly pool: Database['pool'];
  /** The address of the login that works. */
  readonly url: string;
  /** The books as a role that may write people's decisions, on its own login, until the run ends. */
  readonly as: (signer: Signer) => Promise<Books>;
  readonly run: Run;
  /** What this process has sent for the run, answered or not. Complete once its gateway is closed. */
  readonly sent: { requests: number };
  readonly tell: Tell;
  /** Fires when the run must stop because of a signal to the process or a lost lock. */
  readonly signal: AbortSignal;
};

/** The result of a job. Exit code 2: something failed (takes precedence); 1: there are findings for finance. */
export type Result = {
  readonly exitCode: 0 | 1 | 2;
  readonly requests: number;
  readonly pages: number;
  readonly fewest: number;
  readonly summary: string;
  /** Of a nightly: what it found for each of its entities. */
  readonly verdicts?: readonly NightVerdict[];
};

/** The result of an action that uses no gateway. */
export const offlineResult = (exitCode: Result['exitCode'], summary: string): Result => ({
  exitCode,
  summary,
  requests: 0,
  pages: 0,
  fewest: 0,
});

/** The input of a job: its writes are fenced by the run's number, and its events name the run. */
export const workOf = (books: OpenBooks, run: Run, { holder }: WriterLock, signal: AbortSignal): Work => {
  const { config, database, url, enter, tell } = books;
  const fence = { runNumber: run.number, holder, signal };
  return {
    config,
    db: writerOf(database, fence),
    pool: database.pool,
    url,
    as: async (signer) => writerOf((await enter(signer)).database, fence),
    run,
    sent: { requests: 0 },
    tell: (event) => tell({ ...event, run: run.id }),
    signal,
  };
};

/** A signal that fires when the process must stop, or once `lose` is called because the lock is lost. */
export const untilLost = ({
  signal,
}: Config): { readonly signal: AbortSignal; readonly lose: () => void } => {
  const lost = new AbortController();
  return {
    signal: AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]),
    lose: () => lost.abort(new LockLost()),
  };
};

/** A job, and how it enters the books. */
type Job<R extends Result> = Omit<Entry, 'whenFree'> & {
  readonly tell: Tell;
  /** How long to wait while another run is at work, for all that the job needs together. Default: not at all. */
  readonly waitMs?: number;
  /** The job applies another platform class to what is booked, so it may differ from that of the books. */
  readonly changesClass?: boolean;
  readonly work: (work: Work) => Promise<R>;
};

/** Runs a job as the only writer of the books. A failure is stored in its run and rethrown. */
export const withRun = <R extends Result>(config: Config, name: string, job: Job<R>): Promise<R> => {
  const { work, tell } = job;
  const free = whenFree({
    waitMs: job.waitMs ?? 0,
    signal: config.signal,
    onWait: ({ holder }) => tell({ event: 'night waits', holder }),
  });
  const locked = async (database: Database, url: string, enter: Enter) => {
    const { signal, lose } = untilLost(config);
    const lock = await free(() => lockBooks(url, name, lose));
    try {
      await refuseMigrated(database.db);
      const { platformClass, ...byFirstEntry } = settingsOf(config);
      await refuseOtherSettings(
        database.db,
        job.changesClass ? byFirstEntry : { ...byFirstEntry, platformClass },
      );
      const run = await openRun(database.db, name);
      const resources = workOf({ config, database, url, enter, tell }, run, lock, signal);
      return await finished(resources, database, () => work(resources));
    } finally {
      await lock.release();
    }
  };
  return withBooks(config, locked, { ...job, whenFree: free });
};

type Running = Pick<Work, 'config' | 'run' | 'sent' | 'signal' | 'tell' | 'url'>;

/**
 * Runs a job and stores its result in its run. If a signal stopped it, the signal's reason is the error, not its
 * consequences.
 */
const finished = async <R extends Result>(
  running: Running,
  database: Database,
  job: () => Promise<R>,
): Promise<R> => {
  const { run, sent, signal, tell } = running;
  const tookMs = stopwatch();
  const ended = ({ exitCode, requests, summary }: RunEnd): void =>
    tell({ event: 'run ended', exit_code: exitCode, requests, summary, duration_ms: tookMs() });
  tell({ event: 'run started', job: run.job });
  let result: R | undefined;
  try {
    result = await job();
    await closeRun(writerOf(database, { runNumber: run.number }), run, result);
  } catch (caught) {
    const error: unknown = signal.aborted ? signal.reason : await namingAltered(running.url, caught);
    const end = endOf(error, sent.requests);
    const isOpen = await storeFailure(running, end);
    if (isOpen || result === undefined) {
      ended(end);
      throw error;
    } // otherwise the result was committed, and only the answer was lost
  }
  ended(result);
  return result;
};

/** A server that restarts is back by then. */
const RESTART_MS = 20_000;
const PAUSE_MS = 500;

/**
 * Stores how a run failed, also if its database is restarting: without an end the run looks like one that is at work, or was killed. False
 * if it has ended before. What keeps it from being stored is not reported: the failure of the run may have the same cause.
 */
const storeFailure = async ({ config, url, run, signal }: Running, end: RunEnd): Promise<boolean> => {
  const tookMs = stopwatch();
  const stopping = { isStopping: signal.aborted };
  for (;;) {
    try {
      return (await markFailed(url, run, end, stopping)) || (await isEndOf(url, run, end, stopping));
    } catch (error) {
      if (!isAway(error) || config.signal?.aborted || tookMs() > RESTART_MS) return true;
      await pause(PAUSE_MS, config.signal);
    }
  }
};

/** Whether a database that takes writes may be at this address again: after a restart, or once the address follows a failover. */
const isAway = (error: unknown): boolean => {
  const failure = databaseFailure(error);
  return failure === 'lost' || failure === 'read-only';
};

/** Whether this end is the stored one: an earlier try may have committed it and lost the answer. */
const isEndOf = async (url: string, run: Run, end: RunEnd, stopping: Stopping): Promise<boolean> => {
  const database = openReader(url, stopping);
  try {
    const { exit_code: exitCode, summary } = await database.db
      .selectFrom('run.runs')
      .select(['exit_code', 'summary'])
      .where('run_id', '=', run.id)
      .executeTakeFirstOrThrow();
    return exitCode === end.exitCode && summary === end.summary;
  } finally {
    await database.close();
  }
};

/** How a run ended, as its row stores it beside what it has read. */
export type RunEnd = Pick<Result, 'requests' | 'summary'> & { readonly exitCode: number };

/** The end of a run that failed, after so many requests. By the first word of its summary SQL tells it from one in which entities failed. */
export const endOf = (error: unknown, requests: number): RunEnd => {
  const isOurs = error instanceof UsageError || error instanceof InterruptedError;
  const text = messageOf(error);
  const summary = error instanceof InterruptedError ? text : `failed: ${text}`;
  return { requests, exitCode: isOurs ? error.exitCode : 2, summary };
};

/** Uses its own connection: the run's connections may be the cause of the failure, or closed. False if the run has ended before. */
export const markFailed = async (
  url: string,
  run: Run,
  end: RunEnd,
  stopping: Stopping = {},
): Promise<boolean> => {
  const database = openReader(url, stopping);
  try {
    const cost = await costOf(database.db, run.id); // its pages are landed, whatever became of the run
    return await closeRun(writerOf(database, { runNumber: run.number }), run, { ...end, ...cost });
  } finally {
    await database.close();
  }
};
