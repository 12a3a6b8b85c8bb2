// The user that runs Postgres. Postgres refuses root, so root starts it as the system user `postgres`, created if
// missing.
import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FailedError } from '../base/errors.ts';
import { openFolderItself, weAreRoot } from '../base/ownership.ts';
import { runChild } from '../config/config.ts';

/** The user of the server's process; empty if it is our own. */
export type RunAs = { uid?: number; gid?: number };

const NAME = 'postgres';

const idsOfUser = async (): Promise<{ uid: number; gid: number } | null> => {
  const [uid, gid] = await Promise.all([runChild('id', ['-u', NAME]), runChild('id', ['-g', NAME])]);
  if (uid.code !== 0 || gid.code !== 0) return null;
  return { uid: Number.parseInt(uid.output, 10), gid: Number.parseInt(gid.output, 10) };
};

const systemUser = async (): Promise<RunAs> => {
  const present = await idsOfUser();
  if (present) return present;
  await runChild('groupadd', ['--system', NAME]); // fails if the group exists, which is fine
  const { output } = await runChild('useradd', ['--system', '--no-create-home', '-g', NAME, NAME]);
  const created = await idsOfUser();
  if (created) return created;
  throw new FailedError(
    `PostgreSQL refuses to run as root and the system user ${NAME} could not be created (${output}): ` +
      'run tieout as another user, create that user, or set DATABASE_URL',
  );
};

const ownerOf = async (folder: string): Promise<{ uid: number; gid: number } | null> => {
  try {
    const { uid, gid } = await lstat(folder);
    return { uid, gid };
  } catch {
    return null;
  }
};

/** The user that runs the server of a data folder: its owner if it has one, so that root does not lock the owner out. */
export const runAs = async (dataDir: string): Promise<RunAs> => {
  if (!weAreRoot()) return {};
  const owner = await ownerOf(dataDir);
  return owner && owner.uid !== 0 ? owner : systemUser();
};

/** Makes the server's user the owner of a folder, with mode 0700. Acts on the folder itself and never follows a link. */
export const handOver = async (folder: string, { uid, gid }: RunAs): Promise<void> => {
  const handle = await openFolderItself(folder);
  try {
    if (uid !== undefined && gid !== undefined) await handle.chown(uid, gid);
    await handle.chmod(0o700);
  } finally {
    await handle.close();
  }
};

/** Lets only the server's group pass through our folder. Needed only as root: otherwise the server runs as our user. */
export const letThrough = async (folder: string, { gid }: RunAs): Promise<void> => {
  if (gid === undefined) return;
  const handle = await openFolderItself(folder);
  try {
    await handle.chown(0, gid);
    await handle.chmod(0o710);
  } finally {
    await handle.close();
  }
};

/**
 * Whether the server's user can write files in its own folder under `folder`. It tries it, because mode bits do not
 * show access lists, a network folder that squashes root, or a mount without owners.
 */
export const canUse = async (folder: string, as: RunAs): Promise<boolean> => {
  if (as.uid === undefined) return true;
  const probe = join(folder, '.probe');
  try {
    await rm(probe, { recursive: true, force: true }); // left by a process that was killed
    await mkdir(probe, { mode: 0o700 });
    await handOver(probe, as);
    const tried = await runChild('/bin/sh', ['-c', 'cd "$1" && : > tried', 'sh', probe], as);
    return tried.code === 0;
  } catch {
    return false;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
};
