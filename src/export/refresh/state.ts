// The state of the nightly's folders: what each was written from, and its files as they were left on disk. It lies beside the
// folders, so that a folder that somebody deleted or altered is written again. Without it, everything is.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { readNamedFile } from '../../base/named-file.ts';
import { makeFolders } from '../../base/ownership.ts';
import { sweepBeside } from '../../base/path-beside.ts';
import { replacePrivate } from '../../base/private-file.ts';
import { absent, onDisk } from '../reports/disk.ts';
import { MANIFEST, type ManifestFile } from '../reports/manifest.ts';
import { NOTHING_SEEN, type Seen } from './marks.ts';
import type { SourceMarks } from './sources.ts';

/** A file on disk, as it was left: another size or another time of its last change is another file. */
type FileOnDisk = { readonly name: string; readonly size: number; readonly changedMs: number };

/** Rows that take long to read, with the digest of what they were read from. */
type Fact = { readonly digest: string; readonly value: unknown };

export type FolderState = {
  readonly marks: SourceMarks;
  readonly files: readonly ManifestFile[];
  readonly onDisk: readonly FileOnDisk[];
  readonly facts: Readonly<Record<string, Fact>>;
  /** Its reports agree with each other: a folder of which one rule does not hold is written again as a whole. */
  readonly agrees: boolean;
  /** The files are in a hidden folder, and the one in sight is as an earlier night left it. */
  readonly isDraft?: boolean;
};

/** The months of which a night may have written folders, from its beginning until its state is written. */
type Begun = { readonly run: string; readonly months: readonly string[] };

/** `run` wrote it: books in which that run never was, or never ended, such as a restored backup, are other books. */
export type ExportState = {
  readonly run: string | null;
  readonly seen: Seen;
  readonly folders: Readonly<Record<string, FolderState>>;
  readonly begun?: Begun;
};

const NO_STATE: ExportState = { run: null, seen: NOTHING_SEEN, folders: {} };

const FILE = 'exports.json';
const FORM = 1;
const BYTES_MAX = 200_000_000;

/** How every state begins, also one that was damaged later. */
const MARK = '{"form":';

const isOurs = (bytes: Buffer): boolean =>
  bytes.length === 0 || bytes.subarray(0, MARK.length).toString('latin1') === MARK;

/**
 * The state in a home; nothing seen if there is none, or none that this version wrote. Throws a UsageError for a file of another
 * program, which the next state would replace.
 */
export const readState = (home: string): ExportState => {
  const file = join(home, FILE);
  const read = readNamedFile(file, { bytesMax: BYTES_MAX, followsLinks: false });
  if ('code' in read && read.code === 'ENOENT') return NO_STATE;
  if (!('bytes' in read && isOurs(read.bytes)))
    throw new UsageError(
      `${file} is not a file that tieout wrote, and so is not replaced: move it to another folder, or set another TIEOUT_HOME`,
    );
  try {
    const { form, state } = JSON.parse(read.bytes.toString('utf8'));
    return form === FORM ? state : NO_STATE;
  } catch {
    return NO_STATE; // a file that cannot be read says nothing: everything is written again
  }
};

/** Throws what reading the state at the end of a night would throw, before the hours that the night takes. */
export const refuseForeignState = (home: string): void => void readState(home);

/** Replaces the state as a whole. */
export const writeState = (home: string, state: ExportState): Promise<void> =>
  onDisk(home, async () => {
    makeFolders(home); // a first night that books nothing has made none
    await replacePrivate(join(home, FILE), JSON.stringify({ form: FORM, state }));
  });

/** The place of a folder: its name begins with its month. A draft lies hidden beside it. */
export const dirOf = (
  home: string,
  name: string,
  { isDraft = false }: Pick<FolderState, 'isDraft'> = {},
): string => join(foldersOf(home), isDraft ? `.${name}${DRAFT}` : name);

export const foldersOf = (home: string): string => join(home, 'exports');
const DRAFT = '.draft';

/** A folder that a killed night left beside a draft. */
const BESIDE_DRAFT = /^\.(\..+\.draft)\./;

/**
 * Removes all drafts, and what killed nights left beside them, since no later one need write that draft again: what they had is in the
 * folders, or will be written again.
 */
export const removeDrafts = (home: string): Promise<void> =>
  onDisk(home, async () => {
    for (const name of (await readdir(foldersOf(home)).catch(absent)) ?? []) {
      const draft = BESIDE_DRAFT.exec(name)?.[1];
      if (draft !== undefined) await sweepBeside(join(foldersOf(home), draft));
      else if (name.startsWith('.') && name.endsWith(DRAFT))
        await rm(join(foldersOf(home), name), { recursive: true });
    }
  });

/** The files of a folder and its manifest as they are now; null if one of them is missing. */
export const filesOnDisk = async (
  dir: string,
  files: readonly ManifestFile[],
): Promise<readonly FileOnDisk[] | null> => {
  const found: FileOnDisk[] = [];
  for (const name of [...files.map((file) => file.name), MANIFEST]) {
    const status = await stat(join(dir, name)).catch(absent);
    if (status === null) return null;
    found.push({ name, size: status.size, changedMs: status.mtimeMs });
  }
  return found;
};

/** Whether a folder is as it was left. */
export const isIntact = async (dir: string, { files, onDisk: left }: FolderState): Promise<boolean> =>
  JSON.stringify(await filesOnDisk(dir, files)) === JSON.stringify(left);
