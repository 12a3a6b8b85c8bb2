// Locks between processes: one run at a time writes a set of books, and one process changes the schema. A process that
// finds the lock taken learns who holds it.

import { BusyError, FailedError } from '../base/errors.ts';
import { isoOf, nowMs, stopwatch } from '../base/time.ts';
import { type Session, socketOf } from './client.ts';
import { codeOf, enter, inSession, type Stopping } from './connection.ts';

const WRITER = 'run.writer_lock';
const NOT_AVAILABLE = '55P03';
const MAY_NOT = '42501';

/** The application name includes the start time, because another role may read the name but not the session's start. */
const HOLDER = `
  select application_name as who
  from pg_locks l join pg_stat_activity using (pid)
  where l.locktype = 'relation' and l.relation = to_regclass($1) and l.mode in ('ExclusiveLock', 'ShareLock') and l.granted
    and l.database = (select oid from pg_database where datname = current_database())`;

const refuse = async (url: string): Promise<never> => {
  const { rows } = await inSession(url, 'tieout', (session) =>
    session.query<{ who: string }>(HOLDER, [WRITER]),
  );
  const holder = rows[0] ? rows[0].who || 'a session without a name' : 'it has just ended';
  throw new BusyError(
    `another run is writing these books (${holder}): wait for it, or end it, and run again`,
    holder,
  );
};

/**
 * The writer lock of a database. `holder` is the server's process id of the session that holds it. `onLost` is called once if that
 * session ends, or does not answer any more, before `release`.
 */
export type WriterLock = { readonly holder: number; release(): Promise<void> };

/** A share of the books, in which one process of a run claims a part, such as an entity, for itself. */
export type SharedLock = WriterLock & {
  /** Whether the part was free: until `free`, no other process claims it. */
  claim(part: string): Promise<boolean>;
  free(part: string): Promise<void>;
};

/**
 * Takes the writer lock of a database for a job (`what`: nightly, extract …). Throws a BusyError that names the holder if
 * it is taken. An open transaction in its own session holds it: a killed process releases it at once, and a pooler
 * cannot give the session to another client. The transaction has neither an id nor a snapshot, so it does not delay
 * vacuum.
 */
export const lockBooks = (url: string, what: string, onLost?: () => void): Promise<WriterLock> =>
  holdBooks(url, { name: nameOf(what), statement: 'select run.lock_books()', onLost });

/**
 * Joins the processes of one run. Throws a FailedError that names the holder if another run is writing the books. A part is
 * claimed by an advisory lock: a row lock would need a transaction id, and delay vacuum.
 */
export const joinBooks = (url: string, what: string, onLost: () => void): Promise<SharedLock> =>
  holdBooks(url, { name: nameOf(what), statement: 'select run.join_books()', onLost });

const holdBooks = (url: string, holding: Holding): Promise<SharedLock> =>
  hold(url, holding).catch((error) =>
    codeOf(error) === NOT_AVAILABLE ? refuse(url) : Promise.reject(error),
  );

/** Shows to other processes that this one is alive, for as long as the lock is held. */
export const showAlive = (url: string, id: string, onLost: () => void): Promise<WriterLock> =>
  hold(url, {
    name: nameOf('worker'),
    statement: `select pg_advisory_lock(${ALIVE('$1')})`,
    values: [id],
    onLost,
  });

/** The advisory lock of a living process, for an SQL expression that is its id. */
export const ALIVE = (id: string): string => `hashtextextended('tieout alive ' || ${id}, 0)`;

const nameOf = (what: string): string =>
  `tieout ${what} pid ${process.pid}, since ${isoOf(nowMs()).slice(0, 19)}Z`;

type Holding = {
  readonly name: string;
  readonly statement: string;
  readonly values?: unknown[];
  readonly onLost?: (() => void) | undefined;
};

const PART = "hashtextextended('tieout part ' || $1, 0)";

/** Opens a transaction that holds the lock of `statement` until `release`, however long it is idle. */
const hold = async (
  url: string,
  { name, statement, values = [], onLost = () => {} }: Holding,
): Promise<SharedLock> => {
  const session = await enter(url, name);
  try {
    await session.query('begin; set local idle_in_transaction_session_timeout = 0');
    const { rows } = await session.query<{ holder: number }>('select pg_backend_pid() as holder');
    await session.query(statement, values);
    return lockHeldBy(session, rows[0]?.holder ?? 0, onLost);
  } catch (error) {
    await session.end();
    throw error;
  }
};

const lockHeldBy = (session: Session, holder: number, onLost: () => void): SharedLock => {
  session.once('end', onLost);
  const stopWatching = watch(session);
  const ask = oneByOne((text: string, part: string) => session.query(text, [part]));
  return {
    holder,
    release: () => {
      stopWatching();
      session.off('end', onLost);
      return session.end();
    },
    claim: async (part) =>
      (await ask(`select pg_try_advisory_lock(${PART}) as is_free`, part)).rows[0]?.is_free,
    free: async (part) => void (await ask(`select pg_advisory_unlock(${PART})`, part)),
  };
};

const LOOK_MS = 10_000;
/** So many looks without an answer: a server that stands still for half a minute has not gone. */
const SILENT_LOOKS = 6;

/**
 * Closes our side of a session whose server has not answered for a minute, since nothing can be sent to it: a router may forget an idle
 * connection, and tell neither side. Until then run.hold refuses what would be written without the lock. Returns what stops it.
 */
const watch = (session: Session): (() => void) => {
  let silent = 0;
  const timer = setInterval(() => {
    silent += 1;
    if (silent > SILENT_LOOKS) socketOf(session).destroy();
    else if (silent === 1)
      session.query('select').then(
        () => (silent = 0),
        () => {},
      ); // its end is heard of
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
};

/** Calls of `use` wait for one another, whatever becomes of each. */
const oneByOne = <A extends readonly unknown[], R>(use: (...args: A) => Promise<R>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (...args: A): Promise<R> => {
    const next = last.then(() => use(...args));
    last = next.catch(() => {}); // its caller hears of it
    return next;
  };
};

const TRY_MS = 500;

/**
 * Waits at most `waitMs` for the right to change the schema. It locks the name of a schema that is created and never
 * committed: that needs the right to create one, which readers lack, and works in an empty database.
 */
export const lockSchema = async (
  url: string,
  waitMs: number,
  { signal }: Stopping = {},
): Promise<WriterLock> => {
  const name = `tieout migrate pid ${process.pid}`;
  const statement = `set local lock_timeout = ${TRY_MS}; create schema tieout_migrating`;
  for (const waitedMs = stopwatch(); waitedMs() < waitMs; ) {
    signal?.throwIfAborted();
    try {
      return await hold(url, { name, statement });
    } catch (error) {
      if (codeOf(error) === MAY_NOT)
        throw new FailedError(
          `the role of DATABASE_URL may not create schemas (${(error as Error).message}): let the owner of the database grant it create, or write the owner's address to DATABASE_URL`,
        );
      if (codeOf(error) !== NOT_AVAILABLE) throw error;
    }
  }
  throw new FailedError('another process is still changing the schema: wait for it to finish, and run again');
};
