// The embedded Postgres of a TIEOUT_HOME: started by the first process that needs it, shared by all, stopped by the last.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from './db.ts';
import { FailedError } from './errors.ts';
import { withLock } from './postgres-lock.ts';
import {
  dataVersion,
  findPlace,
  type Note,
  newNote,
  ownFolder,
  type Place,
  readNote,
  writeNote,
} from './postgres-place.ts';
import { attach, initialise, type Settings, SUPERUSER, serverUrl, start, stop } from './postgres-server.ts';

/** A server in use: the URL of its database, and the end of our use of it. Close every pool before `release`. */
export type Server = { url: string; release(): Promise<void> };

export type ServerOptions = {
  /** Over our settings of the server, where this call is the one that starts it. */
  settings?: Settings;
  /** Takes what an operator should know and nothing can be done about. Default: standard error. */
  warn?(text: string): void;
};

/** The name of the database, and of the role that owns it. */
const DATABASE = SUPERUSER;

const toStderr = (text: string): void => {
  process.stderr.write(`tieout: ${text}\n`);
};

const checkVersion = (place: Place, version: number): void => {
  if (version === place.major) return;
  throw new FailedError(
    `the database in ${place.dataDir} was made by PostgreSQL ${version} and this tieout brings ${place.major}: dump it ` +
      `with pg_dump and the tieout that made it, move the folder away, and load the dump with this one`,
  );
};

const checkNote = (place: Place, note: Note | null): Note => {
  if (note) return note;
  throw new FailedError(
    `${join(place.own, 'server.json')} is missing, and with it the password of ${place.dataDir}: restore it, or ` +
      'remove that folder to begin with an empty database',
  );
};

/** The note of a server whose data folder is there, whatever had to be made for that. */
const prepare = async (place: Place, found: Note | null, settings: Settings): Promise<Note> => {
  const version = await dataVersion(place.dataDir);
  if (version !== null) {
    checkVersion(place, version);
    return checkNote(place, found);
  }
  const note = { ...(found ?? newNote(place)), dataDir: place.dataDir, binDir: place.binDir };
  await writeNote(place.own, note); // before the data is there: a password that is lost opens nothing
  await initialise(place, note, settings);
  return note;
};

const ensureDatabase = async (session: Session): Promise<void> => {
  const { rowCount } = await session.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await session.query(`create database ${DATABASE}`);
};

const others = async (session: Session): Promise<number> => {
  const { rows } = await session.query<{ others: number }>(
    `select count(*)::int4 as others from pg_stat_activity
     where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.others ?? 0;
};

/** Ends our session, and the server with it if nobody else is connected. */
const leave = async (place: Place, session: Session): Promise<void> => {
  const left = await others(session).catch(() => null); // null: the server is gone already
  await session.end().catch(() => {});
  if (left === 0) await stop(place);
};

const enter = async (own: string, options: ServerOptions) => {
  const { settings = {}, warn = toStderr } = options;
  const found = await readNote(own);
  const place = await findPlace(own, found, warn);
  const note = await prepare(place, found, settings);
  const { session, port } = (await attach(place, note)) ?? (await start(place, note, settings));
  await ensureDatabase(session);
  await writeNote(own, { port, password: note.password, dataDir: place.dataDir, binDir: place.binDir });
  return { place, session, url: serverUrl(port, note.password, DATABASE) };
};

/**
 * Opens the embedded server of a home: attaches to the one that runs, or makes its data folder and starts it. An idle
 * session is kept open until `release`, so that other processes count us; the last to leave stops the server. Throws
 * FailedError with the reason and the last lines of the server's log.
 */
export const openServer = async (home: string, options: ServerOptions = {}): Promise<Server> => {
  const own = await ownFolder(home);
  const lock = join(own, 'lock');
  const { place, session, url } = await withLock(lock, () => enter(own, options));
  let released: Promise<void> | null = null;
  const release = () => {
    released ??= withLock(lock, () => leave(place, session));
    return released;
  };
  return { url, release };
};

const removeIdle = async (own: string): Promise<void> => {
  const note = await readNote(own);
  const place = await findPlace(own, note, () => {});
  const running = note && (await attach(place, note));
  if (running && (await others(running.session)) > 0) {
    await running.session.end();
    throw new FailedError(`the database in ${place.folder} is in use by another process: end it first`);
  }
  await running?.session.end();
  if (running) await stop(place);
  if (place.away) await rm(place.away, { recursive: true, force: true });
};

/** Removes the embedded server of a home with everything in it, wherever it is kept. Refused while others use it. */
export const removeServer = async (home: string): Promise<void> => {
  const own = await ownFolder(home);
  await withLock(join(own, 'lock'), () => removeIdle(own));
  await rm(own, { recursive: true, force: true });
};
