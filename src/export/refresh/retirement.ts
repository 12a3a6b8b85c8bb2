// The folders of months that are too old to have one: removed if their files are as the night left them.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDigest, readNamedFile } from '../../base/named-file.ts';
import { absent, onDisk } from '../reports/disk.ts';
import { removeFolder } from '../reports/folder.ts';
import { MANIFEST, MANIFEST_BYTES_MAX, manifestIn } from '../reports/manifest.ts';
import { dirOf, type ExportState, foldersOf, isIntact } from './state.ts';

/** A folder of an old month; one that somebody changed stays. */
export type Retired = { readonly name: string; readonly dir: string; readonly isRemoved: boolean };

/** Removes the folders of the months before `first`. One that is gone already leaves nothing beside it, and is not reported. */
export const retireFolders = async (
  { home, entities }: { readonly home: string; readonly entities: readonly string[] },
  { folders, begun }: Pick<ExportState, 'folders' | 'begun'>,
  first: string,
): Promise<Retired[]> => {
  const retired: Retired[] = [];
  const unrecorded = new Set(await begunFolders(home, begun?.months ?? [], entities));
  for (const name of new Set([...Object.keys(folders), ...unrecorded])) {
    if (name >= first) continue;
    const folder = folders[name];
    const dir = dirOf(home, name, folder);
    const isThere = existsSync(dir);
    const isLeft = !isThere || (folder !== undefined && (await isIntact(dir, folder)));
    const isOurs = isLeft || (unrecorded.has(name) && (await isAsItsManifest(dir)));
    const isRemoved = isOurs && (await removeFolder(dir));
    if (isThere) retired.push({ name, dir, isRemoved });
  }
  return retired;
};

/**
 * The folders of months, and of their entities, that a night began to write and of which no state says how it left them. Those of another
 * name, such as 2026-10-xlsx, are a person's.
 */
const begunFolders = (
  home: string,
  months: readonly string[],
  entities: readonly string[],
): Promise<string[]> =>
  onDisk(home, async () => {
    const names = months.length === 0 ? [] : ((await readdir(foldersOf(home)).catch(absent)) ?? []);
    const ofNights = new Set(
      months.flatMap((month) => [month, ...entities.map((entity) => `${month}-${entity}`)]),
    );
    return names.filter((name) => ofNights.has(name));
  });

/** Whether the files of a folder are those that its manifest lists, byte for byte. */
const isAsItsManifest = async (dir: string): Promise<boolean> => {
  const path = join(dir, MANIFEST);
  const read = readNamedFile(path, { bytesMax: MANIFEST_BYTES_MAX, followsLinks: false });
  const manifest = 'bytes' in read ? manifestIn(read.bytes.toString('utf8')) : '';
  if (typeof manifest === 'string') return false;
  try {
    for (const { name, sha256 } of manifest.files)
      if ((await fileDigest(join(dir, name))) !== sha256) return false;
    return true;
  } catch {
    return false; // a file is missing or cannot be read
  }
};
