// Database connections: sessions and pools. The only file that imports Kysely's dialect.
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { FailedError } from '../base/errors.ts';
import {
  Client,
  type Connection,
  clientConfig,
  clientsOf,
  poolOf,
  processOf,
  type Session,
  STOPPING,
  socketOf,
} from './client.ts';
import type { DB } from './db-types.ts';
import { type Fence, fencedDialect, inOne } from './fence.ts';

/** The typed query builder over all our schemas; keys are `schema.table`. */
export type Books = Kysely<DB>;
export type Database = { db: Books; pool: pg.Pool; close(): Promise<void> };

/** The connections of a pool. */
export const POOL_MAX = 8;

/** The SQLSTATE of a database error, the code of a socket error, or ''. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/**
 * Opens one session. Throws pg's errors (see `codeOf`). If the connection is lost later, the next query fails, not the
 * process. A signal ends the wait for the server.
 */
export const openSession = async (
  url: string,
  name = 'tieout',
  { signal, isStopping = false }: Stopping = {},
): Promise<Session> => {
  const session = Client({ ...clientConfig(url, name), ...(isStopping && STOPPING) });
  session.on('error', () => {});
  const settled = onAbort(signal, () => endConnecting(session));
  try {
    await session.connect();
    return session;
  } catch (error) {
    await session.end().catch(() => {});
    throw error;
  } finally {
    await settled();
  }
};

/** Host, port and database of a URL, for messages; never the user's password. */
export const placeOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${decodeURIComponent(host) || 'the local socket'}${pathname}`;
};

/** pg's message if the server asks for a password and there is none. */
const NO_PASSWORD = /client password must be a string/;
const SILENT =
  /^(timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;

/** A server may give a reason of any length. */
const REASON_MAX = 1_000;

/** What a server or a socket says, of bounded length; what its client says instead, in plain words. */
export const reasonOf = (error: Error): string => {
  if (NO_PASSWORD.test(error.message))
    return 'it asks for a password: write user:password before the host in its address';
  if (SILENT.test(error.message)) return 'it does not answer';
  return error.message.slice(0, REASON_MAX) || codeOf(error);
};

const unreachable = (url: string, error: Error): FailedError =>
  new FailedError(`the database at ${placeOf(url)} cannot be reached: ${reasonOf(error)}`, {
    cause: error,
  });

/** Opens one session. Throws a FailedError that names the database if it cannot be reached. */
export const enter = (url: string, name: string, stopping: Stopping = {}): Promise<Session> =>
  openSession(url, name, stopping).catch((error: Error) => {
    throw unreachable(url, error);
  });

/** `signal` cancels a session, usually on a signal to this process. `isStopping`: it is one that works after that. */
export type Stopping = { readonly signal?: AbortSignal | undefined; readonly isStopping?: boolean };

/**
 * Runs `work` in its own session, which a signal ends. Throws a FailedError that names the database if it cannot be
 * reached.
 */
export const inSession = async <T>(
  url: string,
  name: string,
  work: (session: Session) => Promise<T>,
  stopping: Stopping = {},
): Promise<T> => {
  const session = await enter(url, name, stopping);
  const settled = onAbort(stopping.signal, () => cutOff(url, [session]));
  try {
    return await work(session);
  } finally {
    await session.end();
    await settled();
  }
};

/** Calls `stop` when the signal fires. The returned function removes the listener and waits for a stop that has started. */
const onAbort = (signal: AbortSignal | undefined, stop: () => Promise<void>): (() => Promise<void>) => {
  let stopped = Promise.resolve();
  const listener = () => {
    stopped = stop();
  };
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return () => {
    signal?.removeEventListener('abort', listener);
    return stopped;
  };
};

const CONNECTING_MS = 2_000;

/**
 * Waits until a session has connected, so that the server can be told to end it: one that is cut off lives on for a moment. Of a server that
 * is silent, only our side is closed.
 */
const endConnecting = async (session: Connection): Promise<void> => {
  if (processOf(session) === null)
    await new Promise<void>((done) => {
      for (const event of ['connect', 'end', 'error'] as const) session.once(event, () => done());
      setTimeout(done, CONNECTING_MS).unref();
    });
  if (processOf(session) === null) socketOf(session).destroy();
};

const END_MS = 2_000;

/**
 * Ends sessions at once, which rolls them back. Behind a pooler we cannot see the server's sessions and close only our
 * side.
 */
const cutOff = async (url: string, sessions: readonly Connection[]): Promise<void> => {
  await Promise.all(sessions.map(endConnecting));
  const ids = sessions.map(processOf).filter((id) => id !== null);
  const end = `select pg_terminate_backend(pid, ${END_MS}) from unnest($1::int[]) as pid`;
  const terminate = (session: Session) => session.query(end, [ids]);
  if (ids.length > 0)
    await inSession(url, 'tieout stopping', terminate, { isStopping: true }).catch(() => {}); // the database is gone, and the sessions with it
  for (const session of sessions) socketOf(session).destroy();
};

/**
 * A pool that ends only once, however often it is closed. A signal ends its connections in use, and then it lends no
 * more.
 */
const openPool = (url: string, { name, settings, signal, isStopping }: Required<DatabaseOptions>) => {
  const config = { ...clientConfig(url, name, settings), ...(isStopping && STOPPING) };
  const pool = poolOf({ ...config, max: POOL_MAX });
  let ended: Promise<void> | null = null;
  const end = () => {
    ended ??= pool.end();
    return ended;
  };
  const settled = onAbort(signal, () => {
    const clients = clientsOf(pool); // all, before the pool forgets those that are idle
    void end();
    return cutOff(url, clients);
  });
  const close = () => end().then(settled);
  return { pool, close };
};

type DatabaseOptions = Stopping & { readonly name?: string; readonly settings?: readonly string[] };

/**
 * Opens a database through a pool. numeric, int8, json and all times arrive as text; timestamptz as UTC in the form of
 * `readInstant`. Opens no connection yet. `close` waits for running queries; a signal does not.
 */
export const openDatabase = (
  url: string,
  { name = 'tieout', settings = [], signal, isStopping = false }: DatabaseOptions = {},
): Database => {
  const { pool, close } = openPool(url, { name, settings, signal, isStopping });
  const lender = { connect: () => pool.connect(), end: async () => {} };
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: lender }) }), pool, close };
};

type BesideOptions = {
  readonly name: string;
  readonly pgTypes?: boolean;
  readonly connectionsMax?: number;
};

/**
 * A pool for what runs beside the books without a run's fence: the request gate and the job queue. `pgTypes` leaves values as
 * pg parses them.
 */
export const openBeside = (
  url: string,
  { name, pgTypes = false, connectionsMax = POOL_MAX }: BesideOptions,
): pg.Pool => {
  const { types: ours, ...rest } = clientConfig(url, name);
  return poolOf({ ...rest, ...(pgTypes ? {} : { types: ours }), max: connectionsMax });
};

/** Opens a database read-only: statements that write are refused. A run writes through `writerOf`. */
export const openReader = (url: string, options: Omit<DatabaseOptions, 'settings'> = {}): Database =>
  openDatabase(url, { ...options, settings: ['default_transaction_read_only=on'] });

/** The same, with a first connection. Throws a FailedError that names the database if it cannot be reached. */
export const enterReader = async (url: string, stopping: Stopping): Promise<Database> => {
  const database = openReader(url, stopping);
  try {
    (await database.pool.connect()).release();
    return database;
  } catch (error) {
    await database.close();
    throw unreachable(url, error as Error);
  }
};

/** A query builder on the same pool that writes as the run that holds the fence. */
export const writerOf = ({ pool }: Pick<Database, 'pool'>, fence: Fence): Books =>
  new Kysely<DB>({ dialect: fencedDialect(pool, fence) });

/** Runs `use` in one transaction of the run that holds the fence: until it ends, readers see the previous state. */
export const wholly = <T>(
  { pool }: Pick<Database, 'pool'>,
  fence: Fence,
  use: (db: Books) => Promise<T>,
): Promise<T> => inOne(pool, fence, (dialect) => use(new Kysely<DB>({ dialect })));
