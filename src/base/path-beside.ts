// Names beside a target for what is not finished yet, or about to go. Each names its process and where that runs, so that the next
// one that writes there removes what a killed process left.
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './alive.ts';
import { flushFolder } from './flush-folder.ts';
import { HOUR_MS, nowMs } from './time.ts';

const ROLES = ['partial', 'old'] as const;
type Leftover = (typeof ROLES)[number];

const LEFT = /^(partial|old)-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}$/;

/** The kernel's name of the process ids that we see, which a container has for itself; empty where the system has none. */
const processIds = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
};

/** Where a process id means the same process: this machine or, in a container, this container. */
export const PLACE = createHash('sha256').update(`${hostname()} ${processIds()}`).digest('hex').slice(0, 8);

/** After so long without a change, what a process elsewhere was writing is abandoned: whether it is alive cannot be seen from here. */
const ABANDONED_MS = 24 * HOUR_MS;

/** The names of this process: in a container every process has the same id, the killed one too. */
const made = new Set<string>();

/** A hidden path beside `target` that nothing else has. */
export const pathBeside = (target: string, role: Leftover): string => {
  const name = `.${basename(target)}.${role}-${PLACE}-${process.pid}-${randomBytes(4).toString('hex')}`;
  made.add(name);
  return join(dirname(target), name);
};

/**
 * Removes what killed processes left beside `target`, in these roles. A folder that cannot be listed shows none, and what another user
 * left stays: neither is a reason not to write.
 */
export const sweepBeside = async (target: string, roles: readonly Leftover[] = ROLES): Promise<void> => {
  const folder = dirname(target);
  const start = `.${basename(target)}.`;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, role, place, pid] = LEFT.exec(name.startsWith(start) ? name.slice(start.length) : '') ?? [];
    if (!roles.some((one) => one === role)) continue;
    const path = join(folder, name);
    const isAtWork = place === PLACE ? isOurs(name, Number.parseInt(pid ?? '', 10)) : await isRecent(path);
    if (!isAtWork) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
};

/** Gives a whole file its name, so that a process that was killed leaves none under it. Throws EEXIST if another file has that name. */
export const nameWhole = async (partial: string, path: string): Promise<void> => {
  await link(partial, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    return rename(partial, path); // a disk without links
  });
  await rm(partial, { force: true });
  await flushFolder(dirname(path));
};

/** Whether a process of this place is writing it. */
const isOurs = (name: string, pid: number): boolean => (pid === process.pid ? made.has(name) : isAlive(pid));

const isRecent = async (path: string): Promise<boolean> =>
  stat(path).then(
    ({ mtimeMs }) => nowMs() - mtimeMs < ABANDONED_MS,
    () => true, // gone, or not ours to judge
  );
