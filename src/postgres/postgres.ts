// The embedded Postgres of a TIEOUT_HOME: the first process that needs it starts it, all share it, and the last one stops
// it.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../base/counted.ts';
import { FailedError, UsageError } from '../base/errors.ts';
import { refuseShared } from '../base/ownership.ts';
import type { Session } from '../database/client.ts';
import type { Stopping } from '../database/connection.ts';
import { requirePrograms } from './binaries.ts';
import { withCrash } from './crash.ts';
import { dropHold, holdOpen, isHeld } from './hold.ts';
import { beginUse, leave, leaveLast, others } from './leave.ts';
import { logEnd } from './log-file.ts';
import {
  dataVersion,
  findPlace,
  knownFolder,
  makeOwnFolder,
  markedAway,
  type Note,
  newNote,
  ownFolder,
  type Place,
  readNote,
  renewNote,
  writeNote,
} from './place.ts';
import { attach, initialise, type Settings, start, stop } from './server.ts';
import { SUPERUSER, serverUrl } from './socket.ts';
import { withLock } from './start-lock.ts';

export { requirePrograms } from './binaries.ts';

/**
 * A server in use: the URL of its database; what an error says, with the server's own reason if it has ended since; and the
 * function that ends our use. Close every pool before `release`.
 */
export type Server = { url: string; explained(error: unknown): Promise<unknown>; release(): Promise<void> };

type ServerOptions = Stopping & {
  /** Server settings that override ours, if this call starts the server. */
  settings?: Settings;
  /** Receives warnings that the operator should know but that stop nothing. Default: standard error. */
  warn?(text: string): void;
};

/** The name of the database and of the role that owns it. */
const DATABASE = SUPERUSER;

const toStderr = (text: string): void => {
  process.stderr.write(`tieout: ${text}\n`);
};

const checkVersion = (place: Place, version: number): void => {
  if (version === place.major) return;
  throw new FailedError(
    `the database in ${place.dataDir} was made by PostgreSQL ${version} and this tieout brings ${place.major}: dump it ` +
      `with the tieout that made it (npx tieout dump FILE), move the folder away, and run npx tieout restore FILE with this one`,
  );
};

const checkNote = (place: Place, note: Note | null): Note => {
  if (note) return note;
  throw new FailedError(
    `${join(place.own, 'server.json')} is missing, and with it the password of ${place.dataDir}: restore it, or ` +
      'remove that folder to begin with an empty database',
  );
};

/** Throws if something stands where the data would go that is neither a database nor an empty folder: it is not ours. */
const refuseFilled = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return ['a file'];
    throw error;
  });
  if (names.length === 0) return;
  throw new UsageError(
    `${dataDir} is no database, and tieout did not create what it contains (${names.sort().slice(0, 3).join(', ')}): ` +
      'move it away, or restore its PG_VERSION, and run again',
  );
};

/** The `server.json` of a place, with its data folder initialised if necessary. */
const prepare = async (place: Place, found: Note | null, settings: Settings): Promise<Note> => {
  const version = dataVersion(place.dataDir);
  if (version !== null) {
    checkVersion(place, version);
    return checkNote(place, found);
  }
  await refuseFilled(place.dataDir);
  const note = { ...(found ?? newNote(place)), dataDir: place.dataDir, binDir: place.binDir };
  await writeNote(place.own, note); // written before the data, because without its password the data cannot be opened
  await initialise(place, note, settings);
  return note;
};

const ensureDatabase = async (session: Session): Promise<void> => {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount !== 0) return;
  await session.query(`create database ${DATABASE}`);
  await session.query('revoke connect on database postgres, template1 from public'); // nobody reads the books there
};

const enter = async (own: string, options: ServerOptions) => {
  const { settings = {}, warn = toStderr } = options;
  const found = readNote(own);
  const place = await findPlace(own, found, warn);
  const note = await prepare(place, found, settings);
  const { session, running } = (await attach(place, note)) ?? (await start(place, note, settings));
  try {
    await ensureDatabase(session);
    const { dataDir, binDir } = place;
    await renewNote(own, found, { port: running.port, password: note.password, dataDir, binDir });
  } catch (error) {
    await leave(place, session); // an open session would keep the process alive
    throw error;
  }
  return { place, session, url: serverUrl(running, note.password, DATABASE) };
};

/** Whether a home has an embedded database, running or not. Creates nothing. */
export const hasServer = (home: string): boolean => {
  const { path: own, isThere } = ownFolder(home);
  return isThere && knownFolder(own, readNote(own)) !== null;
};

/**
 * Opens the embedded server of a home: attaches to a running one, or creates its data folder and starts it. An idle
 * session stays open until `release`, so that other processes see us; the last to leave stops the server. Throws
 * FailedError with the reason and the last lines of the server's log.
 */
export const openServer = async (home: string, options: ServerOptions = {}): Promise<Server> => {
  await requirePrograms(); // before a folder is made for them
  const own = await makeOwnFolder(home);
  const lock = join(own, 'lock');
  const { place, session, url } = await withLock(lock, () => enter(own, options), options);
  const from = await logEnd(place.logFile);
  const endUse = beginUse(place);
  let released: Promise<void> | null = null;
  const end = () => {
    endUse();
    return leaveLast(place, session, { lock, url, warn: options.warn ?? toStderr });
  };
  const release = () => {
    released ??= end();
    return released;
  };
  return { url, explained: (error) => withCrash(place, error, from), release };
};

/** Starts the embedded server of a home, and keeps it running after the last process that uses it, until `stopServer`. */
export const startServer = async (home: string, options: ServerOptions = {}): Promise<void> => {
  const server = await openServer(home, options);
  const { path: own } = ownFolder(home);
  await withLock(join(own, 'lock'), () => holdOpen(own), options);
  await server.release();
};

/** Whether `startServer` keeps the server of a home running. */
export const isServerHeld = (home: string): boolean => {
  const { path: own, isThere } = ownFolder(home);
  return isThere && isHeld(own);
};

/** Stops the server that `startServer` started; false if none runs. Throws FailedError while other sessions use it. */
export const stopServer = async (home: string): Promise<boolean> => {
  const { path: own, isThere } = ownFolder(home);
  if (!isThere) return false;
  return withLock(join(own, 'lock'), async () => {
    const note = readNote(own);
    if (note === null || knownFolder(own, note) === null) return false;
    const place = await findPlace(own, note, () => {});
    const running = await attach(place, note);
    const sessions = running === null ? 0 : await others(running.session, place);
    await running?.session.end();
    if (sessions > 0)
      throw new FailedError(
        `${counted(sessions, 'other session')} at ${place.folder}: close what is connected, and run npx tieout db stop again`,
      );
    await dropHold(own);
    if (running !== null) await stop(place);
    return running !== null;
  });
};

/** The files that tieout puts into a server's folder, also while it works. Other files there are not ours. */
const OURS =
  /^(server\.json(\.new)?|held|server\.log(\.1)?|data(\.new)?|password|socket|lock(\.[0-9a-f-]{36})?|WHERE|HOME|copying|postgres-[\w.+-]+|\.probe)$/;

/** Throws if a folder contains files that are not ours, or data without its `server.json`. */
const refuseForeign = async (own: string, note: Note | null): Promise<void> => {
  const names = await readdir(own);
  const foreign = names.filter((name) => !OURS.test(name)).sort();
  if (note === null && names.includes('data')) foreign.push('data, without server.json');
  if (foreign.length === 0) return;
  throw new UsageError(
    `${own} contains files that tieout did not create (${foreign.slice(0, 3).join(', ')}): move that away, and run again`,
  );
};

const removeIdle = async (own: string): Promise<void> => {
  const note = readNote(own);
  await refuseForeign(own, note);
  if (knownFolder(own, note) !== null) {
    const place = await findPlace(own, note, () => {});
    const running = note && (await attach(place, note));
    const isUsed = running && (await others(running.session, place)) > 0;
    await running?.session.end();
    if (isUsed)
      throw new FailedError(`the database in ${place.folder} is in use by another process: end it first`);
    if (running) await stop(place);
  }
  const away = markedAway(own);
  if (away !== null) {
    await refuseForeign(away, note);
    await rm(away, { recursive: true, force: true });
  }
};

/**
 * Removes a home's embedded server and all its data, wherever it is. Refused while others use it, and if a folder is not
 * ours: the paths in `server.json` prove nothing; the home's own path and our mark do.
 */
export const removeServer = async (home: string): Promise<void> => {
  const { path: own, isThere } = ownFolder(home);
  if (!isThere) return;
  await withLock(join(own, 'lock'), () => removeIdle(own));
  await rm(own, { recursive: true, force: true });
};

const HOME = /^(postgres|exports|(exports|roles)\.json(\.new)?|roles\.lock(\.[0-9a-f-]{36})?)$/;

/** Removes a home with its server, exports and passwords, if the home is ours and contains nothing else. */
export const removeHome = async (home: string): Promise<void> => {
  refuseShared(home, 'TIEOUT_HOME');
  const names = await readdir(home).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (names === null) return;
  const foreign = names.filter((name) => !HOME.test(name)).sort();
  if (foreign.length > 0)
    throw new UsageError(
      `${home} contains files that tieout did not create (${foreign.slice(0, 3).join(', ')}): move that away, and run again`,
    );
  await removeServer(home);
  await rm(home, { recursive: true, force: true });
};
