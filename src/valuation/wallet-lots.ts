// Wallet lots: what comes back when a departure to an own external wallet is reversed is what leaves the wallet, at its cost there: the lots that it
// sent, as far as they are still there, then others, and what the wallet lacks without a cost. So no cost is lost or counts twice.
import type { Atto } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import {
  AT_LOT_COST,
  type EntryValuation,
  negated,
  recordGain,
  sumIfKnown,
  undoneId,
  writeLine,
  writeUnvaluedLine,
  writeValueLine,
} from './entry-valuation.ts';
import type { Leg, MovedLots, StoredLot, Use } from './event.ts';
import { hadLot, removeLot, takeOwn, unitsLeft } from './lot-removal.ts';
import { costWithoutLot, knownCost, reportMissingLots, shares } from './lots.ts';
import { firstOf, restOf, unitsOf } from './moved-lots.ts';
import { moveFraction } from './moving.ts';
import { placeOf } from './places.ts';
import { type Fraction, take } from './pool.ts';
import { restoreUse } from './restored-lots.ts';
import { EXTERNAL, isOffPlatform, poolOf } from './state.ts';

/** What a reversed entry moved to own wallets, leg by leg, and all else that it used and made. */
type SplitMoves = { readonly sent: readonly MovedLots[]; readonly rest: MovedLots };

export const splitMoves = ({ used, made }: MovedLots): SplitMoves => {
  const legs = new Set(made.filter(({ pool }) => pool === 'external').map(({ leg }) => leg));
  const sent = [...legs]
    .map((number) => ({
      used: used.filter(({ leg, pool }) => leg === number && !isOffPlatform(pool)),
      made: made.filter(({ leg, pool }) => leg === number && pool === 'external'),
    }))
    .filter((moved) => unitsOf(moved.used) === unitsOf(moved.made));
  const isSent = (part: Use | StoredLot) =>
    sent.some((moved) => [...moved.used, ...moved.made].includes(part));
  const rest = { used: used.filter((use) => !isSent(use)), made: made.filter((lot) => !isSent(lot)) };
  return { sent, rest };
};

/** Returns what a leg had moved to an own wallet. */
export const returnFromWallet = (valuation: EntryValuation, moved: MovedLots): void => {
  const leg = valuation.event.legs.find(({ leg: number }) => moved.made.some((lot) => lot.leg === number));
  if (!leg) return;
  const gone = { used: [] as Use[], made: [] as StoredLot[] };
  let [rest, cost] = [moved.used, 0n];
  for (const lot of moved.made) {
    const sent = firstOf({ used: rest, made: [lot] }, lot.units);
    const own = returnOwn(valuation, lot, sent);
    const { used, made } = restOf(sent, unitsOf(own));
    gone.used.push(...used);
    gone.made.push(...made);
    rest = restOf({ used: rest, made: [] }, lot.units).used;
    cost += knownCost(own);
  }
  const others = gone.used.length === 0 ? [] : returnOthers(valuation, leg, unitsOf(gone.used));
  const difference = cost + knownCost(others) - knownCost(moved.made);
  const replaced = knownCost(gone.made) - knownCost(gone.used);
  bookDifference(valuation, [leg, leg.credit], { difference, replaced, gains: gainsOf(gone.used) });
  if (others.some((fraction) => fraction.cost === null))
    for (const account of [leg.debit, leg.credit]) writeUnvaluedLine(valuation, leg, account);
};

/** Takes what is left of a lot in the wallet, and restores as much of what was sent. */
const returnOwn = (valuation: EntryValuation, lot: StoredLot, sent: MovedLots): Fraction[] => {
  const own = ownOf(valuation, lot);
  for (const fraction of own) valuation.values.uses.push(usedOf(valuation, lot, fraction));
  const { used, made } = firstOf(sent, unitsOf(own));
  restoreAt(valuation, used, knownCost(own) - knownCost(made));
  return own;
};

/** The known gains of other lots that were sent again in place of units used since: they stay if these do not come back. */
const gainsOf = (gone: readonly Use[]): Atto[] =>
  gone
    .filter(({ exchangedFor }) => exchangedFor !== null)
    .flatMap(({ proceeds, cost }) => sumIfKnown([proceeds, negated(cost)]) ?? []);

/** What is left in the wallet of a lot. What had left it without one is still missing there. */
const ownOf = (valuation: EntryValuation, lot: StoredLot): Fraction[] => {
  if (hadLot(lot)) return takeOwn(valuation.state, lot);
  const missing = [{ lot: null, units: lot.units, cost: lot.cost }];
  reportMissingLots(valuation, lot, missing);
  return missing;
};

const usedOf = (valuation: EntryValuation, { pool, currency, leg }: StoredLot, fraction: Fraction): Use => ({
  ...fraction,
  id: undoneId(valuation),
  kind: 'undone',
  pool,
  currency,
  leg,
  proceeds: null,
  feeInProceeds: 0n,
  exchangedFor: null,
});

/** Restores what was sent. With `average`, it may leave the wallet at another cost than it was sent at. */
const restoreAt = (valuation: EntryValuation, sent: readonly Use[], difference: Atto): void => {
  const parts = shares(sent, difference);
  for (const [nth, use] of sent.entries()) {
    const [cost, proceeds] = [use.cost, use.proceeds].map((amount) => sumIfKnown([amount, parts[nth] ?? 0n]));
    restoreUse(valuation, { ...use, cost: cost ?? null, proceeds: proceeds ?? null });
  }
};

/** Returns other lots of the wallet in place of those that it has no more. */
const returnOthers = (valuation: EntryValuation, leg: Leg, lacking: Atto): Fraction[] => {
  const { event, state, values } = valuation;
  const { currency } = leg;
  const others = costWithoutLot(state, take(poolOf(state, EXTERNAL, currency), lacking));
  reportMissingLots(valuation, leg, others);
  const to = placeOf(state, event.entity, leg.debit);
  const moving = { kind: 'undone', currency, leg: leg.leg, origin: 'returned', from: EXTERNAL, to } as const;
  for (const fraction of others)
    moveFraction(state, { event, values }, fraction, { ...moving, id: undoneId(valuation) });
  return others;
};

/** `replaced`: by how much units that do not come back had cost more when they were sent than what left in their place. */
type Difference = { readonly difference: Atto; readonly replaced: Atto; readonly gains: readonly Atto[] };

/** What comes back at another cost than it was sent at leaves the account of the wallet at that cost. Gains that stay are booked again. */
const bookDifference = (
  valuation: EntryValuation,
  [leg, account]: readonly [Leg, string],
  { difference, replaced, gains }: Difference,
): void => {
  const { currency } = leg;
  writeValueLine(valuation, leg, COST_DIFFERENCES, difference + replaced);
  recordGain(valuation, leg, gains);
  if (difference === 0n) return;
  writeLine(valuation, {
    leg: null,
    account,
    currency,
    units: 0n,
    exact: -difference,
    basis: AT_LOT_COST,
    fee: null,
  });
};

type Replacement = { readonly fractions: readonly Fraction[]; readonly unknown: readonly StoredLot[] };

/**
 * Replaces the units without a cost (`unknown`) that the cancellation of a departure returned, by the lots that a later reversal of the arrival
 * restored to the wallet.
 */
export const replaceUnknown = (
  valuation: EntryValuation,
  use: Use,
  { fractions, unknown }: Replacement,
): void => {
  const { event, state, values } = valuation;
  const [first] = unknown;
  const leg = event.legs.find(({ leg: number }) => number === use.leg);
  if (!first || !leg) return;
  const { currency, leg: number } = leg;
  const to = { name: first.pool, entity: first.entity };
  const moving = { kind: 'undone', currency, leg: number, origin: 'returned', from: EXTERNAL, to } as const;
  for (const fraction of fractions) {
    const id = `${event.id}/b.${values.lots.length + values.uses.length}`;
    moveFraction(state, { event, values }, fraction, { ...moving, id });
  }
  bookDifference(valuation, [leg, leg.debit], {
    difference: knownCost(fractions),
    replaced: 0n,
    gains: [],
  });
  removeUnknown(valuation, number, { unknown, units: unitsOf(fractions) });
};

/** Removes units of lots without a cost, as far as they are left; others in place of those that were used. */
const removeUnknown = (
  valuation: EntryValuation,
  leg: number,
  { unknown, units }: { readonly unknown: readonly StoredLot[]; readonly units: Atto },
): void => {
  let rest = units;
  for (const [nth, lot] of unknown.entries()) {
    const left = nth === unknown.length - 1 ? rest : unitsLeft(valuation.state, lot);
    const removed = left < rest ? left : rest;
    if (removed > 0n) removeLot(valuation, { ...lot, leg, units: removed });
    rest -= removed;
  }
};
