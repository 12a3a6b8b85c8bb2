// Staying lots: those that a reversed entry moved, and that the entry in its place moves too.
import type { Atto } from '../base/money.ts';
import { type EntryValuation, negated, undoneId } from './entry-valuation.ts';
import type { MovedLots, Use } from './event.ts';
import type { PricedLeg } from './leg-values.ts';
import { lotIn } from './moved-lots.ts';
import type { Fraction } from './pool.ts';

/**
 * Moves nothing: the lots are where the reversed entry moved them. But both its reversal and the entry in its place say so, so that each can
 * be reversed by itself.
 */
export const leaveMoved = (valuation: EntryValuation, { leg }: PricedLeg, moved: MovedLots): Fraction[] => {
  noteMoved(valuation, { leg, moved, sign: 1n });
  return moved.used.map(({ lot, units, cost }) => ({ lot, units, cost }));
};

type NotedMove = { readonly leg: number; readonly moved: MovedLots; readonly sign: 1n | -1n };

export const noteMoved = (
  valuation: EntryValuation,
  { leg, moved: { used, made }, sign }: NotedMove,
): void => {
  const note = ({
    pool,
    currency,
    lot,
    units,
    cost,
  }: Pick<Use, 'pool' | 'currency' | 'lot' | 'units' | 'cost'>) =>
    valuation.values.uses.push({
      id: undoneId(valuation),
      kind: 'undone',
      pool,
      currency,
      leg,
      lot,
      units,
      cost,
      proceeds: null,
      feeInProceeds: 0n,
      exchangedFor: null,
    });
  const times = (amount: Atto | null) => (amount === null ? null : sign * amount);
  for (const use of used) note({ ...use, units: sign * use.units, cost: times(use.cost) });
  for (const lot of made)
    note({ ...lot, lot: lotIn(lot), units: -sign * lot.units, cost: negated(times(lot.cost)) });
};
