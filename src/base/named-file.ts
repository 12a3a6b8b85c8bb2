// Reads files that a person names or that their folder contains; no other code does. A name may lead to an endless pipe,
// a device, or more than memory holds, so only plain files of limited size are read.
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type ReadStream,
  readSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { FailedError, UsageError } from './errors.ts';
import { hasModes, isOurs, ownerAndMode, weAreRoot } from './ownership.ts';
import { shellWord } from './shell-word.ts';

type Limits = {
  readonly bytesMax: number;
  /** The file holds a password: no other user may be able to read or replace it. */
  readonly isSecret?: boolean;
  /** False if the name must be the file itself and not a link. Default true. */
  readonly followsLinks?: boolean;
};

/** Why a file is not read, worded to follow its name in a sentence, with the system's error code if there is one. */
type Refused = { readonly refusal: string; readonly code: string };

// Without O_NONBLOCK, opening a pipe blocks until it has a writer.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const flagsOf = ({ followsLinks = true }: Limits): number =>
  followsLinks ? FLAGS : FLAGS | (constants.O_NOFOLLOW ?? 0);

const KINDS = [
  ['isDirectory', 'a folder'],
  ['isFIFO', 'a pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
] as const;

const sizeText = (bytes: number): string =>
  bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${Math.floor(bytes / 1_000)} kB`;

const ANYBODY_ELSE = 0o077;
const ROOTS_GROUP = 0o037;

/** Root may share a secret with a group that we belong to, as service managers do. */
const isReadByOthers = (status: Stats): boolean =>
  (status.mode & (status.uid === 0 && !weAreRoot() ? ROOTS_GROUP : ANYBODY_ELSE)) !== 0;

const refusalOf = (status: Stats, path: string, { bytesMax, isSecret = false }: Limits): string | null => {
  if (!status.isFile()) {
    const kind = KINDS.find(([is]) => status[is]())?.[1] ?? 'no file';
    return `is ${kind}, not a plain file: write it to a file first`;
  }
  if (isSecret && hasModes && !isOurs(status))
    return `belongs to another user (${ownerAndMode(status)}), who can change it: type: chown ${process.getuid?.()} ${shellWord(path)}`;
  if (isSecret && hasModes && isReadByOthers(status))
    return `can be read by others (${ownerAndMode(status)}): type: chmod 600 ${shellWord(path)}`;
  if (status.size > bytesMax) return `is larger than ${sizeText(bytesMax)}: split it, or name another file`;
  return null;
};

const refused = (error: NodeJS.ErrnoException, path: string): Refused => {
  const code = error.code ?? '';
  if (code === 'ENOENT' && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    return { refusal: 'is a link that leads nowhere: correct it, or remove it', code: '' }; // somebody meant it to be read
  if (code === 'ELOOP' || code === 'EMLINK')
    return { refusal: 'is a link, not a plain file: use the file itself', code };
  return { refusal: `cannot be read (${code}): check its path`, code };
};

/** Reads at most `bytesMax` + 1 bytes, so that a file that grows while it is read is refused too. */
const readBounded = (file: number, bytesMax: number): Buffer => {
  const chunks: Buffer[] = [];
  for (let left = bytesMax + 1; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(left, 1 << 16));
    const count = readSync(file, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    left -= count;
  }
  return Buffer.concat(chunks);
};

/** The bytes of a file, or the reason why it is not read. */
export const readNamedFile = (path: string, limits: Limits): { readonly bytes: Buffer } | Refused => {
  let file: number | null = null;
  try {
    file = openSync(path, flagsOf(limits));
    const fault = refusalOf(fstatSync(file), path, limits);
    if (fault !== null) return { refusal: fault, code: '' };
    const bytes = readBounded(file, limits.bytesMax);
    return bytes.length > limits.bytesMax
      ? { refusal: `is larger than ${sizeText(limits.bytesMax)}: split it, or name another file`, code: '' }
      : { bytes };
  } catch (error) {
    return refused(error as NodeJS.ErrnoException, path);
  } finally {
    if (file !== null) closeSync(file);
  }
};

/** Opens a file for reading in pieces, or returns the reason why not. The caller closes it. */
const openNamedFile = async (path: string, limits: Limits): Promise<FileHandle | Refused> => {
  try {
    const file = await open(path, flagsOf(limits));
    const fault = refusalOf(await file.stat(), path, limits);
    if (fault === null) return file;
    await file.close();
    return { refusal: fault, code: '' };
  } catch (error) {
    return refused(error as NodeJS.ErrnoException, path);
  }
};

/** Larger than any report, smaller than the apparent size of a sparse file. */
const STREAM_BYTES_MAX = 100_000_000_000;

/** Opens a plain file from a folder of reports; the caller closes it. Throws a UsageError if it is a link or not a plain file. */
export const openReport = async (path: string): Promise<FileHandle> => {
  const file = await openNamedFile(path, { bytesMax: STREAM_BYTES_MAX, followsLinks: false });
  if ('refusal' in file) throw new UsageError(`${path} ${file.refusal}`);
  return file;
};

type StreamOptions = { readonly encoding?: 'utf8'; readonly highWaterMark?: number; readonly start?: number };

/** Streams an open file. An error of its disk names the file, which the system's own does not. */
const streamed = (file: FileHandle, path: string, options: StreamOptions = {}): ReadStream => {
  const stream = file.createReadStream(options);
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error?: NodeJS.ErrnoException) =>
    destroy(error?.syscall === 'read' ? unread(path, error) : error);
  return stream;
};

const unread = (path: string, cause: NodeJS.ErrnoException): FailedError =>
  new FailedError(
    `${path} cannot be read to its end (${cause.code}): check its disk, and run the command again`,
    {
      cause,
    },
  );

/** Streams such a file. Reading it throws a FailedError if its disk does not give it. */
export const streamOf = async (path: string, options?: StreamOptions): Promise<ReadStream> =>
  streamed(await openReport(path), path, options);

/** The lines of such a file. A reader that ends early closes it. */
export async function* linesIn(
  path: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): AsyncGenerator<string, undefined> {
  const input = (await streamOf(path)).setEncoding(encoding);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } finally {
    input.destroy();
  }
}

/** The first two bytes of every file that gzip packed. */
const GZIP = 0x1f8b;

/** Streams such a file that gzip packed; null if it did not. */
export const packedStreamOf = async (path: string): Promise<ReadStream | null> => {
  const file = await openReport(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0).catch(async (error) => {
    await file.close();
    throw unread(path, error);
  });
  if (bytesRead === 2 && buffer.readUInt16BE() === GZIP) return streamed(file, path, { start: 0 });
  await file.close();
  return null;
};

/** The SHA-256 of such a file, in hex. */
export const fileDigest = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of await streamOf(path)) hash.update(bytes);
  return hash.digest('hex');
};
