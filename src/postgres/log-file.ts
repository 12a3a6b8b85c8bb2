// The server's log: rotated when it is full, at the start of the server and while it runs.
import { closeSync, constants, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { lastLines } from '../config/config.ts';

const BYTES_MAX = 10_000_000;
const TAIL_BYTES = 100_000;
const NO_LINK = constants.O_NOFOLLOW ?? 0;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_LINK;

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
 * Moves the lines of a full log to `.1` while the server has it open for appending. Without a pause, so that the server
 * can hardly write between the last line that is copied and the cut; it goes on at the new end.
 */
export const rotateLog = async (file: string): Promise<void> => {
  if ((await sizeOf(file)) <= BYTES_MAX) return;
  const [log, copy] = [openSync(file, constants.O_RDWR | NO_LINK), openSync(`${file}.new`, NEW_FILE, 0o600)];
  try {
    const chunk = Buffer.alloc(BYTES_MAX);
    for (let bytes = readSync(log, chunk); bytes > 0; bytes = readSync(log, chunk))
      writeFileSync(copy, chunk.subarray(0, bytes));
    ftruncateSync(log);
  } finally {
    closeSync(log);
    closeSync(copy);
  }
  await rename(`${file}.new`, `${file}.1`);
};

/** The last lines since a size of the log, a hundred kilobytes at most. */
export const logSince = async (file: string, from: number): Promise<string> => {
  const log = await open(file, constants.O_RDONLY | NO_LINK).catch(() => null);
  if (log === null) return '';
  try {
    const begin = Math.max(from, (await log.stat()).size - TAIL_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, begin);
    return lastLines(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await log.close();
  }
};
