// Names beside a target for what is not finished yet, or about to go. Each names its process, so that the next one that writes there
// removes what a killed process left.
import { randomBytes } from 'node:crypto';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './alive.ts';
import { flushFolder } from './flush-folder.ts';

const ROLES = ['partial', 'old'] as const;
type Leftover = (typeof ROLES)[number];

const LEFT = /^(partial|old)-(\d+)-[0-9a-f]{8}$/;

/** The names of this process: in a container every process has the same id, the killed one too. */
const made = new Set<string>();

/** A hidden path beside `target` that nothing else has. */
export const pathBeside = (target: string, role: Leftover): string => {
  const name = `.${basename(target)}.${role}-${process.pid}-${randomBytes(4).toString('hex')}`;
  made.add(name);
  return join(dirname(target), name);
};

/**
 * Removes what killed processes left beside `target`, in these roles. A folder that cannot be listed shows none, and what another user
 * left stays: neither is a reason not to write.
 */
export const sweepBeside = async (target: string, roles: readonly Leftover[] = ROLES): Promise<void> => {
  const start = `.${basename(target)}.`;
  for (const name of await readdir(dirname(target)).catch(() => [])) {
    const [, role, pid] = LEFT.exec(name.startsWith(start) ? name.slice(start.length) : '') ?? [];
    if (role === undefined || pid === undefined || isAtWork(Number.parseInt(pid, 10), name)) continue;
    if (!roles.some((one) => one === role)) continue;
    await rm(join(dirname(target), name), { recursive: true, force: true }).catch(() => {});
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

const isAtWork = (pid: number, name: string): boolean =>
  pid === process.pid ? made.has(name) : isAlive(pid);
