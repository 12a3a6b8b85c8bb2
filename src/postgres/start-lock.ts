// A lock file between processes: only one at a time starts or stops the embedded server.
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../base/alive.ts';
import { diskRefusal } from '../base/disk-errors.ts';
import { FailedError } from '../base/errors.ts';
import { nowMs, stopwatch } from '../base/time.ts';

const WAIT_MS = 120_000;
const STEP_MS = 25;
/** Longer than a first start takes: if the lock is older, its pid now belongs to another program. */
const STALE_MS = 600_000;
/** The holder died between creating the file and writing its pid. */
const EMPTY_MS = 5_000;

/** The disk refuses the lock's file, as a full one does: nobody takes the lock meanwhile. */
export class RefusedLock extends FailedError {}

/** What to do about a file of the embedded server that cannot be written. */
export const NEEDS = 'the embedded server needs a TIEOUT_HOME with free space in which this user can write';

const create = async (file: string, text: string): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
  } catch (error) {
    await rm(file, { force: true }); // made, but empty: the next one would wait for it
    throw error;
  } finally {
    await handle.close();
  }
};

const take = async (file: string, mine: string): Promise<boolean> => {
  try {
    await create(file, mine);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new RefusedLock(`${file} cannot be written: ${diskRefusal(code)} (${code}); ${NEEDS}`, {
      cause: error,
    });
  }
};

const abandoned = async (file: string): Promise<string | null> => {
  try {
    const [text, { mtimeMs }] = [await readFile(file, 'utf8'), await stat(file)];
    const age = nowMs() - mtimeMs;
    if (age > STALE_MS || (text === '' && age > EMPTY_MS)) return text;
    return text !== '' && !isAlive(Number.parseInt(text, 10)) ? text : null;
  } catch {
    return null; // removed meanwhile: the next attempt takes the lock
  }
};

/**
 * Removes a dead holder's file. It renames the file first and checks it afterwards: another process may have done the
 * same and taken the lock between our check and our removal; then its file is put back.
 */
const clear = async (file: string, seen: string): Promise<void> => {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  const text = await readFile(aside, 'utf8');
  if (text === seen) await rm(aside, { force: true });
  else await rename(aside, file);
};

const acquire = async (file: string, signal: AbortSignal | undefined): Promise<string> => {
  const mine = `${process.pid} ${randomUUID()}\n`;
  for (const waitedMs = stopwatch(); waitedMs() < WAIT_MS; await sleep(STEP_MS)) {
    signal?.throwIfAborted();
    if (await take(file, mine)) return mine;
    const seen = await abandoned(file);
    if (seen !== null) await clear(file, seen);
  }
  const holder = (await readFile(file, 'utf8').catch(() => '')).split(' ')[0] || 'unknown';
  throw new FailedError(
    `${file} is held by process ${holder}: wait for it, or remove the file if it is not tieout`,
  );
};

/**
 * Runs `work` while holding the lock file; the lock of a dead process is taken over. Waits until a signal, at most two
 * minutes.
 */
export const withLock = async <T>(
  file: string,
  work: () => Promise<T>,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> => {
  const mine = await acquire(file, signal);
  try {
    return await work();
  } finally {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text === mine) await rm(file, { force: true });
  }
};
