// Reads a taxpayer's entries in the order in which they take effect, with the values that their records report. An entry
// and the reversal that corrects it at the same instant cancel out and are left out. Late entries count at the start of
// their posting month, so that no closed month changes, month by month as they are booked; reversals there come first, the latest first; the
// lots of what they reverse leave once the entry in its place is valued.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { arrayText, correction, counting, isCounted, undoneEntries, waitingEntries } from './counting.ts';
import type { Event } from './event.ts';
import { type EventRow, legsOf } from './event-row.ts';
import { type Facts, factsOf } from './facts.ts';
import { pagesOf } from './fetching.ts';
import { chosenLotsOf } from './lot-choices.ts';
import type { Range } from './range.ts';
import { type Counterparties, counterpartiesOf } from './taxpayers.ts';

const BATCH = 1_000;

/**
 * Batches of instants from a month on, each instant with all its events. Runs in the given transaction, because a cursor
 * keeps the position.
 */
export async function* eventsOf(
  tx: Kysely<DB>,
  range: Range,
  batchSize: number = BATCH,
): AsyncGenerator<Event[][]> {
  await sql`set local work_mem = '64MB'`.execute(tx);
  await declare(tx, range);
  let open: EventRow[] = []; // of the last instant, which may continue in the next batch
  for await (const rows of pagesOf<EventRow>(tx, { cursor: 'value_events', pageRows: batchSize })) {
    for (const row of rows) open.push(row);
    const last = open.at(-1)?.instant;
    const whole = open.slice(
      0,
      open.findIndex(({ instant }) => instant === last),
    );
    open = open.slice(whole.length);
    if (whole.length > 0) yield instantsOf(whole, await readEvents(tx, range, whole));
  }
  if (open.length > 0) yield instantsOf(open, await readEvents(tx, range, open));
}

const readEvents = async (
  tx: Kysely<DB>,
  { taxpayer }: Range,
  rows: readonly EventRow[],
): Promise<Event[]> => {
  const facts = await factsOf(tx, rows, taxpayer.currency);
  const counterparties = await counterpartiesOf(tx, taxpayer, rows);
  const chosenLots = await chosenLotsOf(tx, taxpayer, rows);
  return rows.map((row, nth) => {
    const known = counterparties.get(`${row.entity_id} ${row.entry_id}`) ?? NOBODY;
    return eventFrom(row, facts(row, nth), { ...known, chosenLots: chosenLots(row) });
  });
};

const NOBODY: Counterparties = { counterpartyTypes: new Map(), departures: new Map() };
const NOTHING_STAYING: Event['staying'] = new Map();
const NOTHING_RETURNED: Event['returned'] = new Map();

const instantsOf = (rows: readonly EventRow[], events: readonly Event[]): Event[][] => {
  const instants: Event[][] = [];
  rows.forEach(({ instant }, nth) => {
    const event = events[nth];
    if (!event) return;
    if (nth > 0 && rows[nth - 1]?.instant === instant) instants.at(-1)?.push(event);
    else instants.push([event]);
  });
  return instants;
};

/**
 * Declares the cursor. Entries of a closed month that its values do not include count in the first open month. Legs are
 * looked up entry by entry, and cancelled pairs by a hash, so that the plan does not depend on statistics of tables that
 * were just filled.
 */
const declare = (tx: Kysely<DB>, range: Range) => {
  const { taxpayer, from } = range;
  return sql`
    declare value_events no scroll cursor for
    with recursive ${undoneEntries(range)}, ${waitingEntries(range)}
    select e.entity_id, e.entry_id, e.effective_at, (extract(epoch from e.effective_at) * 1000000)::bigint as micros,
      greatest(counted.period, ${sql.lit(from)}) as period, e.period as booked_in, e.kind, e.stream, e.record_id, e.ordinal, e.version,
      coalesce(restored.reverses, e.reverses, returned.entry_id) as reverses, e.description,
      concat_ws(' ', counted.counted_at, counted.period, counted.is_first, counted.is_undone_late, counted.effective_at) as instant, corrected.entry_id as corrected_by,
      legs.debits, legs.credits, legs.currencies, legs.amounts
    from books.entries e
    left join restored on (restored.entity_id, restored.undone_by) = (e.entity_id, e.reverses)
    left join returned on (returned.entity_id, returned.undone_by) = (e.entity_id, e.entry_id)
    ${counting(sql`e`, range)}
    left join lateral (${correction(range)}) as corrected on counted.is_undone_late
    where e.entity_id = any(${sql.lit(arrayText(taxpayer.entities))}::text[]) and ${isCounted(sql`e`, range)}
    order by counted.counted_at, counted.period, not counted.is_first, not counted.is_undone_late, case when counted.is_undone_late then e.effective_at end desc,
      counted.effective_at, 'equity:external:person' = any (legs.credits) or sent.effective_at is not null, ${LISTED}`.execute(
    tx,
  );
};

/**
 * The order of entries at one instant, before orderInstant considers the units that they add and use: that of the
 * gateway's lists, by time and then by id (assumption). A correction takes the place of the original record.
 */
const LISTED = sql`e.entity_id collate "C", e.stream collate "C", e.record_id collate "C", e.ordinal`;

/** Field by field, because object spread is slow. */
const eventFrom = (
  row: EventRow,
  { reportedValue, openings }: Facts,
  { counterpartyTypes, departures, chosenLots }: Counterparties & Pick<Event, 'chosenLots'>,
): Event => ({
  entity: row.entity_id,
  id: row.entry_id,
  kind: row.kind,
  description: row.description,
  name: `${row.stream} ${row.record_id}`,
  effectiveAt: row.effective_at,
  period: row.period,
  bookedIn: row.booked_in,
  micros: Number.parseInt(row.micros, 10),
  reverses: row.reverses,
  correctedBy: row.corrected_by,
  legs: legsOf(row),
  reportedValue,
  openings,
  counterpartyTypes,
  departures,
  chosenLots,
  isCorrection: row.ordinal > 1 && row.reverses === null,
  staying: NOTHING_STAYING,
  returned: NOTHING_RETURNED,
});
