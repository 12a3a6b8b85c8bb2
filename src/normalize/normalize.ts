// Normalize: every landed version of every record gets one outcome, and booked records become journal entries. Reads landed
// rows, writes the ledger; the rules are pure and have files of their own.
import type { Kysely } from 'kysely';
import { insertRows, renewBefore, renewStatistics } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { post, sealsOf, standing } from '../ledger/ledger.ts';
import { refuseOtherSettings, storeSettings } from '../run/run.ts';
import {
  type Booking,
  type BookingContext,
  bookingOf,
  type LandedRecord,
  type WritableEntityBooks,
} from './booking.ts';
import { contextOf, contextWhileReading, Undecided } from './context.ts';
import { type InboxPlace, takeOut, waitingAfter, waitingIn } from './inbox.ts';

export { forget } from './forget.ts';

import { RULES, type Rules } from './rule-table.ts';

export { conserve, isProved } from './conservation.ts';
export { restate } from './restate.ts';

export type NormalizeTally = {
  readonly records: number;
  readonly entries: number;
  readonly rejected: number;
};

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
  await renewBefore(db, await waitingIn(db, books.entity));
  const undecided = new Set<string>();
  let tally = before;
  let after: InboxPlace | null = null;
  do {
    const batch: RecordBatch = await db
      .transaction()
      .execute((tx) => normalizeBatch(tx, { books, context, rules, seals, undecided }, after));
    tally = addTallies(tally, batch);
    if (batch.records > 0) onBatch(tally);
    after = batch.last;
  } while (after !== null);
  if (!isReading) await renewStatistics(db, 'ledger', tally.records); // now a part of what will be read
  return tally;
};

const normalizeBatch = async (
  tx: Kysely<DB>,
  situation: Omit<Deciding, 'stands'> & { readonly books: WritableEntityBooks },
  after: InboxPlace | null,
): Promise<RecordBatch> => {
  const { books } = situation;
  const batch = await waitingAfter(tx, books.entity, after);
  const bookings: Booking[] = [];
  for (const stream of new Set(batch.map((landed) => landed.stream))) {
    const rows = batch.filter((landed) => landed.stream === stream);
    bookings.push(...decided(rows, { ...situation, stands: await standsOf(tx, books.entity, rows) }));
  }
  const entries = bookings.flatMap((booking) => booking.entries);
  const isBooked = new Set(bookings.map(({ landed }) => landed));
  const places = batch.filter((landed) => isBooked.has(landed)).map(({ place }) => place);
  await takeOut(tx, books.entity, places);
  await post(tx, entries);
  await storeOutcomes(tx, books.entity, bookings);
  if (entries.length > 0) await storeSettings(tx, books);
  const rejected = bookings.filter((booking) => booking.outcome.outcome === 'rejected').length;
  return { records: bookings.length, entries: entries.length, rejected, last: batch.at(-1) ?? null };
};

type RecordBatch = NormalizeTally & { readonly last: InboxPlace | null };

/** What stands of the records of one stream; a first version has nothing booked before it. */
const standsOf = (tx: Kysely<DB>, entity: string, rows: readonly LandedRecord[]) => {
  const recordIds = rows.filter(({ version }) => version > 1).map(({ record_id }) => record_id);
  return standing(tx, { entity, stream: rows[0]?.stream ?? '', recordIds });
};

/** `undecided` names the records whose versions wait. */
type Deciding = BookingContext & { readonly undecided: Set<string> };

/** The bookings that can be decided now: if one version of a record waits, those after it wait too. */
const decided = (rows: readonly LandedRecord[], situation: Deciding): Booking[] =>
  rows.flatMap((landed) => {
    const name = `${landed.stream} ${landed.record_id}`;
    if (situation.undecided.has(name)) return [];
    try {
      return [bookingOf(landed, situation)];
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      situation.undecided.add(name);
      return [];
    }
  });

const storeOutcomes = (tx: Kysely<DB>, entity: string, bookings: readonly Booking[]): Promise<void> =>
  insertRows(
    tx,
    'ledger.outcomes',
    bookings.map(({ landed, outcome, isFinal, ruleVersion }) => ({
      entity_id: entity,
      stream: landed.stream,
      record_id: landed.record_id,
      version: landed.version,
      outcome: outcome.outcome,
      reason: 'reason' in outcome ? outcome.reason : null,
      final: isFinal,
      rule_version: ruleVersion,
    })),
  );
