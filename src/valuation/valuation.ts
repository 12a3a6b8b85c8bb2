// The public module of valuation: values in the reporting currency beside the booked units, and their lots. It reads entries, records and
// rates, and writes the schema value, which can always be derived again. Each month is stored with the fingerprint of its sources, so that
// a night values only changed months and those after them; of a month that only grew, the new entries.
//
// changes.ts finds the first month to value, from sources.ts and fingerprints.ts. restoring.ts restores the state before it. reading.ts
// reads its entries as events, in the order of event-cursor.ts, and batches.ts adds their rates. value-batch.ts values them one by one: an
// entry in booking.ts, by the prices of leg-values.ts and the lots of lots.ts and leaving.ts; a reversal in reversal.ts; and corrections.ts
// finds the lots that an entry in place of a reversed one leaves where they are, and sent-again.ts those that it takes back, with
// received-before.ts; cancelled-departures.ts those that nobody waits for in transit, not-arrived.ts those that stay there alone, and
// wallet-lots.ts what comes back of own wallets. writing.ts stores all of it.
import { type Kysely, sql } from 'kysely';
import { atMost, together } from '../base/together.ts';
import { inTurn, renewStatistics } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { batchesOf } from './batches.ts';
import { type ChangedMonths, readChanges } from './changes.ts';
import { addExternalLots } from './external-lots.ts';
import { lastValued } from './grown.ts';
import { hasLate, lateMonths } from './late.ts';
import { hasMovedEntity } from './moved-entities.ts';
import type { Range } from './range.ts';
import { stateAt } from './restoring.ts';
import type { Sources } from './sources.ts';
import type { State } from './state.ts';
import { type Taxpayer, taxpayers } from './taxpayers.ts';
import type { ValuedBooks } from './unfinished.ts';
import { type ValuedSoFar, valueBatch, valueWaiting } from './value-batch.ts';
import {
  batchWriter,
  forgetSources,
  LATER,
  noteOpenLots,
  removeTogether,
  removeValues,
  storeSources,
  sumMonths,
  type ValuedMonth,
  writeExternalLots,
  writeMonths,
} from './writing.ts';

export { refuseUnfinished, type Unfinished, unfinished } from './unfinished.ts';
export { valueAgainFrom } from './writing.ts';

/** The taxpayer that was valued, from which month on, and the number of entries. from is null if nothing changed. */
type Derived = { readonly taxpayer: string; readonly from: string | null; readonly entries: number };

/**
 * `before`: only the months before this one, because later ones are still being read. `atOnce`: how many taxpayers are valued at a time,
 * by default one; more only where each transaction has a connection of its own.
 */
export type DeriveOptions = {
  readonly onBatch?: (derived: Derived) => void;
  readonly before?: string | undefined;
  readonly atOnce?: number;
};

/** Updates the values of every taxpayer, each in one transaction; all in one where an entity has moved, which `before` leaves alone. */
export const derive = async (
  db: Kysely<DB>,
  books: ValuedBooks,
  { onBatch = () => {}, before, atOnce = 1 }: DeriveOptions = {},
): Promise<Derived[]> => {
  const payers = await taxpayers(db, books.currency);
  const { sources, changes } = await readChanges(db, payers, before);
  const isMoved = await hasMovedEntity(db, payers, sources);
  if (isMoved && before !== undefined) return [];
  const jobs = changes.map((change) => ({ change, sources, books, onBatch, before }));
  const inTime = atMost(atOnce);
  const derived = isMoved
    ? await deriveMoved(db, jobs)
    : await together(jobs.map((job) => inTime(() => deriveChanged(db, job))));
  if (before === undefined) await storeSources(db, sources);
  await renewStatistics(db, 'value');
  return derived;
};

type TaxpayerJob = {
  readonly change: ChangedMonths;
  readonly sources: Sources;
  readonly books: ValuedBooks;
  readonly onBatch: (derived: Derived) => void;
  readonly before: string | undefined;
};

/**
 * Values the changed months of all taxpayers from nothing, in one transaction: an entity takes its lots from one to another. Which late
 * entries were valued in an open month shows only before the old values are removed.
 */
const deriveMoved = (db: Kysely<DB>, jobs: readonly TaxpayerJob[]): Promise<Derived[]> =>
  db.transaction().execute(async (tx) => {
    const anew: TaxpayerJob[] = [];
    for (const job of jobs) {
      const { taxpayer, from, isLate } = job.change;
      const hasLateNow = isLate || (from !== null && (await hasLate(tx, taxpayer, from)));
      anew.push({ ...job, change: { ...job.change, isLate: hasLateNow, standing: [] } });
    }
    await removeTogether(
      tx,
      jobs.map(({ change }) => change.taxpayer),
      anew.flatMap(({ change: { taxpayer, from } }) => (from === null ? [] : [{ taxpayer, from }])),
    );
    const derived: Derived[] = [];
    for (const job of anew) derived.push(await deriveIn(tx, job));
    return derived;
  });

const deriveChanged = (db: Kysely<DB>, job: TaxpayerJob): Promise<Derived> =>
  job.change.from === null && !job.change.isRemarked
    ? deriveIn(db, job)
    : db.transaction().execute((tx) => deriveIn(tx, job));

const deriveIn = async (tx: Kysely<DB>, job: TaxpayerJob): Promise<Derived> => {
  const { taxpayer, from, months, isRemarked } = job.change;
  if (from !== null) return deriveFrom(tx, from, job);
  if (isRemarked) await writeMonths(tx, taxpayer, months);
  return { taxpayer: taxpayer.name, from, entries: 0 };
};

const deriveFrom = async (tx: Kysely<DB>, from: string, job: TaxpayerJob): Promise<Derived> => {
  const { taxpayer, months, lateOf } = job.change;
  const range = await rangeOf(tx, from, job);
  let derived: Derived = { taxpayer: taxpayer.name, from, entries: 0 };
  if (range.after === null) await removeValues(tx, taxpayer, from);
  const state = await stateAt(tx, taxpayer, range.after === null ? from : LATER);
  await writeExternalLots(tx, taxpayer, await addExternalLots(tx, taxpayer, state));
  for await (const entries of valuedBatches(tx, range, state)) {
    derived = { ...derived, entries: derived.entries + entries };
    job.onBatch(derived);
  }
  await renewStatistics(tx, 'value'); // what follows reads all that was just written
  await noteOpenLots(tx, range);
  await sumMonths(tx, taxpayer, from);
  const isLateMonth = await lateMonths(tx, [taxpayer]);
  await writeMonths(
    tx,
    taxpayer,
    months.map((month) => (isLateMonth(month) ? { ...month, fingerprint: lateOf(month) } : month)),
  );
  return derived;
};

/** What to value of a taxpayer from its first changed month on. */
const rangeOf = async (
  tx: Kysely<DB>,
  from: string,
  { change, sources, books: { timezone }, before }: TaxpayerJob,
): Promise<Range> => {
  const { taxpayer } = change;
  const isLate = change.isLate || (await hasLate(tx, taxpayer, from));
  const after = isLate ? null : await lastValued(tx, change, sources);
  return { taxpayer, from, before, after, timezone, isLate };
};

/**
 * Values a taxpayer's entries batch by batch, and yields the number of each. Meanwhile the database stores the batch before
 * and reads the next one.
 */
async function* valuedBatches(tx: Kysely<DB>, range: Range, state: State): AsyncGenerator<number> {
  const turns = inTurn();
  const writer = batchWriter(tx, range.taxpayer);
  const soFar: ValuedSoFar = {
    taxpayer: range.taxpayer,
    state,
    writer,
    turns,
    waiting: new Map(),
    early: new Map(),
  };
  const batches = batchesOf(tx, range);
  const read = () => turns.run(async () => (await batches.next()).value ?? null);
  try {
    let next = read();
    for (let batch = await next; batch !== null; batch = await next) {
      next = read();
      const entries = await valueBatch(tx, batch, soFar);
      void turns.run(writer.take());
      yield entries;
    }
    valueWaiting(soFar);
    void turns.run(writer.take());
  } finally {
    await turns.settled();
  }
}

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
