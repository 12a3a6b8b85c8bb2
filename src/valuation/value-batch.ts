// Values a batch of events, one after the other. A late reversal and the entry in place of what it reverses are valued together: first what
// the reversed entry used is restored, then the new entry is valued, then the lots of the reversed one leave. So neither lacks the
// other's lots, and lots that were used since are replaced by the new entry's.
import { strict as assert } from 'node:assert';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Turns } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Batch } from './batches.ts';
import { valueEvent } from './booking.ts';
import { cancelledDepartures, sentTo } from './cancelled-departures.ts';
import { movesOwn, stayingLots } from './corrections.ts';
import type { EntryValues, Event, Use } from './event.ts';
import { orderInstant, type Stock } from './instant.ts';
import type { StayingLots } from './moved-lots.ts';
import { closedDepartures } from './not-arrived.ts';
import { allotLots, countUnits, placeOf, settleLots } from './places.ts';
import { type BegunReversal, beginReversal, type ReversedEntry } from './reversal.ts';
import { returnedBefore } from './sent-again.ts';
import { type State, unitsOf } from './state.ts';
import { storedValuesOf } from './stored-values.ts';
import type { Taxpayer } from './taxpayers.ts';
import { chargedFees } from './transfer-fees.ts';
import type { BatchWriter } from './writing.ts';

/** A reversal that waits for the entry in place of the one that it reverses, and the lots that both leave where they are. */
type WaitingReversal = BegunReversal & {
  readonly event: Event;
  readonly currencies: Set<string>;
  readonly staying: readonly StayingLots[] | null;
};

export type ValuedSoFar = {
  readonly taxpayer: Taxpayer;
  readonly state: State;
  readonly writer: BatchWriter;
  readonly turns: Turns;
  /** By the entry that each waits for. */
  readonly waiting: Map<string, WaitingReversal>;
  /** Reversals that come before what they reverse, by that: it stands again since an earlier cancellation, which comes later. */
  readonly early: Map<string, { readonly event: Event; readonly batch: Batch }>;
};

/** After so many events the batch before is sent on: a statement of some megabytes goes out in many parts. */
const EVENTS_A_TURN = 25;

/** Values a batch; the number of its events. */
export const valueBatch = async (tx: Kysely<DB>, batch: Batch, soFar: ValuedSoFar): Promise<number> => {
  const { state, writer } = soFar;
  const stock = {
    reporting: batch.market.reporting,
    unitsOf: (key: string) => unitsOf(state, key),
    placeOf: (entity: string, account: string) => placeOf(state, entity, account),
  };
  const beforeInstant = (event: Event): void => {
    const allotted = allotLots(state, event);
    if (allotted !== null) writer.add(event, allotted);
  };
  let events = 0;
  for (const event of inOrder(batch.instants, stock, beforeInstant)) {
    events += 1;
    if (events % EVENTS_A_TURN === 0) await setImmediate();
    await (event.reverses === null ? valueEntry : valueReversal)(tx, event, { ...soFar, batch });
  }
  return events;
};

type Valuing = ValuedSoFar & { readonly batch: Batch };

const keyOf = (entity: string, entry: string): string => `${entity} ${entry}`;

const valueEntry = async (tx: Kysely<DB>, event: Event, valuing: Valuing): Promise<void> => {
  const { state, waiting, early, batch } = valuing;
  const key = keyOf(event.entity, event.id);
  const replaced = waiting.get(key);
  const staying = replaced?.staying ?? null;
  const whole = movesOwn(event) ? await withMovedLots(tx, event, { staying, valuing }) : event;
  const values = valueEvent(whole, state, batch.market);
  replaced?.removeLots();
  finishEntry(valuing, { event, values, currencies: countUnits(state, event) });
  if (replaced) finishEntry(valuing, replaced);
  waiting.delete(key);
  if (waiting.size === 0) state.allottedSince = null;
  const reversal = early.get(key);
  early.delete(key);
  if (reversal) await valueReversal(tx, reversal.event, { ...valuing, batch: reversal.batch });
};

type Moving = { readonly staying: readonly StayingLots[] | null; readonly valuing: Valuing };

/**
 * An entry in place of an earlier one, with the lots that it leaves where that moved them, or takes back. `staying`: what stays of the lots
 * of the reversed entry, if its reversal is valued together with this one.
 */
const withMovedLots = async (tx: Kysely<DB>, event: Event, { staying, valuing }: Moving): Promise<Event> => {
  const before = {
    taxpayer: valuing.taxpayer,
    pending: pendingUses(valuing),
    isWithReversal: staying !== null,
  };
  const returned = await onStored(valuing, () => returnedBefore(tx, event, before));
  return { ...event, returned, staying: new Map(staying?.map(({ leg, moved }) => [leg, moved])) };
};

/** What the waiting reversals have used so far: it is not stored yet. */
const pendingUses = ({ waiting }: Pick<ValuedSoFar, 'waiting'>): Use[] =>
  [...waiting.values()].flatMap(({ values: { uses } }) => uses);

const valueReversal = async (tx: Kysely<DB>, event: Event, valuing: Valuing): Promise<void> => {
  const { taxpayer, waiting, early, batch } = valuing;
  const { entity, reverses, correctedBy } = event;
  assert(reverses !== null, `${event.id} reverses nothing`);
  const stored = await onStored(valuing, () => storedValuesOf(tx, entity, reverses));
  if (stored.lines.length === 0) {
    early.set(keyOf(entity, reverses), { event, batch });
    return;
  }
  valuing.state.allottedSince ??= new Map();
  const staying = await valuing.turns.run(() => stayingLots(tx, event, { stored, taxpayer }));
  const departures = await valuing.turns.run(() =>
    cancelledDepartures(tx, sentTo(stored), pendingUses(valuing)),
  );
  const charged = await valuing.turns.run(() => chargedFees(tx, stored, event.period));
  const closed = await valuing.turns.run(() => closedDepartures(tx, event, taxpayer.closed));
  const reversed = { stored, staying, departures, charged, closedDepartures: closed };
  const reversal = waitingReversal(valuing, event, reversed);
  if (correctedBy === null) endReversal(valuing, reversal);
  else waiting.set(keyOf(entity, correctedBy), reversal);
};

const waitingReversal = (
  { state, batch: { market } }: Valuing,
  event: Event,
  reversed: ReversedEntry,
): WaitingReversal => {
  const begun = beginReversal(event, reversed, { state, market });
  return { ...begun, event, staying: reversed.staying, currencies: countUnits(state, event) };
};

const endReversal = (soFar: ValuedSoFar, reversal: WaitingReversal): void => {
  reversal.removeLots();
  finishEntry(soFar, reversal);
};

/** Values the reversals that still wait when nothing follows: what one reverses has no values, or nothing stands in its place. */
export const valueWaiting = (soFar: ValuedSoFar): void => {
  for (const { event, batch } of soFar.early.values())
    endReversal(soFar, waitingReversal({ ...soFar, batch }, event, UNKNOWN));
  for (const reversal of soFar.waiting.values()) endReversal(soFar, reversal);
};

const UNKNOWN: ReversedEntry = {
  stored: { lines: [], lots: [], uses: [] },
  staying: null,
  departures: [],
  charged: new Map(),
  closedDepartures: [],
};

/** Values that rest on stored ones: those of the events before are stored first. */
const onStored = <T>({ turns, writer }: Valuing, value: () => Promise<T>): Promise<T> => {
  void turns.run(writer.take());
  return turns.run(value);
};

type Valued = { readonly event: Event; readonly values: EntryValues; readonly currencies: Set<string> };

const finishEntry = ({ state, writer }: ValuedSoFar, valued: Valued): void => {
  settleLots(state, valued);
  writer.add(valued.event, valued.values);
};

/** One instant after the other, because the units available at one depend on those before it. */
function* inOrder(
  instants: readonly Event[][],
  stock: Stock,
  beforeInstant: (event: Event) => void,
): Generator<Event> {
  for (const events of instants) {
    events.forEach(beforeInstant);
    yield* orderInstant(events, stock);
  }
}
