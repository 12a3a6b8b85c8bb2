// Reads a taxpayer's entries in the order in which they take effect, with the values that their records report.
import type { Kysely } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { type Counterparties, counterpartiesOf } from './counterparties.ts';
import type { Event } from './event.ts';
import { entryRows } from './event-cursor.ts';
import { type EventRow, legsOf } from './event-row.ts';
import { type Facts, factsOf } from './facts.ts';
import { chosenLotsOf } from './lot-choices.ts';
import type { Range } from './range.ts';

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
  let open: EventRow[] = []; // of the last instant, which may continue in the next batch
  for await (const rows of entryRows(tx, range, batchSize)) {
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

const NOBODY: Counterparties = { counterpartyTypes: new Map(), departures: new Map(), closedFees: new Map() };
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

/** Field by field, because object spread is slow. */
const eventFrom = (
  row: EventRow,
  { reportedValue, openings }: Facts,
  { counterpartyTypes, departures, closedFees, chosenLots }: Counterparties & Pick<Event, 'chosenLots'>,
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
  closedFees,
  chosenLots,
  isCorrection: row.ordinal > 1 && row.reverses === null,
  staying: NOTHING_STAYING,
  returned: NOTHING_RETURNED,
});
