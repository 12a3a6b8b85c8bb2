// Leaving the embedded server: what is due is vacuumed, and the last one out stops it.
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../base/alive.ts';
import { stopwatch } from '../base/time.ts';
import type { Session } from '../database/client.ts';
import { isHeld } from './hold.ts';
import type { Place } from './place.ts';
import { stop } from './server.ts';
import { RefusedLock, withLock } from './start-lock.ts';
import { VACUUM, vacuumDue } from './vacuum.ts';

/** How often this process uses each server, by its folder. */
const uses = new Map<string, number>();

/** Begins a use of a server by this process; the returned function ends it. */
export const beginUse = ({ own }: Pick<Place, 'own'>): (() => void) => {
  const count = (change: number) => uses.set(own, (uses.get(own) ?? 0) + change);
  count(1);
  return () => void count(-1);
};

/**
 * A session is listed until the server has noticed its end, which takes seconds where the machine is busy; and one that was given up while it
 * began is listed without a name until then.
 */
const ENDING_MS = 10_000;
const STEP_MS = 20;

/** How many other sessions are connected, those aside whose process, such as this one, has ended them. */
export const others = async (session: Session, { own }: Pick<Place, 'own'>): Promise<number> => {
  const tookMs = stopwatch();
  for (;;) {
    const { all, passing } = await sessionsBeside(session);
    const isUsedHere = (uses.get(own) ?? 0) > 0;
    if (passing === 0 || isUsedHere || tookMs() > ENDING_MS) return all;
    await sleep(STEP_MS);
  }
};

/** The name of a session that is about to end: its process is still alive when the next one leaves. */
const LEAVING = 'tieout leaving';

/** `passing`: those that name this process or one that is gone, those that are about to end, and those of nobody yet. */
const sessionsBeside = async (session: Session): Promise<{ all: number; passing: number }> => {
  const { rows } = await session.query<{ owner: number | null; ending: boolean }>(
    `select substring(application_name from ' pid (\\d{1,9})(?:,|$)')::int4 as owner, usesysid is null or application_name = '${LEAVING}' as ending
     from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> $1`,
    [VACUUM], // the session of a vacuum may still be ending
  );
  const isGone = (pid: number | null) => pid !== null && (pid === process.pid || !isAlive(pid));
  return { all: rows.length, passing: rows.filter(({ owner, ending }) => ending || isGone(owner)).length };
};

/** Vacuums before the last one leaves, without the lock, so that nobody waits for it. A failure is only a warning. */
const vacuumLast = async (place: Place, session: Session, { url, warn }: Vacuumed): Promise<void> => {
  const left = await others(session, place).catch(() => null); // null: the server has already stopped
  if (left !== 0 || isHeld(place.own)) return;
  await vacuumDue(url).catch((error: Error) => warn(`the database was not vacuumed: ${error.message}`));
};

type Vacuumed = { readonly url: string; readonly warn: (text: string) => void };

/** Ends our session, and stops the server if no other session is connected. */
export const leave = async (place: Place, session: Session): Promise<void> => {
  const left = await others(session, place).catch(() => null); // null: the server has already stopped
  await session.query(`set application_name = '${LEAVING}'`).catch(() => {});
  await session.end().catch(() => {});
  if (left === 0 && !isHeld(place.own)) await stop(place);
};

/** Ends our use. A disk that refuses the lock refuses it to whoever would enter: then we leave without it, and throw the refusal. */
export const leaveLast = async (
  place: Place,
  session: Session,
  { lock, ...vacuumed }: Vacuumed & { readonly lock: string },
): Promise<void> => {
  await vacuumLast(place, session, vacuumed);
  try {
    await withLock(lock, () => leave(place, session));
  } catch (error) {
    if (error instanceof RefusedLock) await leave(place, session);
    throw error;
  } finally {
    await session.end(); // an open session would keep the process alive
  }
};
