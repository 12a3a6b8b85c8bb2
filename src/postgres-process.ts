// Which process has a data folder open, as postmaster.pid tells it and as far as that can be believed.
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runChild } from './child.ts';
import { FailedError } from './errors.ts';
import { isAlive } from './postgres-lock.ts';

/** The running server of a data folder. */
export type Postmaster = { pid: number; port: number };

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

/** The command line of a process: argument by argument from /proc, one string from ps, null where neither knows. */
const commandOf = async (pid: number): Promise<string[] | null> => {
  if (process.platform === 'win32') return null;
  if (await exists('/proc/self/cmdline')) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line.split('\0'); // empty for a zombie, which nobody can attach to
  }
  return [(await runChild('ps', ['-o', 'command=', '-p', String(pid)])).said];
};

/** A pid is reused sooner or later: only a postgres that was started on this folder is the one that wrote the file. */
const isServerOf = async (pid: number, dataDir: string): Promise<boolean> => {
  if (!isAlive(pid)) return false;
  const command = await commandOf(pid);
  if (command === null) return true;
  if (command.length === 1)
    return /\bpostgres\b/.test(command[0] ?? '') && (command[0] ?? '').includes(dataDir);
  return basename(command[0] ?? '').startsWith('postgres') && command.includes(dataDir);
};

/**
 * The server that has this data folder open, or null. A postmaster.pid that a dead server left is removed: Postgres
 * itself removes it too, but not where its pid belongs to another program of the same user by now.
 */
export const findPostmaster = async (dataDir: string): Promise<Postmaster | null> => {
  const file = join(dataDir, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const [pid, folder, port] = [
    Number.parseInt(lines[0] ?? '', 10),
    lines[1] ?? '',
    Number.parseInt(lines[3] ?? '', 10),
  ];
  if (Number.isNaN(pid)) return null;
  const running = await isServerOf(pid, folder);
  if (running && folder === dataDir) return { pid, port };
  if (running && !(await exists(folder))) {
    throw new FailedError(
      `${folder} was moved to ${dataDir} while its server ran: end it (kill -INT ${pid}), and run again`,
    );
  }
  await rm(file, { force: true }); // of a dead server, or copied along with the folder of a living one
  return null;
};
