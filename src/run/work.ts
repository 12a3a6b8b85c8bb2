// The context of every job. Opens the books (embedded Postgres or DATABASE_URL), migrates them as their owner, and enters
// them as the role with the fewest rights for the job. A run holds the writer lock and always ends with an exit code.

import { FailedError, InterruptedError, NoBooksError, UsageError } from '../base/errors.ts';
import { refuseShared } from '../base/ownership.ts';
import { nowMs } from '../base/time.ts';
import type { Config } from '../config/environment.ts';
import type { Role } from '../config/role.ts';
import type { Books, Database } from '../database/connection.ts';
import { lockBooks, openReader, placeOf, writerOf } from '../database/database.ts';
import { migrate, openAs, requireBooks } from '../database/schema.ts';
import { hasServer, openServer } from '../postgres/postgres.ts';
import type { Tell } from './events.ts';
import { closeRun, openRun, type Run } from './job-run.ts';
import { whenFree } from './patience.ts';
import { refuseReplica } from './replica.ts';
import { refuseOtherSettings, settingsOf } from './settings.ts';

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
};

/** The result of an action that uses no gateway. */
export const offlineResult = (exitCode: Result['exitCode'], summary: string): Result => ({
  exitCode,
  summary,
  requests: 0,
  pages: 0,
  fewest: 0,
});

/** The role to work as. The loader can only add rows; the owner has every right and is used only where it is required. */
export type As = Role | 'owner';

/**
 * How to enter the books. Only a command that `begins` books creates or migrates them; others fail if the books are
 * missing.
 */
type Entry = {
  readonly as?: As | undefined;
  readonly begins?: boolean | undefined;
  /** It only reads, so the replica will do if one is configured. */
  readonly isReading?: boolean | undefined;
};

const placeIn = ({ databaseUrl, home }: Config): string =>
  databaseUrl === null ? `at ${home}` : `in the database ${placeOf(databaseUrl)}`;

const beginHint = ({ databaseUrl, isDemo }: Config): string =>
  isDemo
    ? 'run npx tieout demo'
    : `set ${databaseUrl === null ? 'TIEOUT_HOME' : 'DATABASE_URL'}, or run nightly`;

const noBooks = (config: Config): NoBooksError =>
  new NoBooksError(`no books ${placeIn(config)}: ${beginHint(config)}`);

/** Passes the owner's address of the configured database to `use`, while its server runs. */
export const withOwner = async <T>(
  config: Config,
  use: (url: string) => Promise<T>,
  { begins = false }: Entry = {},
): Promise<T> => {
  refuseShared(config.home, 'TIEOUT_HOME');
  config.signal?.throwIfAborted();
  if (config.databaseUrl !== null) return use(config.databaseUrl);
  if (!begins && !hasServer(config.home)) throw noBooks(config);
  const server = await openServer(config.home, config);
  try {
    config.signal?.throwIfAborted();
    return await use(server.url);
  } finally {
    await server.release();
  }
};

/** Migrates the books to our schema, or checks that they exist in this version. */
const ready = async (config: Config, ownerUrl: string, begins: boolean): Promise<void> => {
  if (begins) await migrate(ownerUrl, { signal: config.signal });
  else await requireBooks(ownerUrl, { place: placeIn(config), none: noBooks(config) });
};

/** Opens the books as a further role, at most once per role. */
type Enter = (as: As) => Promise<{ readonly database: Database; readonly url: string }>;

/** Passes the configured database, in our schema, to `use`: as the loader, unless `as` names another role. */
export const withBooks = <T>(
  config: Config,
  use: (database: Database, url: string, enter: Enter) => Promise<T>,
  { as = 'loader', begins = false, isReading = false }: Entry = {},
): Promise<T> => {
  const entered = async (ownerUrl: string): Promise<T> => {
    await ready(config, ownerUrl, begins);
    const open = new Map<As, ReturnType<Enter>>();
    const enter: Enter = (who) => {
      const session = open.get(who) ?? enterAs(config, ownerUrl, who);
      open.set(who, session);
      return session;
    };
    try {
      const { database, url } = await enter(as);
      return await use(database, url, enter);
    } finally {
      for (const session of await Promise.allSettled(open.values()))
        if (session.status === 'fulfilled') await session.value.database.close();
    }
  };
  const { replica } = config;
  if (!isReading || replica === undefined) return withOwner(config, entered, { begins });
  return refuseReplica(config.databaseUrl, replica).then(() => entered(replica.url));
};

const enterAs = async (config: Config, ownerUrl: string, as: As) =>
  as === 'owner'
    ? { database: openReader(ownerUrl, { signal: config.signal }), url: ownerUrl }
    : openAs(config, ownerUrl, as);

/** The books as a process has opened them. */
export type OpenBooks = {
  readonly config: Config;
  readonly database: Database;
  readonly url: string;
  readonly enter: Enter;
  readonly tell: Tell;
};

/** The input of a job: its writes are fenced by the run's number, and its events name the run. */
export const workOf = (books: OpenBooks, run: Run, signal: AbortSignal): Work => {
  const { config, database, url, enter, tell } = books;
  const fence = { runNumber: run.number, signal };
  return {
    config,
    db: writerOf(database, fence),
    pool: database.pool,
    url,
    as: async (signer) => writerOf((await enter(signer)).database, fence),
    run,
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
    lose: () => lost.abort(lockLost()),
  };
};

/** A job, and how it enters the books. */
type Job<R extends Result> = Entry & {
  readonly tell: Tell;
  /** How long to wait while another run is at work. Default: not at all. */
  readonly waitMs?: number | undefined;
  readonly work: (work: Work) => Promise<R>;
};

/** Runs a job as the only writer of the books. A failure is stored in its run and rethrown. */
export const withRun = <R extends Result>(config: Config, name: string, job: Job<R>): Promise<R> => {
  const { work, tell } = job;
  const locked = async (database: Database, url: string, enter: Enter) => {
    const { signal, lose } = untilLost(config);
    const take = () => lockBooks(url, name, lose);
    const lock = await whenFree({ waitMs: job.waitMs ?? 0, signal: config.signal }, take);
    try {
      await refuseOtherSettings(database.db, settingsOf(config));
      const run = await openRun(database.db, name);
      const resources = workOf({ config, database, url, enter, tell }, run, signal);
      return await finished(resources, database, () => work(resources));
    } finally {
      await lock.release();
    }
  };
  return withBooks(config, locked, job);
};

const lockLost = (): FailedError =>
  new FailedError('the run stopped because the database session with its writer lock ended: run again');

type Running = Pick<Work, 'run' | 'signal' | 'tell' | 'url'>;

/**
 * Runs a job and stores its result in its run. If a signal stopped it, the signal's reason is the error, not its
 * consequences.
 */
const finished = async <R extends Result>(
  { url, run, signal, tell }: Running,
  database: Database,
  job: () => Promise<R>,
): Promise<R> => {
  const begunMs = nowMs();
  const ended = ({ exitCode, requests, summary }: RunEnd): void =>
    tell({ event: 'run ended', exit_code: exitCode, requests, summary, duration_ms: nowMs() - begunMs });
  tell({ event: 'run started', job: run.job });
  try {
    const result = await job();
    await closeRun(writerOf(database, { runNumber: run.number }), run, result);
    ended(result);
    return result;
  } catch (caught) {
    const error: unknown = signal.aborted ? signal.reason : caught;
    ended(endOf(error));
    await markFailed(url, run, error).catch(() => {}); // report the first failure: this one may have the same cause
    throw error;
  }
};

/** How a run ended, as its row stores it. */
export type RunEnd = Omit<Result, 'exitCode'> & { readonly exitCode: number };

const NOTHING = { requests: 0, pages: 0, fewest: 0 };

export const endOf = (error: unknown): RunEnd => {
  const isOurs = error instanceof UsageError || error instanceof InterruptedError;
  const text = error instanceof Error ? error.message : String(error);
  const summary = error instanceof InterruptedError ? text : `failed: ${text}`;
  return { ...NOTHING, exitCode: isOurs ? error.exitCode : 2, summary };
};

/** Uses its own connection: the run's connections may be the cause of the failure, or closed. */
export const markFailed = async (url: string, run: Run, error: unknown): Promise<void> => {
  const database = openReader(url);
  try {
    await closeRun(writerOf(database, { runNumber: run.number }), run, endOf(error));
  } finally {
    await database.close();
  }
};
