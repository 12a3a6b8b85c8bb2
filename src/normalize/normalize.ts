// Normalize: every landed version of every record gets one outcome, and booked records become journal entries. Reads landed
// rows, writes the ledger; the rules are pure and have files of their own.
import { type Kysely, type RawBuilder, sql } from 'kysely';
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
import { contextOf } from './context.ts';

export { forget } from './forget.ts';

import { RULES, type Rules } from './rule-table.ts';

export { conserve, isProved } from './conservation.ts';
export { restate } from './restate.ts';

export type NormalizeTally = {
  readonly records: number;
  readonly entries: number;
  readonly rejected: number;
};

/** `onBatch` hears of every transaction; `rules` are those of the program. */
type NormalizeOptions = { readonly rules?: Rules; readonly onBatch?: (tally: NormalizeTally) => void };

const BATCH = 1_000;

/**
 * Books all landed records without an outcome, in batches of one transaction each. Throws a UsageError if a setting differs
 * from that of the entity's first entry.
 */
export const normalize = async (
  db: Kysely<DB>,
  books: WritableEntityBooks,
  { rules = RULES, onBatch = () => {} }: NormalizeOptions = {},
): Promise<NormalizeTally> => {
  await refuseOtherSettings(db, books);
  const context = await contextOf(db, books);
  const seals = await sealsOf(db, books.entity);
  await renewBefore(db, await waitingIn(db, books.entity));
  let tally: NormalizeTally = { records: 0, entries: 0, rejected: 0 };
  let after: BatchPlace = null;
  do {
    const batch: RecordBatch = await db
      .transaction()
      .execute((tx) => normalizeBatch(tx, { books, context, rules, seals }, after));
    tally = {
      records: tally.records + batch.records,
      entries: tally.entries + batch.entries,
      rejected: tally.rejected + batch.rejected,
    };
    if (batch.records > 0) onBatch(tally);
    after = batch.last;
  } while (after !== null);
  await renewStatistics(db, 'ledger', tally.records);
  return tally;
};

const waitingIn = async (db: Kysely<DB>, entity: string): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from land.inbox where entity_id = ${entity}`.execute(db);
  return rows[0]?.waiting ?? 0;
};

const normalizeBatch = async (
  tx: Kysely<DB>,
  situation: Omit<BookingContext, 'stands'> & { readonly books: WritableEntityBooks },
  after: BatchPlace,
): Promise<RecordBatch> => {
  const { books } = situation;
  const batch = await takeFromInbox(tx, books.entity, after);
  const bookings: Booking[] = [];
  for (const stream of new Set(batch.map((landed) => landed.stream))) {
    const rows = batch.filter((landed) => landed.stream === stream);
    const changed = rows.filter(({ version }) => version > 1); // a first version has nothing booked before it
    const stands = await standing(tx, {
      entity: books.entity,
      stream,
      recordIds: changed.map((row) => row.record_id),
    });
    for (const landed of rows) bookings.push(bookingOf(landed, { ...situation, stands }));
  }
  const entries = bookings.flatMap((booking) => booking.entries);
  await post(tx, entries);
  await storeOutcomes(tx, books.entity, bookings);
  if (entries.length > 0) await storeSettings(tx, books);
  const rejected = bookings.filter((booking) => booking.outcome.outcome === 'rejected').length;
  return { records: batch.length, entries: entries.length, rejected, last: batch.at(-1) ?? null };
};

/** The end of the previous batch: the next one starts after the rows that it removed. */
type BatchPlace = Pick<LandedRecord, 'request_id' | 'stream' | 'record_id' | 'version'> | null;
type RecordBatch = NormalizeTally & { readonly last: BatchPlace };

/** The next rows in the order of requests, by their place in the table. */
const nextRows = (entity: string, after: BatchPlace): RawBuilder<unknown> => sql`
  select ctid from land.inbox
  where entity_id = ${entity} and (request_id, stream, record_id, version)
    > (${after?.request_id ?? -1}::bigint, ${after?.stream ?? ''}, ${after?.record_id ?? ''}, ${after?.version ?? 0}::int)
  order by request_id, stream, record_id, version limit ${BATCH}`;

/** Each record is read through its key: a plan that joins may read all records for each batch. */
const takeFromInbox = async (tx: Kysely<DB>, entity: string, after: BatchPlace): Promise<LandedRecord[]> => {
  const { rows } = await sql<LandedRecord>`
    with taken as (
      delete from land.inbox where entity_id = ${entity} and ctid = any(array(${nextRows(entity, after)}))
      returning entity_id, stream, record_id, version
    )
    select taken.stream, taken.record_id, taken.version, r.payload, r.landed_at, r.request_id
    from taken cross join lateral (
      select payload, landed_at, request_id from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (taken.entity_id, taken.stream, taken.record_id, taken.version)
      limit 1
    ) as r
    order by r.request_id, taken.stream, taken.record_id, taken.version`.execute(tx);
  return rows;
};

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
