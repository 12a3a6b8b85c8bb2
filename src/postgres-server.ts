// The life of the server's process: initdb, start, attach, stop. Where it lives and as whom is decided elsewhere.
import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort from 'get-port';
import { lastLines, runChild } from './child.ts';
import { childEnv } from './config.ts';
import { codeOf, openSession, type Session } from './db.ts';
import { FailedError } from './errors.ts';
import { program } from './postgres-binaries.ts';
import type { Note, Place } from './postgres-place.ts';
import { findPostmaster } from './postgres-process.ts';
import { handOver } from './postgres-user.ts';
import { nowMs } from './time.ts';

export const SUPERUSER = 'tieout';
/** Settings of postgresql.conf by name, over ours: tests turn fsync off, nobody else should. */
export type Settings = Record<string, string>;

const READY_MS = 30_000;
/** A server that says it is starting up is replaying its log after a crash, which takes as long as it takes. */
const RECOVERY_MS = 600_000;
const STEP_MS = 40;
const LOG_BYTES_MAX = 10_000_000;
const SHM_BYTES_MIN = 256 * 1024 * 1024;
const ENV = { LC_ALL: 'C' };

const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  log_checkpoints: 'off',
  jit: 'off', // its warm-up costs more than our queries
};

/** The URL of a database of the server. */
export const serverUrl = (port: number, password: string, database: string): string =>
  `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

/** Makes the data folder, under another name until it is whole: a killed initdb leaves nothing that looks like data. */
export const initialise = async (place: Place, note: Note, settings: Settings): Promise<void> => {
  const [half, passwordFile] = [join(place.folder, 'data.new'), join(place.folder, 'password')];
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { mode: 0o700 });
  await handOver(half, place.as);
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${note.password}\n`, { mode: 0o600, flag: 'wx' });
  await handOver(passwordFile, place.as);
  const asked = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', `--username=${SUPERUSER}`];
  const quick = settings.fsync === 'off' ? ['--no-sync'] : [];
  const args = [`--pgdata=${half}`, `--pwfile=${passwordFile}`, ...asked, ...quick];
  const made = await runChild(program(place.binDir, 'initdb'), args, { ...place.as, cwd: half, env: ENV });
  await rm(passwordFile, { force: true });
  if (made.code !== 0)
    throw new FailedError(
      `the embedded database could not be made in ${place.folder}\n${lastLines(made.said)}`,
    );
  await rename(half, place.dataDir);
};

const logSize = async (file: string): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size;

/** What the server wrote since `from`, its last lines. */
const logSince = async (file: string, from: number): Promise<string> =>
  lastLines((await readFile(file).catch(() => Buffer.alloc(0))).subarray(from).toString('utf8'));

/** A container's /dev/shm is often 64 MB, in which a parallel query fails for lack of space; files do instead. */
const sharedMemory = async (): Promise<Settings> => {
  const shm = process.platform === 'linux' ? await statfs('/dev/shm').catch(() => null) : null;
  if (process.platform !== 'linux' || (shm && shm.bsize * shm.blocks >= SHM_BYTES_MIN)) return {};
  return { dynamic_shared_memory_type: 'mmap' };
};

type Launched = { ended(): boolean };

/** Starts the program on its own, so that neither our end nor a Ctrl-C at our terminal takes the database with it. */
const launch = async (place: Place, port: number, settings: Settings): Promise<Launched> => {
  const all = { ...SETTINGS, ...(await sharedMemory()), ...settings, port: String(port) };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await open(place.logFile, (await logSize(place.logFile)) > LOG_BYTES_MAX ? 'w' : 'a', 0o600);
  let ended = false;
  const stdio: ['ignore', number, number] = ['ignore', log.fd, log.fd];
  const options = {
    ...place.as,
    cwd: place.dataDir,
    env: childEnv(ENV),
    stdio,
    detached: true,
    windowsHide: true,
  };
  const child = spawn(program(place.binDir, 'postgres'), ['-D', place.dataDir, ...flags], options);
  child.on('error', () => {
    ended = true;
  });
  child.on('exit', () => {
    ended = true;
  });
  child.unref();
  await log.close();
  return { ended: () => ended };
};

/** Connects as soon as the server answers; null when it ended instead. */
const answer = async (url: string, hasEnded: () => Promise<boolean> | boolean): Promise<Session | null> => {
  const begun = nowMs();
  for (let waitMs = READY_MS; nowMs() < begun + waitMs; await sleep(STEP_MS)) {
    try {
      return await openSession(url, `tieout pid ${process.pid}`);
    } catch (error) {
      const code = codeOf(error);
      if (code === '28P01')
        throw new FailedError("the embedded server refuses server.json's password: restore that file");
      if (code === '57P03') waitMs = RECOVERY_MS;
      if (await hasEnded()) return null;
    }
  }
  return null;
};

/** What passes: somebody took the port between our look and the server's, or a killed server's workers still end. */
const PASSING =
  /Address already in use|could not create any TCP\/IP sockets|pre-existing shared memory block/;
const ATTEMPTS_MAX = 6;

/** Starts the server on the port of last time or, if that is taken, on a free one, and says which. */
export const start = async (place: Place, note: Note, settings: Settings) => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await getPort({
      host: '127.0.0.1',
      ...(note.port && attempt === 1 ? { port: note.port } : {}),
    });
    const from = await logSize(place.logFile).then((size) => (size > LOG_BYTES_MAX ? 0 : size));
    const { ended } = await launch(place, port, settings);
    const session = await answer(serverUrl(port, note.password, 'postgres'), ended);
    if (session) return { session, port };
    const said = await logSince(place.logFile, from);
    if (attempt === ATTEMPTS_MAX || !PASSING.test(said)) {
      throw new FailedError(
        `the embedded server in ${place.folder} did not start (${place.logFile}):\n${said}`,
      );
    }
    await sleep(attempt * 200);
  }
};

/** Attaches to the server that a process before us left or still uses; null when none runs. */
export const attach = async (
  place: Place,
  note: Note,
): Promise<{ session: Session; port: number } | null> => {
  const running = await findPostmaster(place.dataDir);
  if (!running) return null;
  const gone = async () => (await findPostmaster(place.dataDir))?.pid !== running.pid;
  const session = await answer(serverUrl(running.port, note.password, 'postgres'), gone);
  if (session) return { session, port: running.port };
  if (await gone()) return null; // it was on its way out
  throw new FailedError(
    `a server (pid ${running.pid}) has ${place.dataDir} open and does not answer: see ${place.logFile}`,
  );
};

/** Stops the server, and waits until it has: what is connected is cut off, what is committed is kept. */
export const stop = async (place: Place): Promise<void> => {
  const args = ['stop', '-D', place.dataDir, '-m', 'fast', '-w', '-t', '60', '-s'];
  const stopped = await runChild(program(place.binDir, 'pg_ctl'), args, {
    ...place.as,
    cwd: place.dataDir,
    env: ENV,
  });
  if (stopped.code === 0 || !(await findPostmaster(place.dataDir))) return;
  throw new FailedError(`the embedded server in ${place.folder} did not stop: ${lastLines(stopped.said)}`);
};
