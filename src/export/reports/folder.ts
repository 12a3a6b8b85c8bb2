// The folder of an export: written beside its target under another name, flushed to disk, then renamed, so that a reader
// sees either the old files or the new ones, complete. Files that are not ours are never deleted.
import { copyFile, link, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { FailedError, UsageError } from '../../base/errors.ts';
import { flushFolder } from '../../base/flush-folder.ts';
import { readNamedFile } from '../../base/named-file.ts';
import { makeFolders, refuseShared, weAreRoot } from '../../base/ownership.ts';
import { pathBeside, sweepBeside } from '../../base/path-beside.ts';
import { absent, onDisk } from './disk.ts';
import { MANIFEST, MANIFEST_BYTES_MAX, type ManifestFile, parsedManifest, programOf } from './manifest.ts';

/** Where an export goes (`target`, absolute) and where it is written first (`partial`, beside it). */
export type Folder = { readonly target: string; readonly partial: string };

/**
 * Files that desktops create in every folder that is viewed, that beancount creates beside a journal it has read, and that LibreOffice and
 * Excel create beside a file while somebody has it open: nobody needs to close a report for the night.
 */
const LITTER =
  /^(\.DS_Store|Thumbs\.db|desktop\.ini|__pycache__|\.books\.beancount\.picklecache|\.~lock\..*#|~\$.*)$/s;

/** Whether a desktop or another program made a file or a folder of this name, in whichever folder below an export. */
export const isLitter = (name: string): boolean => LITTER.test(basename(name));

/**
 * Makes the folder to write into. Throws a UsageError if the target holds files that no export of ours wrote or can be no
 * folder, and a FailedError if it cannot write.
 */
export const openFolder = (outDir: string): Promise<Folder> =>
  onDisk(outDir, async () => {
    const target = await targetOf(outDir);
    await refuseForeign(target);
    if (weAreRoot()) refuseShared(dirname(target), 'the folder of the export');
    makeFolders(dirname(target));
    await sweepBeside(target, ['partial']); // a full disk may have no other room
    const partial = pathBeside(target, 'partial');
    await mkdir(partial, { mode: 0o700 });
    return { target, partial };
  });

/** The folder without links. A link that leads nowhere is refused: to put a folder in its place would remove it. */
const targetOf = async (outDir: string): Promise<string> => {
  const path = resolve(outDir);
  const target = await realpath(path).catch(absent);
  if (target === null && (await lstat(path).catch(absent))?.isSymbolicLink())
    throw new UsageError(`${path} is a link that leads nowhere: mount its disk, or choose another folder`);
  return target ?? path;
};

/** Writes one new file through `write` and flushes it to disk. */
export const writeFileIn = async <T>(
  { target, partial }: Folder,
  name: string,
  write: (put: (text: string | Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> => {
  const file = await onDisk(target, () => open(join(partial, name), 'wx', 0o600));
  try {
    const result = await write((text) => onDisk(target, () => file.writeFile(text)));
    await onDisk(target, () => file.sync());
    return result;
  } finally {
    await file.close();
  }
};

/** Takes a file over from an earlier folder: the same file under a second name, or a copy where a disk has no links. */
export const takeOver = ({ target, partial }: Folder, dir: string, name: string): Promise<void> =>
  onDisk(target, async () => {
    const [from, to] = [join(dir, name), join(partial, name)];
    await link(from, to).catch(() => copyFile(from, to));
  });

/** Puts the finished folder in place. The old one is moved aside first, and restored if the rename fails. */
export const placeFolder = async (folder: Folder): Promise<void> => (await swapFolder(folder)).forget();

/** A folder that has taken its place, while the one before it still exists. */
export type Swapped = {
  /** Removes the one before. */
  readonly forget: () => Promise<void>;
  /** Removes the new one, and puts the one before back. */
  readonly undo: () => Promise<void>;
};

/** Puts the finished folder in place, and keeps the old one aside until one of the two is removed. */
export const swapFolder = ({ target, partial }: Folder): Promise<Swapped> =>
  onDisk(target, async () => {
    await flushFolder(partial);
    await refuseIncomplete({ target, partial });
    await refuseForeign(target); // somebody may have saved a file there in the meantime
    const old = pathBeside(target, 'old');
    const replaced = await rename(target, old).then(() => true, absent);
    const back = async () => {
      if (replaced) await rename(old, target);
    };
    try {
      await rename(partial, target);
    } catch (error) {
      await back();
      throw error;
    }
    await flushFolder(dirname(target));
    return {
      forget: () => onDisk(target, () => forgetOld(target, replaced ? old : null)),
      undo: () => onDisk(target, () => rm(target, { recursive: true, force: true }).then(back)),
    };
  });

const forgetOld = async (target: string, old: string | null): Promise<void> => {
  await sweepBeside(target);
  if (old !== null) await rm(old, { recursive: true });
};

/** Removes the partial folder. It ignores errors: the caller rethrows the one that led here. */
export const dropFolder = ({ partial }: Folder): Promise<void> =>
  rm(partial, { recursive: true, force: true }).catch(() => {});

/** Removes the folder of an export whole; false if it is a link or holds a file that no export wrote: then it stays. */
export const removeFolder = (target: string): Promise<boolean> =>
  onDisk(target, async () => {
    if ((await lstat(target).catch(absent))?.isSymbolicLink()) return false;
    if ((await foreignIn(target)).length > 0) return false;
    const old = pathBeside(target, 'old');
    const isThere = await rename(target, old).then(() => true, absent);
    await flushFolder(dirname(target));
    await sweepBeside(target);
    if (isThere) await rm(old, { recursive: true });
    return true;
  });

/** Throws a FailedError if somebody has removed files meanwhile: what follows in a folder is written into a new one, as if nothing were missing. */
const refuseIncomplete = async ({ target, partial }: Folder): Promise<void> => {
  const files = ourFiles(partial);
  const names = new Set(await namesIn(partial, namesOf(files)));
  const missing = [MANIFEST, ...files].find((name) => !names.has(name));
  if (missing === undefined) return;
  throw new FailedError(
    `the export cannot be written to ${target}: ${missing} was removed before the export was finished; find out what clears ${dirname(target)}, and run again`,
  );
};

const refuseForeign = async (target: string): Promise<void> => {
  const foreign = await foreignIn(target);
  if (foreign.length === 0) return;
  const shown = `${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', …' : ''}`;
  throw new UsageError(
    `${target} contains files that no export wrote (${shown}), and an export replaces the whole folder: ` +
      'move it away or choose another folder',
  );
};

/** The files in a folder that are not an export's, in order. */
const foreignIn = async (target: string): Promise<string[]> => {
  const ours = namesOf(ourFiles(target));
  const names = (await namesIn(target, ours)) ?? [];
  return names.filter((name) => !isLitter(name) && !ours.has(name)).sort();
};

/** The names in a folder, those of a lake with the names below; null if there is no folder. */
export const namesIn = async (target: string, ours: ReadonlySet<string>): Promise<string[] | null> => {
  const isDeep = [...ours].some((name) => name.includes('/'));
  const names = await readdir(target, { recursive: isDeep }).catch(absent);
  return names?.map((name) => name.replaceAll(sep, '/')) ?? null;
};

/** The names of files, and of the folders above them: `a`, `a/b` and `a/b/c` of `a/b/c`. */
export const namesOf = (files: readonly string[]): Set<string> =>
  new Set(files.flatMap((name) => name.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))));

/** The manifest in a folder and the files that it lists; empty if there is no manifest of ours. */
const ourFiles = (target: string): readonly string[] => {
  const read = readNamedFile(join(target, MANIFEST), { bytesMax: MANIFEST_BYTES_MAX, followsLinks: false });
  const manifest = parsedManifest('bytes' in read ? read.bytes.toString('utf8') : '');
  if (manifest?.program?.name !== programOf().name || !Array.isArray(manifest.files)) return [];
  const files: readonly (Partial<ManifestFile> | null)[] = manifest.files; // somebody may have written it
  return [MANIFEST, ...files.flatMap((file) => (typeof file?.name === 'string' ? [file.name] : []))];
};
