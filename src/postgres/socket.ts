// Where the embedded server listens: on a Unix socket in a folder that only its own user can enter, so that no other user
// can reach or replace it. Windows uses a loopback port instead.
import { lstat, mkdir, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import getPort from 'get-port';
import { FailedError } from '../base/errors.ts';
import { ownerAndMode, refuseShared } from '../base/ownership.ts';
import type { Place } from './place.ts';
import type { Postmaster } from './process.ts';
import { handOver } from './system-user.ts';

export const SUPERUSER = 'tieout';

/** How a server should listen: its settings, and its socket's folder, or null if it uses a port. */
export type Listening = { settings: Record<string, string>; socketDir: string | null };

/** Only part of the socket's name; no port is opened. */
const SOCKET_PORT = 5432;
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
/** The longest socket path that every system accepts. */
const PATH_BYTES_MAX = 103;
const TEMPORARY = '/tmp'; // not the system's temporary folder, whose path may be as long as ours

/** The URL of a database on a server; a socket's folder takes the place of the host. */
export const serverUrl = (
  { port, socketDir }: Pick<Postmaster, 'port' | 'socketDir'>,
  password: string,
  database: string,
): string => {
  const host = socketDir === null ? '127.0.0.1' : encodeURIComponent(socketDir);
  return `postgresql://${SUPERUSER}:${password}@${host}:${port}/${database}`;
};

const isShort = (folder: string): boolean => Buffer.byteLength(join(folder, SOCKET)) <= PATH_BYTES_MAX;

/** The folder beside the data, or one with a short path that nobody can have created before us. */
const socketFolder = async (place: Place, isBeside: boolean): Promise<string> => {
  const beside = join(place.folder, 'socket');
  if (isBeside && isShort(beside)) {
    await mkdir(beside, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return beside;
  }
  refuseShared(join(TEMPORARY, 'tieout'), 'the folder of the socket');
  return mkdtemp(join(await realpath(TEMPORARY), 'tieout-'));
};

const openFolder = async (place: Place, isBeside: boolean): Promise<string> => {
  const folder = await socketFolder(place, isBeside);
  const status = await lstat(folder);
  if (!status.isDirectory())
    throw new FailedError(`${folder} (${ownerAndMode(status)}) is not a folder: remove it, and run again`);
  await handOver(folder, place.as);
  // Our server is not running: these files were copied with the folder or left by a killed server.
  for (const name of [SOCKET, `${SOCKET}.lock`]) await rm(join(folder, name), { force: true });
  return folder;
};

/**
 * Decides where to listen. Only the first start shows that a disk does not support sockets, so later attempts use another
 * folder.
 */
export const listenFor = async (
  place: Place,
  lastPort: number | null,
  attempt: number,
): Promise<Listening> => {
  if (process.platform === 'win32') {
    const port = await getPort({ host: '127.0.0.1', ...(lastPort ? { port: lastPort } : {}) });
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
    return { settings, socketDir: null };
  }
  const socketDir = await openFolder(place, attempt <= 2);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
  };
  return { settings, socketDir };
};

/** Removes a socket's folder that is not beside the data, only if it is empty. */
export const dropSocketFolder = async (place: Place, socketDir: string | null): Promise<void> => {
  if (socketDir === null || dirname(socketDir) === place.folder) return;
  await rmdir(socketDir).catch(() => {});
};
