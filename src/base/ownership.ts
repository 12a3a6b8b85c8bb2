// Ownership checks: which folders only we can change. The program stores passwords and books and may run as root, so it
// works only where nobody else can place a link or replace a folder. The rules are OpenSSH's StrictModes, for every folder
// on the path: it belongs to us or to root, and others cannot write in it unless it is sticky, as /tmp is, where users can
// rename only their own files. Windows has no modes: its access lists decide, and nothing is checked here.
import { constants, lstatSync, mkdirSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { UsageError } from './errors.ts';

const uid = process.getuid?.();

/** Whether files have owners and modes here. */
export const hasModes = uid !== undefined;

/** Whether we are root, who may not run Postgres. Always false on Windows. */
export const weAreRoot = (): boolean => uid === 0;

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/** Owner and mode of a file or folder, as messages say them. */
export const ownerAndMode = ({ uid: owner, mode }: Stats): string =>
  `owner ${owner === 0 ? 'root' : `uid ${owner}`}, mode ${(mode & 0o7777).toString(8).padStart(4, '0')}`;

/** Whether a file belongs to us, or to root, who may do anything anyway. */
export const isOurs = ({ uid: owner }: Stats): boolean => owner === uid || owner === 0;

/** A group of one: on many systems each user has a group of the same number, with nobody else in it. */
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

/** Every folder on the way to a path, the root first, the path itself last. */
const wayTo = (path: string): string[] => {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep).filter(Boolean);
  return [root, ...parts.map((_, last) => join(root, ...parts.slice(0, last + 1)))];
};

const statusOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;

/** What is wrong with one folder on the way, and what to type; null where nothing is. */
const faultOf = (folder: string, status: Stats, isLast: boolean): string | null => {
  const seen = `${folder} (${ownerAndMode(status)})`;
  if (!isOurs(status)) {
    const run = weAreRoot()
      ? `run tieout as that user, or type: chown root ${folder}`
      : 'use a folder of your own';
    return `${seen} belongs to another user, who can exchange what is in it: ${run}`;
  }
  if (status.isSymbolicLink()) return null; // ours or root's: where it leads is looked at too
  if (!status.isDirectory()) return `${seen} is not a folder: choose another path`;
  if (!othersWrite(status) || (!isLast && (status.mode & STICKY) !== 0)) return null;
  const isShared = (status.mode & STICKY) !== 0;
  return `others may write in ${seen}: ${isShared ? 'use a folder of your own in it' : `type: chmod go-w ${folder}`}`;
};

const firstFault = (path: string): string | null => {
  const way = wayTo(path);
  for (const folder of way) {
    const status = statusOf(folder);
    if (status === null) return null; // not made yet: we shall make it ourselves
    const fault = faultOf(folder, status, folder === path);
    if (fault !== null) return fault;
  }
  return null;
};

/** The longest part of a path that is there, without links. */
const realPart = (path: string): string => {
  for (let part = path; ; part = dirname(part))
    if (statusOf(part) !== null) return join(realpathSync(part), path.slice(part.length));
};

/**
 * Throws a UsageError if anybody but us and root can change what is in a folder, or what its path leads to. `name` says
 * whose folder it is. What is missing of the path is not made.
 */
export const refuseShared = (path: string, name: string): void => {
  if (!hasModes) return;
  const absolute = resolve(path);
  const fault = firstFault(absolute) ?? firstFault(realPart(absolute));
  if (fault !== null) throw new UsageError(`${name} cannot be ${absolute}: ${fault}`);
};

/**
 * Makes a folder that only we can enter, with its parents. Returns its path without links, and which of the folders on
 * the way to it are new. Throws a UsageError where others could change it; what making a folder throws passes.
 */
export const makePrivateFolder = (path: string, name: string): { path: string; made: string[] } => {
  refuseShared(path, name);
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  refuseShared(path, name); // somebody may have been quicker, in a folder such as /tmp
  const made =
    first === undefined ? [] : wayTo(resolve(path)).filter((folder) => folder.length >= first.length);
  return { path: realpathSync(path), made };
};

/** Opens a folder itself, never what a link of its name leads to: to change its owner and mode. */
export const openFolderItself = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0));

/** Writes a new file for us alone, and flushes it. Whatever has its name already, a link included, is an error. */
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
