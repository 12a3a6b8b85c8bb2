// Moves a part of a lot from one pool to another: a use of the one and a lot of the other, with its cost and age.
import type { EntryValues, Event, NewLot, Use } from './event.ts';
import type { Acquired, Lot } from './lot-queue.ts';
import { addLot, type Fraction } from './pool.ts';
import { nextLot, type PoolPlace, poolOf, type State } from './state.ts';

type Moving = Pick<Use, 'id' | 'kind'> &
  Pick<NewLot, 'currency' | 'leg' | 'origin'> & { readonly from: PoolPlace; readonly to: PoolPlace };

/** Returns the new lot. Units that no lot covers arrive as a lot of now. */
export const moveFraction = (
  state: State,
  { event, values }: { readonly event: Event; readonly values: EntryValues },
  fraction: Fraction,
  { id, kind, currency, leg, origin, from, to }: Moving,
): NewLot => {
  const { units, cost, lot: taken } = fraction;
  const { acquiredAt, micros } = taken ?? { acquiredAt: event.effectiveAt, micros: event.micros };
  values.uses.push({
    ...fraction,
    id,
    pool: from.name,
    currency,
    leg,
    kind,
    proceeds: null,
    feeInProceeds: 0n,
    exchangedFor: null,
  });
  const lot: NewLot = {
    id,
    pool: to.name,
    currency,
    leg,
    acquiredAt,
    micros,
    seq: nextLot(state),
    units,
    cost,
    origin,
  };
  values.lots.push(lot);
  addLot(poolOf(state, to, currency), lotOf(lot, event.entity, taken?.acquired));
  return lot;
};

/** A new lot as its pool holds it. One that was moved keeps what was acquired: its share of the cost is rounded. */
export const lotOf = (lot: NewLot, entity: string, acquired: Acquired = lot): Lot => ({
  entity,
  id: lot.id,
  acquiredAt: lot.acquiredAt,
  micros: lot.micros,
  seq: lot.seq,
  acquired: { units: acquired.units, cost: acquired.cost },
  units: lot.units,
  cost: lot.cost,
});
