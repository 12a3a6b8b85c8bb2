// Moved lots: what an entry used of lots, and the lots that it made of them elsewhere. An entry in place of a reversed one moves the same
// units again, or as many as both have: those lots stay where they are.
import { type Atto, shareOf } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import {
  type EntryValuation,
  negated,
  recordGain,
  sumIfKnown,
  undoneId,
  writeValueLine,
} from './entry-valuation.ts';
import type { MovedLots, StoredLot, StoredValues, Use } from './event.ts';
import type { PricedLeg } from './leg-values.ts';
import type { Acquired } from './lot-queue.ts';
import { removeLot } from './lot-removal.ts';
import type { Fraction } from './pool.ts';
import { restoreUse } from './restored-lots.ts';

/** Lots that stay where a reversed leg moved them: that leg, the one of the entry in its place, what both moved, and what only the first did. */
export type StayingLots = {
  readonly wasLeg: number;
  readonly leg: number;
  readonly moved: MovedLots;
  readonly rest: MovedLots;
};

/** What the leg of a stored entry moved. */
export const movedBy = ({ uses, lots }: StoredValues, leg: number): MovedLots => ({
  used: uses.filter((use) => use.leg === leg),
  made: lots.filter((lot) => lot.leg === leg),
});

/** Whether the lots that were used, and those made of them, are exactly so many units each. */
export const isWhole = ({ used, made }: MovedLots, units: Atto): boolean =>
  unitsOf(used) === units && unitsOf(made) === units;

export const unitsOf = (parts: readonly { readonly units: Atto }[]): Atto =>
  parts.reduce((sum, { units }) => sum + units, 0n);

/** The first units of what was moved. */
export const firstOf = ({ used, made }: MovedLots, units: Atto): MovedLots => ({
  used: partsBetween(used, 0n, units),
  made: partsBetween(made, 0n, units),
});

/** What was moved without its first units. */
export const restOf = ({ used, made }: MovedLots, units: Atto): MovedLots => ({
  used: partsBetween(used, units, null),
  made: partsBetween(made, units, null),
});

/** The last units of what was moved. */
export const lastOf = (moved: MovedLots, units: Atto): MovedLots => {
  const all = unitsOf(moved.used);
  return all > units ? restOf(moved, all - units) : moved;
};

export const joined = (all: readonly MovedLots[]): MovedLots => ({
  used: all.flatMap(({ used }) => used),
  made: all.flatMap(({ made }) => made),
});

/** Each use by itself, with the lots that were made of it. */
export const partsOf = (moved: MovedLots): MovedLots[] => {
  let rest = moved;
  return moved.used.map(({ units }) => {
    const part = firstOf(rest, units);
    rest = restOf(rest, units);
    return part;
  });
};

/** The units from one to another (null: to the last), with their share of the cost and the proceeds. */
const partsBetween = <Moved extends Acquired & { readonly proceeds?: Atto | null }>(
  parts: readonly Moved[],
  from: Atto,
  to: Atto | null,
): Moved[] => {
  let end = 0n;
  return parts.flatMap((part) => {
    const start = end;
    end += part.units;
    const first = from > start ? from - start : 0n;
    const last = to !== null && to < end ? to - start : part.units;
    if (first >= last) return [];
    const upTo = (whole: Atto, units: Atto) =>
      units === part.units ? whole : shareOf(whole, units, part.units);
    const cut = (whole: Atto | null) => (whole === null ? null : upTo(whole, last) - upTo(whole, first));
    const proceeds = part.proceeds === undefined ? {} : { proceeds: cut(part.proceeds) };
    return [{ ...part, ...proceeds, units: last - first, cost: cut(part.cost) }];
  });
};

/** What the reversed entry moved, except the lots that stay. */
export const withoutStaying = ({ uses, lots }: StoredValues, staying: readonly StayingLots[]): MovedLots => {
  const stays = new Set(staying.map(({ wasLeg }) => wasLeg));
  const isMoved = ({ leg }: { readonly leg: number }) => !stays.has(leg);
  const moved = { used: uses.filter(isMoved), made: lots.filter(isMoved) };
  return joined([moved, ...staying.map(({ rest }) => rest)]);
};

/** A stored lot as uses name it; null for units that had none. */
const lotIn = ({ entity, id, acquiredAt, micros, seq, units, cost }: StoredLot): Fraction['lot'] =>
  id === '' ? null : { entity, id, acquiredAt, micros, seq, acquired: { units, cost } };

/**
 * Moves nothing: the lots stay where the reversed entry moved them. Its reversal and the entry in its place record that move as uses, so
 * that each can be reversed by itself. So does the gain of lots that had left in place of others.
 */
export const leaveInPlace = (valuation: EntryValuation, leg: PricedLeg, moved: MovedLots): Fraction[] => {
  noteStaying(valuation, { leg: leg.leg, moved, sign: 1n });
  const replacing = moved.used.filter(({ exchangedFor }) => exchangedFor !== null);
  const gains = replacing.map(({ proceeds, cost }) => sumIfKnown([proceeds, negated(cost)]));
  const gained = gains.reduce<Atto>((sum, gain) => sum + (gain ?? 0n), 0n);
  writeValueLine(valuation, leg, COST_DIFFERENCES, gained);
  if (gains.length > 0) recordGain(valuation, leg, gains);
  return moved.used.map(({ lot, units, cost, proceeds, exchangedFor }) => ({
    lot,
    units,
    cost: exchangedFor === null ? cost : proceeds,
  }));
};

/**
 * Sends again what a cancellation had brought back. Units used since leave from other lots. The cost is that at which they were sent; none of
 * units without a cost that had come back already.
 */
export const sendAgain = (valuation: EntryValuation, { leg }: PricedLeg, moved: MovedLots): Fraction[] => {
  for (const use of moved.used) restoreUse(valuation, { ...use, leg });
  for (const lot of moved.made) removeLot(valuation, { ...lot, leg });
  return partsOf(moved).flatMap(({ used: [use], made }) =>
    made.map((lot) => {
      const cost = use?.lot === null ? (lot.cost ?? 0n) : lot.cost;
      return { lot: lotIn(lot), units: lot.units, cost };
    }),
  );
};

type NotedLots = { readonly leg: number; readonly moved: MovedLots; readonly sign: 1n | -1n };

export const noteStaying = (
  valuation: EntryValuation,
  { leg, moved: { used, made }, sign }: NotedLots,
): void => {
  const times = (amount: Atto | null) => (amount === null ? null : sign * amount);
  const note = (use: Omit<Use, 'id' | 'kind' | 'leg' | 'feeInProceeds'>): void =>
    void valuation.values.uses.push({
      ...use,
      id: undoneId(valuation),
      kind: 'undone',
      leg,
      units: sign * use.units,
      cost: times(use.cost),
      proceeds: times(use.proceeds),
      feeInProceeds: 0n,
    });
  for (const use of used) note(use);
  for (const lot of made) {
    const { pool, currency, units, cost } = lot;
    const back = { units: -units, cost: negated(cost), proceeds: null, exchangedFor: null };
    note({ pool, currency, lot: lotIn(lot), ...back });
  }
};
