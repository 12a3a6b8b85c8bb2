// Normalize: every landed version of every record gets one outcome, and booked records become journal entries. Reads landed
// rows, writes the ledger; the rules are pure and have files of their own.
import type { Kysely } from 'kysely';
import { renewStatistics } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { sealsOf } from '../ledger/ledger.ts';
import { refuseOtherSettings } from '../run/run.ts';
import { bookBatches, type NormalizeTally } from './batches.ts';
import type { WritableEntityBooks } from './booking.ts';
import { contextOf, contextWhileReading } from './context.ts';
import { RULES, type Rules } from './rule-table.ts';

export type { NormalizeTally } from './batches.ts';
export { conserve } from './conservation.ts';
export { forget } from './forget.ts';
export { restate } from './restate.ts';

/**
 * `onBatch` hears of every transaction; `rules` are those of the program. `isReading`: the lists are still being read, so
 * records that depend on what may yet be read are left in the inbox.
 */
type NormalizeOptions = {
  readonly rules?: Rules;
  readonly onBatch?: (tally: NormalizeTally) => void;
  readonly isReading?: boolean;
  /** What was booked while the lists were read; the tally continues it. */
  readonly before?: NormalizeTally;
};

export const NONE_BOOKED: NormalizeTally = { records: 0, entries: 0, rejected: 0 };

const addTallies = (a: NormalizeTally, b: NormalizeTally): NormalizeTally => ({
  records: a.records + b.records,
  entries: a.entries + b.entries,
  rejected: a.rejected + b.rejected,
});

/**
 * Books all landed records without an outcome, in batches of one transaction each. Throws a UsageError if a setting differs
 * from that of the entity's first entry.
 */
export const normalize = async (
  db: Kysely<DB>,
  books: WritableEntityBooks,
  options: NormalizeOptions = {},
): Promise<NormalizeTally> => {
  const { rules = RULES, onBatch = () => {}, isReading = false, before = NONE_BOOKED } = options;
  await refuseOtherSettings(db, books);
  const known = await contextOf(db, books);
  const context = isReading ? contextWhileReading(known) : known;
  const seals = await sealsOf(db, books.entity);
  await renewStatistics(db, 'ledger', 'twofold'); // of tables that were empty, every index looks equally good
  let tally = before;
  await bookBatches(db, { books, context, rules, seals, undecided: new Set() }, (batch) => {
    tally = addTallies(tally, batch);
    if (batch.records > 0) onBatch(tally);
  });
  if (!isReading) await renewStatistics(db, 'ledger'); // now a part of what will be read
  return tally;
};
