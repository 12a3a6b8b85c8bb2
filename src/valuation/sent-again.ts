// Sent again: what reversals of a departure brought back although it had arrived by then. As many units as the record sends again leave for
// those, before any lot leaves for the wallet or for transit: otherwise units would lie there that have arrived, beside units without a lot.
import type { Kysely } from 'kysely';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { type CancelledDeparture, cancelledDepartures } from './cancelled-departures.ts';
import { type ReplacedLeg, type Replacing, replacedLegs } from './corrections.ts';
import type { Event, MovedLots, ReturnedLots, Use } from './event.ts';
import { lotKeyText } from './lot-queue.ts';
import { isWhole, joined, lastOf, movedBy, partsOf, unitsOf } from './moved-lots.ts';
import { receivedBefore } from './received-before.ts';
import { storedValuesOf } from './stored-values.ts';
import type { Taxpayer } from './taxpayers.ts';

/** `is_after`: the entry has a later time than the reversal. */
type ReversalRow = { readonly entry_id: string; readonly is_after: boolean };

/** What a reversal took back of a departure that a leg stands for now: what had arrived by then, and what waited for its arrival. */
type ReversedLeg = Pick<ReplacedLeg, 'leg' | 'place'> & {
  readonly currency: string;
  readonly arrived: MovedLots;
  readonly inTransit: MovedLots;
};

/** `isWithReversal`: the reversal of the entry before is valued together with this one, so its lots stay where they are. */
type ValuedBefore = {
  readonly taxpayer: Taxpayer;
  readonly pending: readonly Use[];
  readonly isWithReversal: boolean;
};

/**
 * What of a departure is not new, by leg, in the order in which it leaves again: what earlier reversals returned although it had arrived, as far
 * as that is still so; what a closed month received before it was sent; then what else the last reversal returned. An entry that is sent after
 * its reversal sends lots of its own time instead of these last ones.
 */
export const returnedBefore = async (
  tx: Kysely<DB>,
  event: Event,
  before: ValuedBefore,
): Promise<Map<number, ReturnedLots>> => {
  const received = await receivedBefore(tx, event, before.taxpayer.closed);
  const { arrived, inTransit } = await takenBack(tx, event, { ...before, received });
  const returned = new Map<number, ReturnedLots>();
  for (const { leg } of event.legs) {
    const moved = joined([arrived, received, inTransit].flatMap((parts) => parts.get(leg) ?? []));
    const { receivedIn = null } = received.get(leg) ?? {};
    if (moved.used.length > 0) returned.set(leg, { ...moved, receivedIn });
  }
  return returned;
};

type Received = ReadonlyMap<number, ReturnedLots>;

type TakenBack = Readonly<Record<'arrived' | 'inTransit', Map<number, MovedLots>>>;

/**
 * What earlier reversals took back of a departure, by leg: what has still arrived, and what waited for its arrival. Without what they gave back of
 * the lots of `received`, which leaves as such again.
 */
const takenBack = async (
  tx: Kysely<DB>,
  { entity, id }: Event,
  { taxpayer, pending, isWithReversal, received }: ValuedBefore & { readonly received: Received },
): Promise<TakenBack> => {
  const taken = { arrived: new Map<number, MovedLots>(), inTransit: new Map<number, MovedLots>() };
  const query = loadSql('valuation/earlier_reversals.sql', { entity, entry: id });
  const reversals = await readRows<ReversalRow>(tx, query);
  if (reversals.length === 0) return taken;
  const departures = await cancelledDepartures(tx, [{ entity, entry: id }], pending);
  for (const [nth, { entry_id: reversal, is_after }] of reversals.entries()) {
    const takesInTransit = nth === 0 && !is_after && !isWithReversal;
    for (const part of await reversedLegs(tx, { entity, reversal, entry: id }, { taxpayer, received })) {
      const arrived = stillArrived(part, departures);
      if (takesInTransit && (part.arrived.used.length === 0 || arrived.used.length > 0))
        taken.inTransit.set(part.leg, part.inTransit);
      taken.arrived.set(part.leg, joined([arrived, taken.arrived.get(part.leg) ?? NOTHING]));
    }
  }
  return taken;
};

const NOTHING: MovedLots = { used: [], made: [] };

/** What had arrived comes last; of that the last units are still to be sent, the first ones were sent again or have come back. */
const stillArrived = (
  { arrived, place, currency }: ReversedLeg,
  departures: readonly CancelledDeparture[],
): MovedLots => {
  const departure = departures.find((one) => one.pool === place.name && one.currency === currency);
  if (!departure) return NOTHING;
  const still = lastOf(arrived, departure.units);
  departure.units -= unitsOf(still.used);
  return still;
};

const reversedLegs = async (
  tx: Kysely<DB>,
  replacing: Replacing,
  { taxpayer, received }: { readonly taxpayer: Taxpayer; readonly received: Received },
): Promise<ReversedLeg[]> => {
  const leavingAnyway = new Set([...received.values()].flatMap(({ made }) => made.map(lotKeyText)));
  const replaced = await replacedLegs(tx, replacing, taxpayer);
  const stored = await storedValuesOf(tx, replacing.entity, replacing.reversal);
  return replaced.flatMap(({ wasLeg, leg, place, isOutgoing, wasUnits }) => {
    const moved = movedBy(stored, wasLeg);
    const [first] = moved.used;
    const isBack = isOutgoing && moved.used.every(({ pool }) => pool === place.name);
    if (!first || !isBack || !isWhole(moved, wasUnits)) return [];
    const parts = partsOf(moved).filter(
      ({ made }) => !made.some((lot) => leavingAnyway.has(lotKeyText(lot))),
    );
    const arrived = joined(parts.filter(({ used: [use] }) => use?.lot === null));
    const inTransit = joined(parts.filter(({ used: [use] }) => use?.lot !== null));
    return [{ leg, place, currency: first.currency, arrived, inTransit }];
  });
};
