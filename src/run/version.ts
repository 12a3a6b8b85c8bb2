// The version of books that are open: another version may migrate them while no run is at work, and a process that opened them before
// would then write by its own rules into tables and views of other ones.
import { FailedError } from '../base/errors.ts';
import type { Books } from '../database/connection.ts';
import { markOf, readSchemaFiles } from '../database/schema.ts';

/** Another version has migrated the books since this process opened them. */
export class BooksMigrated extends FailedError {
  override readonly name = 'BooksMigrated';
}

/** Throws BooksMigrated if the books are not of this version any more. Under a lock of the books they stay as they are. */
export const refuseMigrated = async (db: Books): Promise<void> => {
  if ((await markOf(db))?.digest === (await readSchemaFiles()).digest) return;
  throw new BooksMigrated(
    'another version of tieout migrated the books while this process had them open, so it stopped: start it again, with that version',
  );
};
