// Ownership checks: which folders only we can change. The program stores passwords and books and may run as root, so it
// works only where nobody else can place a link or replace a folder. The rules are OpenSSH's StrictModes, for every folder
// on the path: it belongs to us or to root, and others cannot write in it unless it is sticky, as /tmp is, where users can
// rename only their own files. Windows has no modes: its access lists decide, and nothing is checked here.
import { constants, lstatSync, mkdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { UsageError } from './errors.ts';
import { shellWord } from './shell-word.ts';

const uid = process.getuid?.();

/** Whether files have owners and modes on this system. */
export const hasModes = uid !== undefined;

/** Whether we run as root, which Postgres refuses. Always false on Windows. */
export const weAreRoot = (): boolean => uid === 0;

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/** Owner and mode of a file or folder, formatted for messages. */
export const ownerAndMode = ({ uid: owner, mode }: Stats): string =>
  `owner ${owner === 0 ? 'root' : `uid ${owner}`}, mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`;

/** Whether a file belongs to us or to root, which can change anything anyway. */
export const isOurs = ({ uid: owner }: Stats): boolean => owner === uid || owner === 0;

/** Whether we are the only member of a group: many systems give each user a group with the user's own number. */
const isOnlyOurs = (gid: number): boolean => {
  if (gid !== uid || gid !== process.getgid?.()) return false;
  try {
    const line = readFileSync('/etc/group', 'utf8')
      .split('\n')
      .find((entry) => entry.split(':')[2] === String(gid));
    return (line?.split(':')[3] ?? '') === '';
  } catch {
    return false;
  }
};

const othersWrite = ({ mode, gid }: Stats): boolean =>
  (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && gid !== 0 && !isOnlyOurs(gid));

/** Every folder of a path, from the root down to the path itself. */
const wayTo = (path: string): string[] => {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep).filter(Boolean);
  return [root, ...parts.map((_, last) => join(root, ...parts.slice(0, last + 1)))];
};

const statusOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;

/** What is wrong with one folder of a path and what to type; null if nothing is. */
const faultOf = (folder: string, status: Stats, isLast: boolean): string | null => {
  const seen = `${folder} (${ownerAndMode(status)})`;
  if (!isOurs(status)) {
    const run = weAreRoot()
      ? `run tieout as that user, or type: chown root ${shellWord(folder)}`
      : 'use a folder of your own';
    return `${seen} belongs to another user, who can replace its contents: ${run}`;
  }
  if (status.isSymbolicLink()) return null; // ours or root's: the link's target is checked too
  if (!status.isDirectory()) return `${seen} is not a folder: choose another path`;
  if (!othersWrite(status) || (!isLast && (status.mode & STICKY) !== 0)) return null;
  const isShared = (status.mode & STICKY) !== 0;
  return `others may write in ${seen}: ${isShared ? 'use a folder of your own in it' : `type: chmod go-w ${shellWord(folder)}`}`;
};

const firstFault = (path: string): string | null => {
  const way = wayTo(path);
  for (const folder of way) {
    const status = statusOf(folder);
    if (status === null) return null; // does not exist yet: we create it ourselves
    const fault = faultOf(folder, status, folder === path) ?? closedFault(folder, status);
    if (fault !== null) return fault;
  }
  return null;
};

/** A folder, root's for example, that we may not enter: nothing in it can be read, and no question about it be answered. */
const closedFault = (folder: string, status: Stats): string | null => {
  if (!status.isDirectory() || mayEnter(folder)) return null;
  return `${folder} (${ownerAndMode(status)}) cannot be entered by this user: run tieout as the user who made it, or use a folder of your own`;
};

const mayEnter = (folder: string): boolean => {
  try {
    lstatSync(`${folder}${sep}.`);
    return true;
  } catch {
    return false;
  }
};

/** The path with links resolved in the part of it that exists. */
const realPart = (path: string): string => {
  for (let part = path; ; part = dirname(part))
    if (statusOf(part) !== null) return join(realpathSync(part), path.slice(part.length));
};

const NOWHERE: Readonly<Record<string, string>> = {
  ENOENT: 'a link on this path leads nowhere: mount its disk, or choose another path',
  ELOOP: 'links on this path lead in a circle: choose another path',
};

/** What is wrong on a path, or on the one that its links lead to. */
const faultOn = (path: string): string | null => {
  try {
    return firstFault(path) ?? firstFault(realPart(path));
  } catch (error) {
    const fault = NOWHERE[(error as NodeJS.ErrnoException).code ?? ''];
    if (fault === undefined) throw error;
    return fault;
  }
};

/**
 * Throws a UsageError if anyone except us and root can change the folder's contents or redirect its path. `name` is the
 * name of the folder or setting in messages. Creates nothing.
 */
export const refuseShared = (path: string, name: string): void => {
  if (!hasModes) return;
  const absolute = resolve(path);
  const fault = faultOn(absolute);
  if (fault !== null) throw new UsageError(`${name} cannot be ${absolute}: ${fault}`);
};

/**
 * Creates a folder that only we can enter, with its parents. Returns its path without links, and the folders of the path
 * that are new. Throws a UsageError if others could change it; errors of mkdir pass through.
 */
export const makePrivateFolder = (path: string, name: string): { path: string; made: string[] } => {
  refuseShared(path, name);
  const made = makeFolders(path);
  refuseShared(path, name); // another process may have been faster, in a folder such as /tmp
  return { path: realpathSync(path), made };
};

/**
 * Creates a folder that only we can enter, with its parents; returns the new ones. The recursive mkdir of Node never ends where
 * the system answers ENOENT, as under /proc, and calls a read-only disk a missing folder.
 */
export const makeFolders = (path: string): string[] => wayTo(resolve(path)).filter(makeOne);

/** Whether a folder had to be created. Throws the system's error if it cannot be. */
const makeOne = (folder: string): boolean => {
  if (isFolder(folder)) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isFolder(folder)) return false; // another process was faster
    throw error;
  }
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Opens the folder itself and never follows a link, so that its owner and mode can be changed. */
export const openFolderItself = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0));

/** Writes a new file that only we can read, and flushes it. Throws if the name exists already, even as a link. */
export const writeNew = async (
  path: string,
  text: string,
  owner?: { uid?: number; gid?: number },
): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    if (owner?.uid !== undefined && owner.gid !== undefined) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
};
