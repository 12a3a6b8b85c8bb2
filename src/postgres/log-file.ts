// The server's log: rotated when it is full, at the start of the server and while it runs.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { nowMs } from '../base/time.ts';
import { lastLines } from '../config/config.ts';
import { codeOf } from '../database/database.ts';

const BYTES_MAX = 10_000_000;
const TAIL_BYTES = 100_000;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** So old is a copy that a process left when it was killed. */
const COPY_MS = 60_000;

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size;

/** Where the lines of the next start will begin. */
export const logEnd = async (file: string): Promise<number> => {
  const size = await sizeOf(file);
  return size > BYTES_MAX ? 0 : size;
};

/** Opens the log for writing, in a folder that only we can change, and never through a link. A full one becomes `.1`. */
export const openLog = async (file: string): Promise<FileHandle> => {
  if ((await sizeOf(file)) > BYTES_MAX) await rename(file, `${file}.1`);
  return open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_LINK, 0o600);
};

/**
 * Moves the lines of a full log to `.1` while the server has it open for appending. One process at a time: two would cut off each other's
 * copy, so whoever finds another at it leaves it alone.
 */
export const rotateLog = async (file: string): Promise<void> => {
  if ((await sizeOf(file)) <= BYTES_MAX) return;
  const copy = `${file}.new`;
  try {
    await (moveLines(file, copy) ? rename(copy, `${file}.1`) : rm(copy));
  } catch (error) {
    const isOthers = codeOf(error) === 'EEXIST' && nowMs() - (await changedMs(copy)) < COPY_MS;
    if (!isOthers) await rm(copy, { force: true });
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};

/** A copy that is gone by now was renamed just now. */
const changedMs = (file: string): Promise<number> => stat(file).then(({ mtimeMs }) => mtimeMs, nowMs);

/**
 * Copies the lines of a log and cuts it. Without a pause, so that the server can hardly write between the last line that is copied and the
 * cut; it goes on at the new end. False if another process has just done so.
 */
const moveLines = (file: string, to: string): boolean => {
  const log = openSync(file, constants.O_RDWR | NO_LINK);
  try {
    const copy = openSync(to, NEW_FILE, 0o600);
    try {
      return fstatSync(log).size > BYTES_MAX && cutInto(log, copy);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(log);
  }
};

const cutInto = (log: number, copy: number): true => {
  const chunk = Buffer.alloc(BYTES_MAX);
  for (let bytes = readSync(log, chunk); bytes > 0; bytes = readSync(log, chunk))
    writeFileSync(copy, chunk.subarray(0, bytes));
  ftruncateSync(log);
  return true;
};

/** The last lines since a size of the log. */
export const logSince = async (file: string, from: number): Promise<string> =>
  lastLines(await tailSince(file, from));

/** The text since a size of the log, a hundred kilobytes at most. */
export const tailSince = async (file: string, from: number): Promise<string> => {
  const log = await open(file, constants.O_RDONLY | NO_LINK).catch(() => null);
  if (log === null) return '';
  try {
    const begin = Math.max(from, (await log.stat()).size - TAIL_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, begin);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await log.close();
  }
};
