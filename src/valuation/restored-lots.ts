// Restores what a reversed entry used of a lot.
import { type EntryValuation, negated, undoneId } from './entry-valuation.ts';
import type { Use } from './event.ts';
import { allotFraction, placeOf } from './places.ts';
import { restoreUnits } from './pool.ts';
import { HELD, poolOf } from './state.ts';

export const restoreUse = (valuation: EntryValuation, use: Use): void => {
  const { pool, currency, lot, units, cost } = use;
  valuation.values.uses.push({
    ...use,
    id: undoneId(valuation),
    kind: 'undone',
    units: -units,
    cost: negated(cost),
    proceeds: negated(use.proceeds),
    feeInProceeds: -use.feeInProceeds,
  });
  if (lot === null) return;
  const { state, event, values } = valuation;
  if (pool !== 'held' || !state.isPerPlace) {
    restoreUnits(poolOf(state, { name: pool, entity: lot.entity }, currency), { ...lot, units, cost });
    return;
  }
  const account = event.legs.find(({ leg }) => leg === use.leg)?.debit ?? '';
  const to = placeOf(state, event.entity, account); // the units go back from the credit to the debit
  const returned = { fraction: { lot, units, cost }, from: HELD, to };
  allotFraction(state, { event, values, currency, step: 's' }, returned);
};
