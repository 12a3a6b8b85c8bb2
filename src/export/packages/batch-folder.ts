// The folder of a batch and its record are committed together. Files are written and checked beside their place first; then
// one transaction moves the folder into place and commits the batch. A failure leaves neither and uses up no number. Only a
// process killed between the two steps leaves a folder that the books do not know: the next export refuses and names it.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { UsageError } from '../../base/errors.ts';
import { readNamedFile } from '../../base/named-file.ts';
import type { DB } from '../../database/db-types.ts';
import { dropFolder, type Folder, openFolder, placeFolder } from '../reports/folder.ts';
import { type BatchMark, MANIFEST, MANIFEST_BYTES_MAX, manifestIn } from '../reports/manifest.ts';

type FolderPlan<N, T> = {
  readonly number: (tx: Kysely<DB>) => Promise<N>;
  readonly target: (number: N) => string;
  readonly fill: (tx: Kysely<DB>, folder: Folder, number: N) => Promise<T>;
};

/** Fills a folder, moves it into place and commits. Throws what `fill`, the disk or the database throws. */
export const commitFolder = async <N, T>(
  decider: Kysely<DB>,
  { number, target, fill }: FolderPlan<N, T>,
): Promise<T & { readonly dir: string }> => {
  let standing: string | null = null;
  try {
    return await decider.transaction().execute(async (tx) => {
      const batch = await number(tx);
      const folder = await openFolder(target(batch));
      try {
        const result = await fill(tx, folder, batch);
        await placeFolder(folder);
        standing = folder.target;
        return { ...result, dir: folder.target };
      } catch (error) {
        await dropFolder(folder);
        throw error;
      }
    });
  } catch (error) {
    if (standing !== null) await rm(standing, { recursive: true, force: true }); // not committed, so nobody may import it
    throw error;
  }
};

/** Throws a UsageError if the folder already has a batch with the number that is about to be assigned. */
export const refuseUnrecorded = async (
  { target }: Folder,
  batch: Pick<BatchMark, 'year' | 'number'> & { readonly entity: string },
): Promise<void> => {
  const read = readNamedFile(join(target, MANIFEST), { bytesMax: MANIFEST_BYTES_MAX, followsLinks: false });
  const manifest = 'bytes' in read ? manifestIn(read.bytes.toString('utf8')) : read.refusal;
  if (typeof manifest === 'string') return;
  const { year, number } = manifest.batch ?? {};
  if (year !== batch.year || number !== batch.number || manifest.entities[0] !== batch.entity) return;
  throw new UsageError(
    `${target} holds batch ${number} of ${year}, which is not in the books: a run was killed before it recorded the batch. Do not import it; move it away and run again`,
  );
};
