// The public module of valuation: values in the reporting currency beside the booked units, and their lots. It reads
// entries, records and rates, and writes the schema value, which can always be derived again. Each month is stored with
// the fingerprint of its sources, so that a night values only changed months and those after them.
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { inTurn, renewStatistics, type Turns } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { valueEvent } from './booking.ts';
import type { Event } from './event.ts';
import type { Market } from './exchange.ts';
import { type ChangedMonths, fingerprints } from './fingerprints.ts';
import { orderInstant, type Stock } from './instant.ts';
import { addOutsideLots } from './outside.ts';
import { pricesOf, type Rate } from './prices.ts';
import { ratesBetween } from './rates.ts';
import { eventsOf, type Range } from './reading.ts';
import { stateAt, storedValuesOf } from './restoring.ts';
import { reverseEvent } from './reversal.ts';
import { type State, unitsOf } from './state.ts';
import { type Taxpayer, taxpayers } from './taxpayers.ts';
import type { ValuedBooks } from './unfinished.ts';
import {
  type BatchWriter,
  batchWriter,
  forgetSources,
  removeValues,
  storeSources,
  sumMonths,
  type ValuedMonth,
  writeMonths,
  writeOutside,
} from './writing.ts';

export { refuseUnfinished, type Unfinished, unfinished } from './unfinished.ts';

/** The taxpayer that was valued, from which month on, and the number of entries. from is null if nothing changed. */
export type Derived = { readonly taxpayer: string; readonly from: string | null; readonly entries: number };

export type DeriveOptions = { readonly onBatch?: (derived: Derived) => void };

/** Updates the values of every taxpayer, each in one transaction. */
export const derive = async (
  db: Kysely<DB>,
  books: ValuedBooks,
  { onBatch = () => {} }: DeriveOptions = {},
): Promise<Derived[]> => {
  const derived: Derived[] = [];
  const { sources, changes } = await fingerprints(db, await taxpayers(db, books.currency));
  for (const change of changes) derived.push(await deriveChanged(db, { change, books, onBatch }));
  await storeSources(db, sources);
  await renewStatistics(
    db,
    'value',
    derived.reduce((sum, { entries }) => sum + entries, 0),
  );
  return derived;
};

type TaxpayerJob = {
  readonly change: ChangedMonths & { readonly taxpayer: Taxpayer };
  readonly books: ValuedBooks;
  readonly onBatch: (derived: Derived) => void;
};

const deriveChanged = async (db: Kysely<DB>, job: TaxpayerJob): Promise<Derived> => {
  const { taxpayer, from } = job.change;
  if (from === null) return { taxpayer: taxpayer.name, from, entries: 0 };
  return db.transaction().execute((tx) => deriveFrom(tx, from, job));
};

const deriveFrom = async (
  tx: Kysely<DB>,
  from: string,
  { change: { taxpayer, now, isLate: isNewlyLate }, books: { timezone }, onBatch }: TaxpayerJob,
): Promise<Derived> => {
  let derived: Derived = { taxpayer: taxpayer.name, from, entries: 0 };
  const isLate = isNewlyLate || (await hasLate(tx, taxpayer, from));
  await removeValues(tx, taxpayer, from);
  const state = await stateAt(tx, taxpayer, from);
  await writeOutside(tx, taxpayer, await addOutsideLots(tx, taxpayer, state));
  const turns = inTurn();
  const books = { state, writer: batchWriter(tx, taxpayer), turns };
  const batches = batchesOf(tx, { taxpayer, from, timezone, isLate });
  const read = () => turns.run(async () => (await batches.next()).value ?? null);
  try {
    let next = read();
    for (let batch = await next; batch !== null; batch = await next) {
      next = read(); // the database stores the batch before and reads the next one while this one is valued
      await valueBatch(tx, batch, books);
      void turns.run(books.writer.take());
      derived = { ...derived, entries: derived.entries + batch.instants.flat().length };
      onBatch(derived);
    }
  } finally {
    await turns.settled();
  }
  await sumMonths(tx, taxpayer, from);
  await writeMonths(tx, taxpayer, now);
  return derived;
};

/** Whether an entry of a closed month was valued in an open month from `from` on: it must be valued there again. */
const hasLate = async (
  tx: Kysely<DB>,
  { name, entities, closed }: Taxpayer,
  from: string,
): Promise<boolean> => {
  if (closed === '') return false;
  const { rows } = await sql<{ late: boolean }>`
    select exists (
      select from value.postings v join ledger.entries e using (entity_id, entry_id)
      where (v.taxpayer = ${name} or v.entity_id = any(${entities}::text[])) and v.period >= ${from} and e.period <= ${closed}
    ) as late`.execute(tx);
  return rows[0]?.late === true;
};

/** The instants of a batch, and what their events are worth. */
type Batch = { readonly instants: readonly Event[][]; readonly market: Market };

async function* batchesOf(tx: Kysely<DB>, range: Range): AsyncGenerator<Batch, null> {
  for await (const instants of eventsOf(tx, range))
    yield { instants, market: await marketOf(tx, range.taxpayer, instants.flat()) };
  return null;
}

/** What the events of a batch are worth: their rates, and which of their currencies are a state's money. */
const marketOf = async (
  tx: Kysely<DB>,
  { currency: reporting }: Taxpayer,
  events: readonly Event[],
): Promise<Market> => {
  const currencies = currenciesOf(events);
  const fiat = await fiatIn(tx, currencies);
  currencies.delete(reporting);
  const prices = pricesOf(reporting, await ratesFor(tx, events, { reporting, currencies: [...currencies] }));
  return { reporting, prices, isFiat: (currency) => fiat.has(currency) };
};

/** After so many events the batch before is sent on: a statement of some megabytes goes out in many parts. */
const EVENTS_A_TURN = 25;

type ValuedSoFar = { readonly state: State; readonly writer: BatchWriter; readonly turns: Turns };

/** Values a batch. A reversal needs the stored values of its entry, so those before it are stored first. */
const valueBatch = async (
  tx: Kysely<DB>,
  { instants, market }: Batch,
  { state, writer, turns }: ValuedSoFar,
): Promise<void> => {
  const stock = { reporting: market.reporting, unitsOf: (key: string) => unitsOf(state, key) };
  let events = 0;
  for (const event of inOrder(instants, stock)) {
    events += 1;
    if (events % EVENTS_A_TURN === 0) await setImmediate();
    const { entity, reverses } = event;
    if (reverses === null) writer.add(event, valueEvent(event, state, market));
    else {
      void turns.run(writer.take());
      const stored = await turns.run(() => storedValuesOf(tx, entity, reverses));
      writer.add(event, reverseEvent(event, stored, { state, market }));
    }
  }
};

/** One instant after the other, because the units available at one depend on those before it. */
function* inOrder(instants: readonly Event[][], stock: Stock): Generator<Event> {
  for (const events of instants) yield* orderInstant(events, stock);
}

const currenciesOf = (events: readonly Event[]): Set<string> => {
  const currencies = new Set<string>();
  for (const { legs } of events) for (const { currency } of legs) currencies.add(currency);
  return currencies;
};

/** The currencies among the given ones that are a state's money. */
const fiatIn = async (tx: Kysely<DB>, currencies: ReadonlySet<string>): Promise<Set<string>> => {
  const { rows } = await sql<{ currency: string }>`
    select currency from unnest(${[...currencies]}::text[]) as moved (currency)
    where books_internal.is_fiat(currency)`.execute(tx);
  return new Set(rows.map(({ currency }) => currency));
};

const ratesFor = async (
  tx: Kysely<DB>,
  events: readonly Event[],
  { reporting, currencies }: { readonly reporting: string; readonly currencies: readonly string[] },
): Promise<Rate[]> => {
  if (currencies.length === 0) return [];
  let [from, to] = [Infinity, 0];
  for (const { micros } of events) [from, to] = [Math.min(from, micros), Math.max(to, micros)];
  return ratesBetween(tx, { reporting, currencies, from, to });
};

/** Drops the values of open months; only a rebuild does this. */
export const forgetValues = async (
  db: Kysely<DB>,
  { currency }: Pick<ValuedBooks, 'currency'>,
): Promise<void> => {
  await forgetSources(db);
  for (const taxpayer of await taxpayers(db, currency)) {
    const from = taxpayer.closed === '' ? '' : monthAfter(taxpayer.closed);
    await db.transaction().execute(async (tx) => {
      const closedMonths = await monthsBefore(tx, taxpayer, from);
      await removeValues(tx, taxpayer, from);
      await writeMonths(tx, taxpayer, closedMonths);
    });
  }
};

/** Earlier months: they keep their fingerprints, except that their entries are counted again. */
const monthsBefore = async (
  tx: Kysely<DB>,
  { name, entities }: Taxpayer,
  from: string,
): Promise<ValuedMonth[]> => {
  const { rows } = await sql<ValuedMonth>`
    select entity_id, period, -1 as entries, last_at, counterparties, fingerprint from value.months
    where (taxpayer = ${name} or entity_id = any(${entities}::text[])) and period < ${from}`.execute(tx);
  return rows;
};
