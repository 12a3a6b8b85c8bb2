// Which process has a data folder open, according to postmaster.pid and after checks of what it says.
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isAlive } from '../base/alive.ts';
import { FailedError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { runChild } from '../config/config.ts';

/** The running server of a data folder. It listens on a socket in `socketDir`, or on loopback if that is null. */
export type Postmaster = {
  pid: number;
  dataDir: string;
  port: number;
  socketDir: string | null;
  isReady: boolean;
};

const BYTES_MAX = 10_000;

/** The contents of postmaster.pid; null if there is none. Only the server's user can write in its folder. */
export const readPostmaster = (dataDir: string): Postmaster | null => {
  const read = readNamedFile(join(dataDir, 'postmaster.pid'), { bytesMax: BYTES_MAX, followsLinks: false });
  const [pid = '', folder = '', , port = '', socketDir = '', , , status = ''] =
    'bytes' in read ? read.bytes.toString('utf8').split('\n') : [];
  if (Number.isNaN(Number.parseInt(pid, 10))) return null;
  return {
    pid: Number.parseInt(pid, 10),
    dataDir: folder,
    port: Number.parseInt(port, 10),
    socketDir: socketDir === '' ? null : socketDir,
    isReady: status.trim() === 'ready',
  };
};

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/** The command line of a process: one string per argument from /proc, a single string from ps, null if neither has it. */
const commandOf = async (pid: number): Promise<string[] | null> => {
  if (process.platform === 'win32') return null;
  if (await exists('/proc/self/cmdline')) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line.split('\0'); // empty for a zombie process, to which nobody can attach
  }
  return [(await runChild('ps', ['-o', 'command=', '-p', String(pid)])).output];
};

/** Pids are reused: only a postgres process started on this folder can be the one that wrote the file. */
const isServerOf = async (pid: number, dataDir: string): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const command = await commandOf(pid);
  if (command === null) return true;
  if (command.length === 1)
    return /\bpostgres\b/.test(command[0] ?? '') && (command[0] ?? '').includes(dataDir);
  return basename(command[0] ?? '').startsWith('postgres') && command.includes(dataDir);
};

/**
 * The server that has this data folder open, or null. Removes the postmaster.pid of a dead server: Postgres removes it
 * too, unless its pid now belongs to another program of the same user.
 */
export const findPostmaster = async (dataDir: string): Promise<Postmaster | null> => {
  const found = readPostmaster(dataDir);
  if (found === null) return null;
  const isRunning = await isServerOf(found.pid, found.dataDir);
  if (isRunning && found.dataDir === dataDir) return found;
  if (isRunning && !(await exists(found.dataDir))) {
    throw new FailedError(
      `${found.dataDir} was moved to ${dataDir} while its server ran: end it (kill -INT ${found.pid}), and run again`,
    );
  }
  await rm(join(dataDir, 'postmaster.pid'), { force: true }); // left by a dead server, or copied with the folder of a running one
  return null;
};
