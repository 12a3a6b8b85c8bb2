// Values a batch of events, one after the other. A late reversal and the entry in place of what it reverses are valued together: first what
// the reversed entry used is restored, then the new entry is valued, then the lots of the reversed one leave. So neither lacks the
// other's lots, and lots that were used since are replaced by the new entry's.
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Turns } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Batch } from './batches.ts';
import { valueEvent } from './booking.ts';
import { beginStored, movesOwn, valueCorrection } from './corrections.ts';
import type { EntryValues, Event } from './event.ts';
import { orderInstant, type Stock } from './instant.ts';
import type { BegunReversal } from './reversal.ts';
import { type State, unitsOf } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';
import { allotLots, countUnits, placeOf, settleLots } from './wallets.ts';
import type { BatchWriter } from './writing.ts';

/** A reversal that waits for the entry in place of the one that it reverses. */
type WaitingReversal = BegunReversal & { readonly event: Event; readonly currencies: Set<string> };

export type ValuedSoFar = Pick<Taxpayer, 'closed'> & {
  readonly state: State;
  readonly writer: BatchWriter;
  readonly turns: Turns;
  /** By the entry that each waits for. */
  readonly waiting: Map<string, WaitingReversal>;
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
  const { closed, state, waiting, batch } = valuing;
  const values = movesOwn(event)
    ? await onStored(valuing, () => valueCorrection(tx, event, { state, market: batch.market, closed }))
    : valueEvent(event, state, batch.market);
  const key = keyOf(event.entity, event.id);
  const replaced = waiting.get(key);
  replaced?.removeLots();
  finish(valuing, { event, values, currencies: countUnits(state, event) });
  if (replaced) finish(valuing, replaced);
  waiting.delete(key);
};

const valueReversal = async (tx: Kysely<DB>, event: Event, valuing: Valuing): Promise<void> => {
  const { closed, state, waiting, batch } = valuing;
  const begun = await onStored(valuing, () =>
    beginStored(tx, event, { state, market: batch.market, closed }),
  );
  const reversal = { ...begun, event, currencies: countUnits(state, event) };
  if (event.correctedBy !== null) {
    waiting.set(keyOf(event.entity, event.correctedBy), reversal);
    return;
  }
  reversal.removeLots();
  finish(valuing, reversal);
};

/** Values that rest on stored ones: those of the events before are stored first. */
const onStored = <T>({ turns, writer }: Valuing, value: () => Promise<T>): Promise<T> => {
  void turns.run(writer.take());
  return turns.run(value);
};

type Valued = { readonly event: Event; readonly values: EntryValues; readonly currencies: Set<string> };

const finish = ({ state, writer }: Valuing, valued: Valued): void => {
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
