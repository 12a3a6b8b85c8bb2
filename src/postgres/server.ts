// The life cycle of the server process: initdb, start, attach, stop. Other files decide its folder and user.
import { spawn } from 'node:child_process';
import { mkdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FailedError } from '../base/errors.ts';
import { writeNew } from '../base/ownership.ts';
import { stopwatch } from '../base/time.ts';
import { childEnv, lastLines, runChild } from '../config/config.ts';
import type { Session } from '../database/client.ts';
import { codeOf, openSession, RefusedChallenge } from '../database/database.ts';
import { program } from './binaries.ts';
import { adviceOn } from './crash.ts';
import { logEnd, logSince, openLog, rotateLog } from './log-file.ts';
import type { Note, Place } from './place.ts';
import { findPostmaster, type Postmaster, readPostmaster } from './process.ts';
import { dropSocketFolder, type Listening, listenFor, SUPERUSER, serverUrl } from './socket.ts';
import { handOver } from './system-user.ts';

/** Settings of postgresql.conf by name, over ours: only tests turn fsync off. */
export type Settings = Record<string, string>;

const READY_MS = 30_000;

/** A server that reports that it is starting up replays its log after a crash, which may take long. */
const RECOVERY_MS = 600_000;
const STEP_MS = 40;
const SHM_BYTES_MIN = 256 * 1024 * 1024;
const ENV = { LC_ALL: 'C' };

const SETTINGS: Settings = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  autovacuum_naptime: '15s', // while a long night waits for the gateway, so that little is left for the end
  log_checkpoints: 'off',
  jit: 'off', // its warm-up costs more than our queries
};

/**
 * Creates the data folder under a temporary name until it is complete: a killed initdb leaves nothing that looks like
 * data.
 */
export const initialise = async (place: Place, note: Note, settings: Settings): Promise<void> => {
  const [half, passwordFile] = [join(place.folder, 'data.new'), join(place.folder, 'password')];
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { mode: 0o700 });
  await handOver(half, place.as);
  await rm(passwordFile, { force: true });
  await writeNew(passwordFile, `${note.password}\n`, place.as);
  const options = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', `--username=${SUPERUSER}`];
  const quick = settings.fsync === 'off' ? ['--no-sync'] : [];
  const args = [`--pgdata=${half}`, `--pwfile=${passwordFile}`, ...options, ...quick];
  const made = await runChild(program(place.binDir, 'initdb'), args, { ...place.as, cwd: half, env: ENV });
  await rm(passwordFile, { force: true });
  if (made.code !== 0) {
    const printed = lastLines(made.output);
    const advice = adviceOn(printed, place.folder);
    throw new FailedError(
      `the embedded database could not be created in ${place.folder}${advice ? `: ${advice}` : ''}\n${printed}`,
    );
  }
  await rename(half, place.dataDir);
};

/** A container's /dev/shm is often 64 MB, too small for parallel queries; then the server uses files instead. */
const sharedMemory = async (): Promise<Settings> => {
  const shm = process.platform === 'linux' ? await statfs('/dev/shm').catch(() => null) : null;
  if (process.platform !== 'linux' || (shm && shm.bsize * shm.blocks >= SHM_BYTES_MIN)) return {};
  return { dynamic_shared_memory_type: 'mmap' };
};

type Launched = { pid: number | undefined; ended(): boolean };

/** Starts the server detached, so that neither our exit nor a Ctrl-C at our terminal stops the database. */
const launch = async (place: Place, listening: Listening, settings: Settings): Promise<Launched> => {
  const all = { ...SETTINGS, ...(await sharedMemory()), ...settings, ...listening.settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = await openLog(place.logFile);
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
  return { pid: child.pid, ended: () => ended };
};

/** Another server may listen where we are about to connect, so only our own server's file decides where to connect. */
type ExpectedServer = { place: Place; pid: number | undefined; password: string };

const connect = async ({ password }: ExpectedServer, running: Postmaster): Promise<Session | null> => {
  try {
    return await openSession(serverUrl(running, password, 'postgres'), `tieout pid ${process.pid}`);
  } catch (error) {
    if (codeOf(error) === '28P01')
      throw new FailedError("the embedded server refuses server.json's password: restore that file");
    if (error instanceof RefusedChallenge) throw new FailedError(`the embedded server ${error.message}`);
    return null; // the server is starting or stopping: its file will show which
  }
};

type ConnectionAttempt = { session: Session; running: Postmaster };

/** Connects as soon as the server with this pid reports that it listens; null if it ends instead. */
const tryConnection = async (
  wanted: ExpectedServer,
  hasEnded: () => Promise<boolean> | boolean,
): Promise<ConnectionAttempt | null> => {
  const waitedMs = stopwatch();
  for (let waitMs = READY_MS; waitedMs() < waitMs; await sleep(STEP_MS)) {
    const running = readPostmaster(wanted.place.dataDir);
    const isWanted = running !== null && running.pid === wanted.pid;
    if (isWanted && !running.isReady) waitMs = RECOVERY_MS;
    const session = isWanted && running.isReady ? await connect(wanted, running) : null;
    if (session && running) return { session, running };
    if (await hasEnded()) return null;
  }
  return null;
};

/** Temporary faults: another process took the port after we checked it, or workers of a killed server are still ending. */
const PASSING =
  /Address already in use|could not create any (TCP\/IP|Unix-domain) sockets|pre-existing shared memory block/;
const ATTEMPTS_MAX = 6;

/** Starts the server and returns where it listens: if it needs a port, on the last one if that is free. */
export const start = async (place: Place, note: Note, settings: Settings): Promise<ConnectionAttempt> => {
  for (let attempt = 1; ; attempt += 1) {
    const listening = await listenFor(place, attempt === 1 ? note.port : null, attempt);
    const from = await logEnd(place.logFile);
    const { pid, ended } = await launch(place, listening, settings);
    const answered = await tryConnection({ place, pid, password: note.password }, ended);
    if (answered) return answered;
    await dropSocketFolder(place, listening.socketDir);
    const log = await logSince(place.logFile, from);
    if (attempt === ATTEMPTS_MAX || !PASSING.test(log)) {
      const advice = adviceOn(log, place.folder) ?? `see ${place.logFile}`;
      throw new FailedError(`the embedded server in ${place.folder} did not start: ${advice}\n${log}`);
    }
    await sleep(attempt * 200);
  }
};

/** Attaches to the server that an earlier process left running or still uses, and rotates its log; null if none runs. */
export const attach = async (place: Place, note: Note): Promise<ConnectionAttempt | null> => {
  const running = await findPostmaster(place.dataDir);
  if (!running) return null;
  const gone = async () => (await findPostmaster(place.dataDir))?.pid !== running.pid;
  const answered = await tryConnection({ place, pid: running.pid, password: note.password }, gone);
  if (answered) {
    await rotateLog(place.logFile);
    return answered;
  }
  if (await gone()) return null; // it was stopping
  throw new FailedError(
    `a server (pid ${running.pid}) has ${place.dataDir} open and does not answer: see ${place.logFile}`,
  );
};

/** Stops the server and waits for its end: connections are cut off, committed data stays. */
export const stop = async (place: Place): Promise<void> => {
  const socketDir = readPostmaster(place.dataDir)?.socketDir ?? null;
  const args = ['stop', '-D', place.dataDir, '-m', 'fast', '-w', '-t', '60', '-s'];
  const stopped = await runChild(program(place.binDir, 'pg_ctl'), args, {
    ...place.as,
    cwd: place.dataDir,
    env: ENV,
  });
  if (stopped.code === 0 || !(await findPostmaster(place.dataDir))) return dropSocketFolder(place, socketDir);
  throw new FailedError(`the embedded server in ${place.folder} did not stop: ${lastLines(stopped.output)}`);
};
