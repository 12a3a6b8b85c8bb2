// The folder of a batch and its record are committed together. Files are written and checked beside their place first; then
// one transaction moves the folder into place and commits the batch. A failure leaves neither, puts the folder that was there before
// back, and uses up no number. Only a process killed between the two steps leaves a folder that the books do not know: the next
// export refuses and names it.
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { FailedError, UsageError } from '../../base/errors.ts';
import { readNamedFile } from '../../base/named-file.ts';
import { outcomeOf, transactionId } from '../../database/database.ts';
import type { DB } from '../../database/db-types.ts';
import type { TransactionId } from '../../database/outcome.ts';
import { dropFolder, type Folder, openFolder, type Swapped, swapFolder } from '../reports/folder.ts';
import { type BatchMark, MANIFEST, MANIFEST_BYTES_MAX, manifestIn } from '../reports/manifest.ts';

type FolderPlan<N, T> = {
  readonly number: (tx: Kysely<DB>) => Promise<N>;
  readonly target: (number: N) => string;
  readonly fill: (tx: Kysely<DB>, folder: Folder, number: N) => Promise<T>;
};

type Connections = { readonly url: string; readonly decider: Kysely<DB> };

/** A folder in its place, whose transaction is about to be committed. */
type PlacedFolder<R> = { readonly result: R; readonly id: TransactionId; readonly swapped: Swapped };

/**
 * Fills a folder, moves it into place and commits. Throws what `fill`, the disk or the database throws. If the answer to the commit
 * is lost, the database at `url` is asked what became of it.
 */
export const commitFolder = async <N, T>(
  { url, decider }: Connections,
  plan: FolderPlan<N, T>,
): Promise<T & { readonly dir: string }> => {
  const made: PlacedFolder<T & { readonly dir: string }>[] = [];
  const failure = await decider
    .transaction()
    .execute(async (tx) => void made.push(await placed(tx, plan)))
    .then(() => null, toFailure);
  const [place] = made;
  if (place === undefined) throw failure?.error;
  const outcome = failure === null ? 'committed' : await outcomeOf(url, place.id);
  if (outcome === 'unknown') throw unanswered(place.result.dir, failure?.error);
  if (outcome === 'committed') {
    await place.swapped.forget().catch(() => {}); // the batch stands, and the next export there removes what is left
    return place.result;
  }
  await place.swapped.undo(); // not committed, so nobody may import it
  throw failure?.error;
};

const toFailure = (error: unknown) => ({ error });

const placed = async <N, T>(tx: Kysely<DB>, { number, target, fill }: FolderPlan<N, T>) => {
  const batch = await number(tx);
  const folder = await openFolder(target(batch));
  try {
    const result = { ...(await fill(tx, folder, batch)), dir: folder.target };
    const id = await transactionId(tx);
    return { result, id, swapped: await swapFolder(folder) };
  } catch (error) {
    await dropFolder(folder);
    throw error;
  }
};

const unanswered = (dir: string, cause: unknown): FailedError =>
  new FailedError(
    `the database went away while it recorded the batch in ${dir}: before you import it, see whether npx tieout query "select * from batches" lists it; if it does not, move the folder away and run again`,
    { cause },
  );

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
