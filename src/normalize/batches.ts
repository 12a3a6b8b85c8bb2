// Batches: each is booked in one transaction. While one is written, the next one is read and decided on a second connection,
// so that the program and the database work at the same time.
import { setImmediate } from 'node:timers/promises';
import type { ControlledTransaction, Kysely } from 'kysely';
import { copyBatch } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { preparePost } from '../ledger/ledger.ts';
import { storePlatformClass, storeSettings } from '../run/run.ts';
import {
  type Booking,
  type BookingContext,
  bookingOf,
  isByClass,
  type LandedRecord,
  type WritableEntityBooks,
} from './booking.ts';
import { Undecided } from './context.ts';
import { BATCH, type InboxPlace, takeOut, type WaitingRecord, waitingAfter } from './inbox.ts';
import { bookedStanding } from './standing.ts';

export type NormalizeTally = {
  readonly records: number;
  readonly entries: number;
  readonly rejected: number;
};

/** One pass over the inbox of an entity. `undecided` names the records whose versions wait. */
type Pass = Omit<BookingContext, 'stands'> & {
  readonly books: WritableEntityBooks;
  readonly undecided: Set<string>;
};

/** A batch that is decided and laid out, and not yet written, in a transaction that is open. */
type OpenBatch = {
  readonly tx: ControlledTransaction<DB>;
  /** The last place that was read; null if the inbox was empty. */
  readonly last: InboxPlace | null;
  /** Whether more may wait behind it. */
  readonly isFull: boolean;
  readonly tally: NormalizeTally;
  readonly store: (tx: Kysely<DB>) => Promise<void>;
};

/** Books what waits in the inbox, batch by batch. `onBatch` hears of each one when it is committed. */
export const bookBatches = async (
  db: Kysely<DB>,
  pass: Pass,
  onBatch: (tally: NormalizeTally) => void,
): Promise<void> => {
  let open: OpenBatch | null = await openBatch(db, pass, { after: null, before: Promise.resolve() });
  while (open !== null) open = await writeAndOpen(db, pass, { batch: open, onBatch });
};

/** Writes a batch, and meanwhile opens the next one; if either fails, nothing more is booked. */
const writeAndOpen = async (
  db: Kysely<DB>,
  pass: Pass,
  { batch, onBatch }: { readonly batch: OpenBatch; readonly onBatch: (tally: NormalizeTally) => void },
): Promise<OpenBatch | null> => {
  const writing = writeBatch(batch);
  const opening = openNext(db, pass, { batch, before: writing });
  const [written, opened] = await Promise.allSettled([writing.then(onBatch), opening]);
  if (written.status === 'rejected') {
    if (opened.status === 'fulfilled' && opened.value) await rollBack(opened.value.tx);
    throw written.reason;
  }
  if (opened.status === 'rejected') throw opened.reason;
  return opened.value;
};

/** A lost connection has already rolled back: the first error is reported. */
const rollBack = (tx: OpenBatch['tx']): Promise<void> =>
  tx
    .rollback()
    .execute()
    .catch(() => {});

/** A batch that is not full was the last: what lands later is booked by the next pass. */
const openNext = async (
  db: Kysely<DB>,
  pass: Pass,
  { batch, before }: { readonly batch: OpenBatch; readonly before: Promise<unknown> },
): Promise<OpenBatch | null> => {
  return batch.isFull ? openBatch(db, pass, { after: batch.last, before }) : null;
};

/** Reads, decides and lays out the batch after a place. A changed record depends on what the batch before it books. */
const openBatch = async (
  db: Kysely<DB>,
  pass: Pass,
  { after, before }: { readonly after: InboxPlace | null; readonly before: Promise<unknown> },
): Promise<OpenBatch> => {
  const tx = await db.startTransaction().execute();
  try {
    const waiting = await waitingAfter(tx, pass.books.entity, after);
    if (waiting.some(({ version }) => version > 1)) await before;
    const bookings = await decide(tx, waiting, pass);
    const last = waiting.at(-1) ?? null;
    return {
      tx,
      last,
      isFull: waiting.length === BATCH,
      ...layOut(pass, { waiting, bookings, after, last }),
    };
  } catch (error) {
    await rollBack(tx);
    throw error;
  }
};

/** After so many decisions the program sends what the database waits for: the next statement of the batch before. */
const SLICE = 25;

const decide = async (tx: Kysely<DB>, waiting: readonly WaitingRecord[], pass: Pass): Promise<Booking[]> => {
  const bookings: Booking[] = [];
  for (const stream of new Set(waiting.map((landed) => landed.stream))) {
    const rows = waiting.filter((landed) => landed.stream === stream);
    const situation = { ...pass, stands: await standsOf(tx, pass.books, rows) };
    for (let start = 0; start < rows.length; start += SLICE) {
      bookings.push(...decided(rows.slice(start, start + SLICE), situation));
      await setImmediate();
    }
  }
  return bookings;
};

/** What stands of the records of one stream; a first version has nothing booked before it. */
const standsOf = (
  tx: Kysely<DB>,
  { entity, currency }: WritableEntityBooks,
  rows: readonly LandedRecord[],
) => {
  const recordIds = rows.filter(({ version }) => version > 1).map(({ record_id }) => record_id);
  return bookedStanding(tx, { entity, currency, stream: rows[0]?.stream ?? '', recordIds });
};

/** The bookings that can be decided now: if one version of a record waits, those after it wait too. */
const decided = (
  rows: readonly LandedRecord[],
  situation: BookingContext & Pick<Pass, 'undecided'>,
): Booking[] =>
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

/** Writes a batch and commits it; on failure nothing of it is written. */
const writeBatch = async ({ tx, tally, store }: OpenBatch): Promise<NormalizeTally> => {
  try {
    await store(tx);
    await tx.commit().execute();
    return tally;
  } catch (error) {
    await rollBack(tx);
    throw error;
  }
};

type DecidedBatch = {
  readonly waiting: readonly WaitingRecord[];
  readonly bookings: readonly Booking[];
  readonly after: InboxPlace | null;
  readonly last: InboxPlace | null;
};

/** The rows of a batch, ready to be sent: while the database writes them, the program has the next batch to decide. */
const layOut = (
  { books }: Pass,
  { waiting, bookings, after, last }: DecidedBatch,
): Pick<OpenBatch, 'tally' | 'store'> => {
  const entries = bookings.flatMap((booking) => booking.entries);
  const isBooked = new Set(bookings.map(({ landed }) => landed));
  const places = waiting.filter((landed) => isBooked.has(landed)).map(({ place }) => place);
  const [post, storeOutcomes] = [preparePost(entries), outcomesOf(books.entity, bookings)];
  const store = async (tx: Kysely<DB>): Promise<void> => {
    await takeOut(tx, books.entity, { places, after, last });
    await post(tx);
    await storeOutcomes(tx);
    if (entries.length > 0) await storeSettings(tx, books);
    if (bookings.some((booking) => isByClass(booking, books))) await storePlatformClass(tx, books, 'first');
  };
  const rejected = bookings.filter((booking) => booking.outcome.outcome === 'rejected').length;
  return { tally: { records: bookings.length, entries: entries.length, rejected }, store };
};

const outcomesOf = (entity: string, bookings: readonly Booking[]): ((tx: Kysely<DB>) => Promise<void>) => {
  const outcomes = copyBatch('ledger.outcomes');
  for (const { landed, outcome, isFinal, ruleVersion } of bookings)
    outcomes.add({
      entity_id: entity,
      stream: landed.stream,
      record_id: landed.record_id,
      version: landed.version,
      outcome: outcome.outcome,
      reason: 'reason' in outcome ? outcome.reason : null,
      final: isFinal,
      rule_version: ruleVersion,
    });
  return outcomes.take();
};
