// Reversal: values an entry that reverses an earlier one, because that month was closed or the record was cancelled
// later. It negates the entry line by line: it removes lots that the entry acquired, restores lots that it used, and
// repeats its disposals with the opposite sign.
import type { Atto } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import {
  balanceRounding,
  type EntryValuation,
  negated,
  recordGain,
  sumIfKnown,
  type UnvaluedLine,
  undoneId,
  writeLine,
  writeValueLine,
} from './entry-valuation.ts';
import type {
  Disposed,
  EntryValues,
  Event,
  Leg,
  Line,
  MovedLots,
  NewLot,
  PoolName,
  StoredLot,
  StoredValues,
  Use,
} from './event.ts';
import type { Market } from './exchange.ts';
import type { PricedLeg } from './leg-values.ts';
import { knownCost, moveLots, reportMissingLots, shares } from './lots.ts';
import { lotIn, type StayingLots, withoutStaying } from './moved-lots.ts';
import { allotFraction, placeOf } from './places.ts';
import { type Fraction, type Pool, removeFromLot, restoreUnits, take } from './pool.ts';
import { reportArrived, reportUnknownEntry, reportUnknownGain, reportUnvalued } from './reversal-findings.ts';
import { roleOf } from './roles.ts';
import { HELD, isOffPlatform, type PoolPlace, poolOf, type State } from './state.ts';
import { noteMoved } from './staying-lots.ts';

/** The values of a reversal, of which the lots that the reversed entry made are still to be removed. */
export type BegunReversal = { readonly values: EntryValues; readonly removeLots: () => void };

type ReversedBooks = {
  readonly state: State;
  readonly market: Market;
  readonly staying: readonly StayingLots[];
};

/**
 * Restores what an entry used. Its own lots stay until the entry in its place is valued, which may need the one, and whose lots take the
 * place of the others if those were used since.
 */
export const beginReversal = (
  event: Event,
  stored: StoredValues,
  { state, market, staying }: ReversedBooks,
): BegunReversal => {
  const values: EntryValues = { lines: [], lots: [], uses: [], findings: [] };
  const fees = { inCost: 0n, inProceeds: 0n, bearer: null };
  const valuation: EntryValuation = {
    event,
    state,
    market,
    values,
    fees,
    chosen: new Map(),
    priced: { legs: [], exchange: null, findings: [] },
  };
  if (stored.lines.length === 0) reportUnknownEntry(valuation);
  for (const line of stored.lines) writeLine(valuation, opposite(line));
  reportUnvalued(valuation, stored);
  for (const { wasLeg, moved } of staying) noteMoved(valuation, { leg: wasLeg, moved, sign: -1n });
  const moved = withoutStaying(stored, staying);
  for (const use of moved.used) restoreUse(valuation, use);
  for (const leg of event.legs) returnToPlace(valuation, leg, stored);
  const removeLots = (): void => {
    for (const lot of moved.made) removeLot(valuation, lot);
    balanceRounding(valuation);
  };
  return { values, removeLots };
};

/** Sends again what a cancellation had brought back. Units used since leave from other lots. The cost is that at which they were sent. */
export const sendAgain = (
  valuation: EntryValuation,
  { leg }: PricedLeg,
  { used, made }: MovedLots,
): Fraction[] => {
  for (const use of used) restoreUse(valuation, { ...use, leg });
  for (const lot of made) removeLot(valuation, { ...lot, leg });
  return made.map((lot) => ({ lot: lotIn(lot), units: lot.units, cost: lot.cost }));
};

const opposite = ({ leg, account, currency, units, exact, basis, fee }: Line): UnvaluedLine => {
  const negatedFee = fee === null ? null : { target: fee.target, value: -fee.value };
  return { leg, account, currency, units: -units, exact: negated(exact), basis, fee: negatedFee };
};

/** The accounts of a leg: the reversal gives its units back from the credit to the debit. */
const accountsOf = ({ legs }: Event, number: number): Pick<Leg, 'debit' | 'credit'> =>
  legs.find(({ leg }) => leg === number) ?? { debit: '', credit: '' };

/** A transfer between places from before each had a pool moved no lots, so its reversal moves lots back now. */
const returnToPlace = (valuation: EntryValuation, leg: Leg, { uses }: StoredValues): void => {
  const { event, state, market } = valuation;
  const isTransfer = [leg.debit, leg.credit].every((account) => roleOf(account) === 'held');
  if (!isTransfer || leg.currency === market.reporting || uses.some((use) => use.leg === leg.leg)) return;
  const [from, to] = [leg.credit, leg.debit].map((account) => placeOf(state, event.entity, account));
  if (from && to && from.name !== to.name) moveLots(valuation, leg, [from, to]);
};

const restoreUse = (valuation: EntryValuation, use: Use): void => {
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
    restoreUnits(poolOf(state, { name: pool, entity: event.entity }, currency), { ...lot, units, cost });
    return;
  }
  const to = placeOf(state, event.entity, accountsOf(event, use.leg).debit);
  const returned = { fraction: { lot, units, cost }, from: HELD, to };
  allotFraction(state, { event, values, currency, step: 's' }, returned);
};

/** Removes the reversed entry's lot; units already consumed are taken from other lots at those lots' cost. */
const removeLot = (valuation: EntryValuation, lot: StoredLot): void => {
  const { event, state, values } = valuation;
  const place = { name: lot.pool, entity: event.entity };
  const own = takeOwn(state, lot);
  const taken = own.reduce((sum, { fraction }) => sum + fraction.units, 0n);
  const now = lot.pool === 'held' ? placeOf(state, event.entity, accountsOf(event, lot.leg).credit) : place;
  const others = hadLot(lot)
    ? othersFor(poolOf(state, now, lot.currency), now, lot.units - taken)
    : [{ lot: null, units: lot.units, cost: lot.cost }];
  if (now.name === 'in-transit' && hadLot(lot)) reportArrived(valuation, lot, others);
  else reportMissingLots(valuation, lot, others);
  if (lot.cost === null) reportUnknownGain(valuation, lot, others);
  const removed = [...own, ...others.map((fraction) => ({ fraction, pool: now.name }))];
  const ownFractions = own.map(({ fraction }) => fraction);
  const gains = gainsOf(lot, ownFractions, others);
  const received = receivedFor(lot, removed);
  for (const [nth, { fraction, pool }] of removed.entries())
    values.uses.push({
      ...reversedUse(valuation, lot, { fraction, pool, gain: gains[nth] ?? null }),
      ...received[nth],
    });
  if (isOffPlatform(lot.pool)) return;
  writeValueLine(
    valuation,
    lot,
    COST_DIFFERENCES,
    (lot.cost ?? 0n) - knownCost([...ownFractions, ...others]),
  );
  recordGain(valuation, lot, gains);
};

/** Units that had left without a lot leave so again. */
const hadLot = ({ id }: StoredLot): boolean => id !== '';

/** Lots in transit wait for arrivals of their own, so none of them replaces another. */
const othersFor = (pool: Pool, { name }: PoolPlace, units: Atto): Fraction[] => {
  if (units === 0n) return [];
  return name === 'in-transit' ? [{ lot: null, units, cost: null }] : take(pool, units);
};

type TakenFraction = { readonly fraction: Fraction; readonly pool: PoolName };

/** Takes what is left of a lot, at its own place and where it was allotted to. */
const takeOwn = (state: State, lot: StoredLot): TakenFraction[] => {
  const taken: TakenFraction[] = [];
  let { units: rest, cost } = lot;
  for (const part of [lot, ...lot.allotted]) {
    if (rest === 0n) break;
    const place = { name: part.pool, entity: part.entity };
    const fractions = removeFromLot(poolOf(state, place, lot.currency), part, { units: rest, cost });
    taken.push(...fractions.map((fraction) => ({ fraction, pool: part.pool })));
    rest = fractions.reduce((left, { units }) => left - units, rest);
    cost = cost === null ? null : cost - knownCost(fractions);
  }
  return taken;
};

/**
 * Gains of the removed fractions. The lot's own units leave at the cost at which they were acquired (an average may
 * differ); other lots' units that replace missing ones leave at their own cost. Null if one of the two costs is unknown.
 */
const gainsOf = (lot: NewLot, own: readonly Fraction[], others: readonly Fraction[]): (Atto | null)[] => {
  if (lot.cost === null) return [...own.map(() => 0n), ...others.map(() => null)];
  const replaced = lot.cost - knownCost(own);
  if (others.length === 0) return own.map((_, nth) => (nth === own.length - 1 ? replaced : 0n));
  const costShares = shares(others, replaced);
  return [
    ...own.map(() => 0n),
    ...others.map(({ cost }, nth) => (cost === null ? null : (costShares[nth] ?? 0n) - cost)),
  ];
};

/** For units that had been disposed of, and were taken back: each fraction has its share of the proceeds again. */
const receivedFor = ({ disposed }: StoredLot, removed: readonly TakenFraction[]): Disposed[] => {
  if (disposed === null) return [];
  const fractions = removed.map(({ fraction }) => fraction);
  const [proceeds, fees] = [disposed.proceeds ?? 0n, disposed.feeInProceeds].map((whole) =>
    shares(fractions, whole),
  );
  return fractions.map((_, nth) => ({
    proceeds: disposed.proceeds === null ? null : (proceeds?.[nth] ?? 0n),
    feeInProceeds: fees?.[nth] ?? 0n,
    exchangedFor: disposed.exchangedFor,
  }));
};

type RemovedFraction = {
  readonly fraction: Fraction;
  readonly gain: Atto | null;
  readonly pool: PoolName;
};

/** A use for a removed fraction: a disposal only if it took another lot's units at another cost. */
const reversedUse = (
  valuation: EntryValuation,
  { currency, leg }: NewLot,
  { fraction, gain, pool }: RemovedFraction,
): Use => ({
  ...fraction,
  id: undoneId(valuation),
  pool,
  currency,
  leg,
  kind: 'undone',
  feeInProceeds: 0n,
  ...(gain === 0n || isOffPlatform(pool)
    ? { proceeds: null, exchangedFor: null }
    : { proceeds: sumIfKnown([fraction.cost, gain]), exchangedFor: 'undone' }),
});
