// Removes a lot of a reversed entry. Units that were used since leave from other lots, at the cost of these, which is a gain or a loss.
import { type Atto, attoText } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import { type EntryValuation, recordGain, sumIfKnown, undoneId, writeValueLine } from './entry-valuation.ts';
import type { AllottedLot, Disposed, NewLot, PoolName, StoredLot, TransferFee, Use } from './event.ts';
import { findLot, lotKeyText } from './lot-queue.ts';
import { costWithoutLot, knownCost, reportMissingLots, shares } from './lots.ts';
import { placeOf } from './places.ts';
import { type Fraction, lackingOf, removeFromLot, take } from './pool.ts';
import { isOffPlatform, poolOf, type State } from './state.ts';
import { reportCharged } from './transfer-fees.ts';

/** `charged`: what had left of a lot in transit as a fee. */
export const removeLot = (valuation: EntryValuation, lot: StoredLot, charged?: TransferFee): void => {
  const own = takeOwn(valuation.state, lot);
  const others = takeOthers(valuation, lot, own);
  if (lot.pool === 'in-transit' && hadLot(lot)) reportArrived(valuation, lot, { others, charged });
  else reportMissingLots(valuation, lot, others);
  if (lot.cost === null) reportUnknownGain(valuation, lot, others);
  const removed = [...own, ...others];
  const gains = gainsOf(lot, own, others);
  const received = receivedFor(lot, removed);
  for (const [nth, fraction] of removed.entries())
    valuation.values.uses.push({
      ...reversedUse(valuation, lot, { ...fraction, gain: gains[nth] ?? null }),
      ...received[nth],
    });
  if (isOffPlatform(lot.pool)) return;
  writeValueLine(valuation, lot, COST_DIFFERENCES, (lot.cost ?? 0n) - knownCost(removed));
  recordGain(valuation, lot, gains);
};

/** Units that had left without a lot leave so again. */
export const hadLot = ({ id }: StoredLot): boolean => id !== '';

/** A fraction, and the pool from which it was taken. */
type Taken = Fraction & { readonly pool: PoolName };

/** Takes what is left of a lot, at its own place and where it was allotted to. */
export const takeOwn = (state: State, lot: StoredLot): Taken[] => {
  const taken: Taken[] = [];
  let { units: rest, cost } = lot;
  for (const part of partsOf(state, lot)) {
    if (rest === 0n) break;
    const { pool, entity } = part;
    const from = poolOf(state, { name: pool, entity }, lot.currency);
    const fractions = removeFromLot(from, part, { units: rest, cost });
    taken.push(...fractions.map((fraction) => ({ ...fraction, pool })));
    rest = lackingOf(fractions, rest);
    cost = cost === null ? null : cost - knownCost(fractions);
  }
  return taken;
};

/** What is left of a lot, wherever it was allotted to. */
export const unitsLeft = (state: State, lot: StoredLot): Atto =>
  partsOf(state, lot).reduce((sum, part) => {
    const { queue } = poolOf(state, { name: part.pool, entity: part.entity }, lot.currency);
    return sum + (findLot(queue, part)?.units ?? 0n);
  }, 0n);

/** A stored lot and what was made of it when places got lots of their own, oldest first; some of that may not be stored yet. */
const partsOf = ({ allottedSince }: State, lot: StoredLot): AllottedLot[] => {
  const parts = new Map<string, AllottedLot>();
  const unvisited: AllottedLot[] = [lot, ...lot.allotted];
  for (const part of unvisited) {
    const key = lotKeyText(part);
    if (parts.has(key)) continue;
    parts.set(key, part);
    unvisited.push(...(allottedSince?.get(key) ?? []));
  }
  return [...parts.values()].sort((a, b) => a.seq - b.seq);
};

/** Takes what the lot itself lacks. Lots in transit wait for arrivals of their own, so none of them replaces another. */
const takeOthers = ({ event, state }: EntryValuation, lot: StoredLot, own: readonly Fraction[]): Taken[] => {
  const { entity, legs } = event;
  const account = legs.find(({ leg }) => leg === lot.leg)?.credit ?? '';
  const place =
    lot.pool === 'held' ? placeOf(state, entity, account) : { name: lot.pool, entity: lot.entity };
  const pool = place.name;
  if (!hadLot(lot)) return [{ lot: null, units: lot.units, cost: lot.cost, pool }];
  const units = lackingOf(own, lot.units);
  if (units === 0n) return [];
  if (pool === 'in-transit') return [{ lot: null, units, cost: null, pool }];
  const taken = costWithoutLot(state, take(poolOf(state, place, lot.currency), units));
  return taken.map((fraction) => ({ ...fraction, pool }));
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
const receivedFor = ({ disposed }: StoredLot, fractions: readonly Fraction[]): Disposed[] => {
  if (disposed === null) return [];
  const [proceeds, fees] = [disposed.proceeds ?? 0n, disposed.feeInProceeds].map((whole) =>
    shares(fractions, whole),
  );
  return fractions.map((_, nth) => ({
    proceeds: disposed.proceeds === null ? null : (proceeds?.[nth] ?? 0n),
    feeInProceeds: fees?.[nth] ?? 0n,
    exchangedFor: disposed.exchangedFor,
  }));
};

/** A use for a removed fraction: a disposal only if it took another lot's units at another cost. */
const reversedUse = (
  valuation: EntryValuation,
  { currency, leg }: NewLot,
  { gain, ...fraction }: Taken & { readonly gain: Atto | null },
): Use => ({
  ...fraction,
  id: undoneId(valuation),
  currency,
  leg,
  kind: 'undone',
  feeInProceeds: 0n,
  ...(gain === 0n || isOffPlatform(fraction.pool)
    ? { proceeds: null, exchangedFor: null }
    : { proceeds: sumIfKnown([fraction.cost, gain]), exchangedFor: 'undone' }),
});

type Gone = { readonly others: readonly Fraction[]; readonly charged: TransferFee | undefined };

/** A closed month received what is now taken back: its cost counts on both sides of the transfer. A fee had the rest. */
const reportArrived = (valuation: EntryValuation, lot: StoredLot, { others, charged }: Gone): void => {
  const gone = others.reduce<Atto>((sum, { units }) => sum + units, 0n);
  const units = gone - (charged && gone > 0n ? reportCharged(valuation, lot, charged) : 0n);
  if (units <= 0n) return;
  const { event, values } = valuation;
  const { leg, currency } = lot;
  const detail = `${event.name}: ${attoText(units)} ${currency} of this own transfer arrived in a closed month, so their cost counts on both sides: reopen that month`;
  values.findings.push({ kind: 'closed-side', severity: 'finding', leg, currency, units, detail });
};

/** Other lots leave in place of one whose cost is unknown: so is the gain. */
const reportUnknownGain = (
  { event, values }: EntryValuation,
  { leg, currency }: StoredLot,
  others: readonly Fraction[],
): void => {
  for (const { units, cost } of others) {
    if (cost === null) continue;
    const detail = `${attoText(units)} ${currency} in ${event.name} have no gain: they replace units whose cost is unknown`;
    values.findings.push({ kind: 'no-cost', severity: 'finding', leg, currency, units, detail });
  }
};
