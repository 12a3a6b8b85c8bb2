// Where the embedded server stores its data, and `server.json` beside it with password and folders. Only the home's path
// decides where: the file is read for its password, and its folders are never trusted.
import { randomBytes } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { diskRefusal } from '../base/disk-errors.ts';
import { FailedError, UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { readNamedFile } from '../base/named-file.ts';
import { makePrivateFolder, ownerAndMode, refuseShared, writeNew } from '../base/ownership.ts';
import { readPrivate, writePrivate } from '../base/private-file.ts';
import { findBinaries } from './binaries.ts';
import { NEEDS } from './start-lock.ts';
import { canUse, letThrough, type RunAs, runAs } from './system-user.ts';

/** The contents of `server.json`. The password is generated once and stored nowhere else. */
export type Note = { port: number | null; password: string; dataDir: string; binDir: string };

/**
 * The folders of one server: `own` is `TIEOUT_HOME/postgres`; `folder` holds the data, often the same; `away` is the
 * folder outside the home, if data or programs need one.
 */
export type Place = {
  own: string;
  folder: string;
  away: string | null;
  dataDir: string;
  logFile: string;
  binDir: string;
  major: number;
  as: RunAs;
};

const SYSTEM = '/var/lib/tieout';
/** The file in a folder outside the home that names the home it belongs to. */
const MARK = 'HOME';

/** The path of a home's `postgres` folder without links, and whether it exists. Creates nothing. */
export const ownFolder = (home: string): { path: string; isThere: boolean } => {
  refuseShared(home, 'TIEOUT_HOME');
  const status = lstatSync(join(home, 'postgres'), { throwIfNoEntry: false });
  if (!status) return { path: join(home, 'postgres'), isThere: false };
  if (!status.isDirectory())
    throw new UsageError(
      `TIEOUT_HOME cannot be ${home}: ${join(home, 'postgres')} (${ownerAndMode(status)}) is not a folder: move it away`,
    );
  refuseShared(join(home, 'postgres'), 'the database folder');
  return { path: join(realpathSync(home), 'postgres'), isThere: true };
};

/**
 * Creates that folder, and the home if needed, for our user only. If root creates them, the server's user may pass
 * through.
 */
export const makeOwnFolder = async (home: string): Promise<string> => {
  try {
    const found = ownFolder(home);
    const { path, made } = makePrivateFolder(home, 'TIEOUT_HOME');
    const own = join(path, 'postgres');
    for (const folder of made) await letThrough(folder, await runAs(join(own, 'data')));
    if (!found.isThere) makePrivateFolder(own, 'the database folder');
    return own;
  } catch (error) {
    if (error instanceof UsageError || error instanceof FailedError) throw error;
    throw notMade(home, error as NodeJS.ErrnoException);
  }
};

const notMade = (home: string, { code, path, message }: NodeJS.ErrnoException): FailedError => {
  const why = code === undefined ? message : `${diskRefusal(code)} (${code} at ${path ?? home})`;
  return new FailedError(
    `TIEOUT_HOME cannot be ${home}: ${why}; set TIEOUT_HOME to a folder that this user can write, and run again`,
  );
};

/** Reads `server.json`; null before the first start. */
export const readNote = (own: string): Note | null => {
  const file = join(own, 'server.json');
  try {
    return readPrivate(file) as Note | null;
  } catch (error) {
    const { message } = error as Error;
    throw new FailedError(`the password of the embedded server cannot be read: ${file} ${message}`);
  }
};

/** Writes `server.json` whole or not at all, readable only by its owner. */
export const writeNote = async (own: string, note: Note): Promise<void> => {
  const file = join(own, 'server.json');
  await writePrivate(file, note).catch((error: NodeJS.ErrnoException) => {
    const { code = '' } = error;
    throw new FailedError(`${file} cannot be written: ${diskRefusal(code)} (${code}); ${NEEDS}`, {
      cause: error,
    });
  });
};

/** The same, if it says something else: a server that runs can be entered on a full disk. */
export const renewNote = async (own: string, found: Note | null, note: Note): Promise<void> => {
  if (!isDeepStrictEqual(found, note)) await writeNote(own, note);
};

/** The first `server.json`, with a password of 192 random bits. */
export const newNote = (place: Place): Note => ({
  port: null,
  password: randomBytes(24).toString('base64url'),
  dataDir: place.dataDir,
  binDir: place.binDir,
});

/** The major version of a data folder; null if there is none. */
export const dataVersion = (dataDir: string): number | null => {
  const read = readNamedFile(join(dataDir, 'PG_VERSION'), { bytesMax: 100 });
  if ('bytes' in read) return Number.parseInt(read.bytes.toString('utf8'), 10);
  if (read.code === 'ENOENT' || read.code === 'ENOTDIR') return null;
  throw new FailedError(`the database in ${dataDir} cannot be opened: PG_VERSION ${read.refusal}`);
};

/** The folders outside a home where root may put its server, best first; their names derive from the home's. */
const awayFolders = (own: string): string[] => {
  const name = sha256(dirname(own)).slice(0, 16);
  return [join(SYSTEM, name), join(tmpdir(), 'tieout-data', name)];
};

/** Whether a folder outside the home is root's and has a mark that names this home. */
const isMarked = (away: string, own: string): boolean => {
  const read = readNamedFile(join(away, MARK), { bytesMax: 10_000, isSecret: true, followsLinks: false });
  return 'bytes' in read && read.bytes.toString('utf8').trim() === dirname(own);
};

/** The folder outside the home that belongs to this home by name and mark; null if there is none. */
export const markedAway = (own: string): string | null =>
  awayFolders(own).find((folder) => isMarked(folder, own)) ?? null;

/** Creates such a folder and marks it; false if the system does not allow it or another user's folder is in the way. */
const makeAway = async (away: string, own: string, as: RunAs): Promise<boolean> => {
  try {
    for (const folder of [dirname(away), away]) {
      makePrivateFolder(folder, 'the database folder');
      await letThrough(folder, as);
    }
    if (!isMarked(away, own)) await writeNew(join(away, MARK), `${dirname(own)}\n`);
    return await canUse(away, as);
  } catch {
    return false; // try the next one; if both fail, an error names them
  }
};

/** A folder that the server's user can enter, one per home, for homes that it cannot enter. */
const awayFolder = async (own: string, as: RunAs, warn: (text: string) => void): Promise<string> => {
  for (const folder of awayFolders(own)) {
    if (!(await makeAway(folder, own, as))) continue;
    if (dirname(folder) !== SYSTEM)
      warn(`the database is kept in ${folder}, which the system may empty: set DATABASE_URL or TIEOUT_HOME`);
    const where = join(own, 'WHERE');
    await rm(where, { force: true });
    await writeNew(
      where,
      `PostgreSQL refuses to run as root, and its user cannot enter this folder, or that of the programs: see ${folder}\n`,
    );
    return folder;
  }
  throw new FailedError(
    `the user of PostgreSQL (uid ${as.uid}) can use neither ${own} nor ${SYSTEM}: run tieout as another user than ` +
      'root, set TIEOUT_HOME to a folder that every user may enter, or set DATABASE_URL',
  );
};

/**
 * The folder that already contains the data; null before the first start. Throws a FailedError if `server.json` names
 * data elsewhere: then the home was moved or copied, or the data belongs to another home.
 */
export const knownFolder = (own: string, note: Note | null): string | null => {
  if (dataVersion(join(own, 'data')) !== null) return own;
  const away = markedAway(own);
  if (away !== null && dataVersion(join(away, 'data')) !== null) return away;
  if (note === null || dataVersion(note.dataDir) === null) return null;
  throw new FailedError(
    `${join(own, 'server.json')} names ${note.dataDir}, which does not belong to this home: move the home back to where ` +
      `it was made, or move that folder to ${join(own, 'data')}`,
  );
};

/** Decides where a home's server is and which user runs it. An existing place stays. */
export const findPlace = async (
  own: string,
  note: Note | null,
  warn: (text: string) => void,
): Promise<Place> => {
  const known = knownFolder(own, note);
  const as = await runAs(join(known ?? own, 'data'));
  if (!known) await letThrough(own, as);
  let away = markedAway(own);
  const elsewhere = async () => {
    away ??= await awayFolder(own, as, warn);
    return away;
  };
  const folder = known ?? ((await canUse(own, as)) ? own : await elsewhere());
  const binaries = await findBinaries(as, elsewhere);
  const files = { dataDir: join(folder, 'data'), logFile: join(folder, 'server.log') };
  return { own, folder, away, ...files, ...binaries, as };
};
