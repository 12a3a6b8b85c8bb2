// The folders of months that are too old to have one: removed if their files are as the night left them.
import { existsSync } from 'node:fs';
import { removeFolder } from '../reports/folder.ts';
import { dirOf, type FolderState, isIntact } from './state.ts';

/** A folder of an old month; one that somebody changed stays. */
export type Retired = { readonly name: string; readonly dir: string; readonly isRemoved: boolean };

/** Removes the folders of the months before `first`. One that is gone already leaves nothing beside it, and is not reported. */
export const retireFolders = async (
  home: string,
  folders: Readonly<Record<string, FolderState>>,
  first: string,
): Promise<Retired[]> => {
  const retired: Retired[] = [];
  for (const [name, folder] of Object.entries(folders)) {
    if (name >= first) continue;
    const dir = dirOf(home, name, folder);
    const isThere = existsSync(dir);
    const isOurs = !isThere || (await isIntact(dir, folder));
    const isRemoved = isOurs && (await removeFolder(dir));
    if (isThere) retired.push({ name, dir, isRemoved });
  }
  return retired;
};
