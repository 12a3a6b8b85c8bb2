// The backup room: dumps of the books as one compressed file, their restore with proof, and the move to another server.
import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { diskAdvice, diskRefusal, isMisnamedFile, isUnwritten } from '../base/disk-errors.ts';
import { FailedError, UsageError } from '../base/errors.ts';
import { packedStreamOf } from '../base/named-file.ts';
import { nameWhole, pathBeside, sweepBeside } from '../base/path-beside.ts';
import type { Stopping } from '../database/connection.ts';
import { inSession, lockBooks } from '../database/database.ts';
import { type Dumped, writeDump } from './dump.ts';
import { damaged } from './dump-text.ts';
import { refuseBooks, restoreDump } from './restore.ts';

const NAME = `tieout dump pid ${process.pid}`;

/** Dumps a database into a new file that only its owner can read. A dump that fails leaves no file. */
export const dumpFile = async (url: string, path: string, stopping: Stopping): Promise<Dumped> => {
  if (existsSync(path)) throw exists(path);
  await sweepBeside(path);
  const partial = pathBeside(path, 'partial');
  const file = await open(partial, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw unopened(path, error);
  });
  const packed = createGzip();
  const written = new Promise<void>((done, fail) => {
    pipeline(packed, file.createWriteStream({ flush: true }), (error) => (error ? fail(error) : done()));
  });
  written.catch(() => {}); // the dump fails with the same error
  try {
    const dumped = await inSession(url, NAME, (session) => writeDump(session, url, packed), stopping);
    await written;
    await nameWhole(partial, path);
    return dumped;
  } catch (error) {
    packed.destroy();
    await rm(partial, { force: true });
    throw refusalOf(path, error);
  }
};

const exists = (path: string): UsageError => new UsageError(`${path} exists: name a new file`);

const unopened = (path: string, error: NodeJS.ErrnoException): Error => {
  const { code = '' } = error;
  if (!isMisnamedFile(code)) return unwritten(path, error);
  return new UsageError(`${path} cannot be written (${code}, ${diskRefusal(code)}): name another file`);
};

const unwritten = (path: string, error: NodeJS.ErrnoException): FailedError => {
  const { code = '' } = error;
  return new FailedError(
    `${path} cannot be written: ${diskRefusal(code)}; ${diskAdvice(code)}, or name another file`,
    { cause: error },
  );
};

/** An error of the disk in words; any other as it is. */
const refusalOf = (path: string, error: unknown): unknown => {
  const failure = error as NodeJS.ErrnoException;
  if (failure.code === 'EEXIST') return exists(path);
  return isUnwritten(failure) || isUnnamed(failure) ? unwritten(path, failure) : error;
};

/** Whether the finished file could not get its name: somebody has removed it, or its folder. */
const isUnnamed = ({ syscall = '' }: NodeJS.ErrnoException): boolean => ['link', 'rename'].includes(syscall);

/** Restores a dump into empty books, as their only writer. */
const restoreInto = (url: string, chunks: AsyncIterable<Buffer>, stopping: Stopping): Promise<Dumped> =>
  inSession(
    url,
    NAME,
    (session) => restoreDump(session, url, { chunks, lock: () => lockBooks(url, 'restore'), ...stopping }),
    stopping,
  );

/** Opens a file that `dumpFile` wrote, before a server is started for it. Throws a UsageError if it cannot be read, or is no packed file. */
export const openDump = async (path: string): Promise<Readable> => {
  const packed = await packedStreamOf(path);
  if (packed !== null) return packed;
  throw new UsageError(`${path} is no dump: name a file that npx tieout dump wrote`);
};

/** Restores such a file, and closes it. Throws a FailedError if it is damaged. */
export const restoreFile = async (url: string, file: Readable, stopping: Stopping): Promise<Dumped> => {
  const packed = createGunzip();
  packed.on('error', () => {}); // the reader of `unpacked` gets it; nobody reads while the database is being looked at
  const unpacked = pipeline(file, packed, () => {});
  try {
    return await restoreInto(url, unpacked, stopping);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? damaged('it cannot be unpacked') : error;
  } finally {
    file.destroy(); // a refusal before its first byte leaves it open
    packed.destroy();
  }
};

/**
 * Copies the books of a database into another, empty one; both have the same digests when it returns. Throws a UsageError
 * if the other one has books with rows; then nothing was read.
 */
export const moveBooks = async (from: string, to: string, stopping: Stopping): Promise<Dumped> => {
  const advice = 'move into an empty one';
  await inSession(to, NAME, (session) => refuseBooks(session, to, advice), stopping);
  const lock = await lockBooks(from, 'db move'); // nothing is written there meanwhile
  const pipe = new PassThrough();
  pipe.on('error', () => {}); // both sides get it, one of them maybe before it uses the pipe
  const stop = (error: Error): never => {
    pipe.destroy(error);
    throw error;
  };
  try {
    const dump = inSession(from, NAME, (session) => writeDump(session, from, pipe), stopping);
    const [dumped, restored] = await Promise.allSettled([
      dump.catch(stop),
      restoreInto(to, pipe, stopping).catch(stop),
    ]);
    if (restored.status === 'rejected') throw restored.reason;
    if (dumped.status === 'rejected') throw dumped.reason;
    requireSame(dumped.value, restored.value);
    return restored.value;
  } finally {
    await lock.release();
  }
};

const requireSame = (one: Dumped, other: Dumped): void => {
  for (const { table, sha256 } of one.tables)
    if (other.tables.find((copy) => copy.table === table)?.sha256 !== sha256)
      throw new FailedError(
        `${table} differs between the two databases: run npx tieout db move again, into an empty one`,
      );
};
