// The writer lock: one run at a time writes a set of books, and whoever comes second is told who came first.
import { codeOf, openSession, placeOf, type Session } from './db.ts';
import { FailedError } from './errors.ts';
import { isoOf, nowMs } from './time.ts';

/** Two halves of one key, fixed for ever: 'tieo', and 1 for the writer of the books. */
const KEY = { room: 0x7469656f, writer: 1, migration: 2 } as const;

/** The holder's name says since when: another role may read that, and not when its session began. */
const HOLDER = `
  select application_name as who
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and classid = $1 and objid = $2
    and pg_locks.database = (select oid from pg_database where datname = current_database())`;

const holderOf = async (session: Session): Promise<string> => {
  const { rows } = await session.query<{ who: string }>(HOLDER, [KEY.room, KEY.writer]);
  const holder = rows[0];
  if (!holder) return 'it has just ended';
  return holder.who || 'a session without a name';
};

const refuse = async (session: Session): Promise<never> => {
  const holder = await holderOf(session);
  throw new FailedError(
    `another run is at work on these books (${holder}): wait for it, or end it, and run again`,
  );
};

/**
 * Takes the writer lock of a database for a job (`what`: nightly, extract …), or throws a FailedError that names the
 * holder. Held by a session of its own, so that a killed process lets go at once.
 */
export const lockBooks = async (url: string, what: string): Promise<{ release(): Promise<void> }> => {
  const name = `tieout ${what} pid ${process.pid}, since ${isoOf(nowMs()).slice(0, 19)}Z`;
  const session = await openSession(url, name).catch((error: Error) => {
    throw new FailedError(
      `the database at ${placeOf(url)} cannot be reached: ${error.message || codeOf(error)}`,
    );
  });
  try {
    const { rows } = await session.query('select pg_try_advisory_lock($1, $2) as taken', [
      KEY.room,
      KEY.writer,
    ]);
    if (rows[0]?.taken !== true) await refuse(session);
    return { release: () => session.end() };
  } catch (error) {
    await session.end();
    throw error;
  }
};

/** Waits for the right to change the schema, at most `waitMs`. Held until the session ends. */
export const lockSchema = async (session: Session, waitMs: number): Promise<void> => {
  try {
    await session.query(`set lock_timeout = ${Math.trunc(waitMs)}`);
    await session.query('select pg_advisory_lock($1, $2)', [KEY.room, KEY.migration]);
  } catch (error) {
    if (codeOf(error) !== '55P03') throw error;
    throw new FailedError(
      'another process has been changing the schema for too long: wait for it, and run again',
    );
  }
};
