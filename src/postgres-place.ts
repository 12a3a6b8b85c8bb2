// Where the embedded server keeps its data, and the note beside it: port, password, folders.
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FailedError } from './errors.ts';
import { sha256 } from './json.ts';
import { findBinaries } from './postgres-binaries.ts';
import { canUse, type RunAs, runAs } from './postgres-user.ts';
import { readPrivate, writePrivate } from './private-file.ts';

/** What `server.json` says. The password is generated once and lives nowhere else. */
export type Note = { port: number | null; password: string; dataDir: string; binDir: string };

/**
 * Where everything of one server is: `own` is `TIEOUT_HOME/postgres`, `folder` holds the data, often the same, and
 * `away` is the folder outside the home where there had to be one for the data or the programs.
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

const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The folder `postgres` of a home, made if need be, its path without links: one home has one name. */
export const ownFolder = async (home: string): Promise<string> => {
  try {
    await mkdir(join(home, 'postgres'), { recursive: true });
    return await realpath(join(home, 'postgres'));
  } catch (error) {
    throw new FailedError(`TIEOUT_HOME cannot be used: ${(error as Error).message}`);
  }
};

/** Reads `server.json`; null before the first start. */
export const readNote = async (own: string): Promise<Note | null> => {
  const file = join(own, 'server.json');
  try {
    return (await readPrivate(file)) as Note | null;
  } catch (error) {
    throw new FailedError(
      `${file} cannot be read (${(error as Error).message}): it holds the server's password`,
    );
  }
};

/** Writes `server.json` whole or not at all, for its owner's eyes only. */
export const writeNote = (own: string, note: Note): Promise<void> =>
  writePrivate(join(own, 'server.json'), note);

/** A first note, with a password of 192 random bits. */
export const newNote = (place: Place): Note => ({
  port: null,
  password: randomBytes(24).toString('base64url'),
  dataDir: place.dataDir,
  binDir: place.binDir,
});

/** The major version of a data folder; null where there is none. */
export const dataVersion = async (dataDir: string): Promise<number | null> => {
  try {
    return Number.parseInt(await readFile(join(dataDir, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (missing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw new FailedError(`the database in ${dataDir} cannot be read: ${(error as Error).message}`);
  }
};

/** A folder of root's own: in a shared /tmp another user may have put a link or a folder there first. */
const safeFolder = async (path: string): Promise<boolean> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o711 });
    const found = await lstat(path);
    if (!found.isDirectory() || found.uid !== 0) return false;
    await chmod(path, 0o711); // whatever the umask: others pass through, and only that
    return true;
  } catch {
    return false;
  }
};

/** A folder outside every closed home, one for each `own`, that the server's user can enter. */
const awayFolder = async (own: string, as: RunAs, warn: (text: string) => void): Promise<string> => {
  const name = sha256(dirname(own)).slice(0, 16);
  for (const base of [SYSTEM, join(tmpdir(), 'tieout-data')]) {
    const folder = join(base, name);
    if (!(await safeFolder(base)) || !(await safeFolder(folder)) || !(await canUse(folder, as))) continue;
    if (base !== SYSTEM)
      warn(`the database is kept in ${folder}, which the system may empty: set DATABASE_URL or TIEOUT_HOME`);
    const text = `PostgreSQL refuses to run as root, and its user cannot enter this folder, or that of the programs: see ${folder}\n`;
    await writeFile(join(own, 'WHERE'), text);
    return folder;
  }
  throw new FailedError(
    `the user of PostgreSQL (uid ${as.uid}) can use neither ${own} nor ${SYSTEM}: run tieout as another user than ` +
      'root, set TIEOUT_HOME to a folder that every user may enter, or set DATABASE_URL',
  );
};

/** Where the data is already, wherever that was decided; null before the first start. */
const knownFolder = async (own: string, note: Note | null): Promise<string | null> => {
  if ((await dataVersion(join(own, 'data'))) !== null) return own;
  if (note && (await dataVersion(note.dataDir)) !== null) return dirname(note.dataDir);
  return null;
};

/** Decides where the server of a home is, and as whom it runs. What was decided once stays. */
export const findPlace = async (
  own: string,
  note: Note | null,
  warn: (text: string) => void,
): Promise<Place> => {
  const known = await knownFolder(own, note);
  const as = await runAs(join(known ?? own, 'data'));
  if (!known) await chmod(own, as.uid === undefined ? 0o700 : 0o711);
  let away: string | null = known && known !== own ? known : null;
  const elsewhere = async () => {
    away ??= await awayFolder(own, as, warn);
    return away;
  };
  const folder = known ?? ((await canUse(own, as)) ? own : await elsewhere());
  const binaries = await findBinaries(as, elsewhere);
  const files = { dataDir: join(folder, 'data'), logFile: join(folder, 'server.log') };
  return { own, folder, away, ...files, ...binaries, as };
};
