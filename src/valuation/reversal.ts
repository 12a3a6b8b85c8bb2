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
  writeLine,
  writeValueLine,
} from './entry-valuation.ts';
import type { EntryValues, Event, Leg, Line, NewLot, PoolName, Use } from './event.ts';
import type { Market } from './exchange.ts';
import type { PricedLeg } from './leg-values.ts';
import { knownCost, moveLots, reportMissingLots, shares } from './lots.ts';
import { type Fraction, restoreUnits, take, takeFromLot } from './pool.ts';
import { roleOf } from './roles.ts';
import { poolOf, type State } from './state.ts';
import { placeOf } from './wallets.ts';

/** The values of an entry, as stored. */
export type StoredValues = Pick<EntryValues, 'lines' | 'lots' | 'uses'>;

/** Reverses the stored values of an entry. */
export const reverseEvent = (
  event: Event,
  stored: StoredValues,
  { state, market }: { readonly state: State; readonly market: Market },
): EntryValues => {
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
  for (const use of stored.uses) restoreUse(valuation, use);
  for (const leg of event.legs) returnToWallet(valuation, leg, stored);
  for (const lot of stored.lots) removeLot(valuation, lot);
  balanceRounding(valuation);
  return values;
};

const reportUnknownEntry = ({ event, values, market }: EntryValuation): void => {
  const detail = `${event.name} reverses an entry that has no stored value`;
  values.findings.push({
    kind: 'not-understood',
    severity: 'finding',
    leg: null,
    currency: market.reporting,
    units: 0n,
    detail,
  });
};

/** The reversal of lines without a value has no value either. */
const reportUnvalued = ({ event, values }: EntryValuation, { lines }: StoredValues): void => {
  const line = lines.find(({ exact }) => exact === null);
  if (!line) return;
  const { leg, currency, units } = line;
  const detail = `${event.name} reverses an entry without a value`;
  values.findings.push({ kind: 'no-cost', severity: 'finding', leg, currency, units: -units, detail });
};

const opposite = ({ leg, account, currency, units, exact, basis, fee }: Line): UnvaluedLine => {
  const negatedFee = fee === null ? null : { target: fee.target, value: -fee.value };
  return { leg, account, currency, units: -units, exact: negated(exact), basis, fee: negatedFee };
};

const idOf = ({ event, values }: EntryValuation): string =>
  `${event.id}/u.${values.lots.length + values.uses.length}`;

/** The account that received the units of a leg, which the reversal gives back. */
const accountOf = ({ legs }: Event, leg: number): string => legs.find((it) => it.leg === leg)?.credit ?? '';

/** A transfer between places from before each had a pool moved no lots, so its reversal moves lots back now. */
const returnToWallet = (valuation: EntryValuation, leg: Leg, { uses }: StoredValues): void => {
  const { event, state, market } = valuation;
  const isTransfer = [leg.debit, leg.credit].every((account) => roleOf(account) === 'held');
  if (!isTransfer || leg.currency === market.reporting || uses.some((use) => use.leg === leg.leg)) return;
  const [from, to] = [leg.credit, leg.debit].map((account) => placeOf(state, event.entity, account));
  if (from && to && from.name !== to.name) moveLots(valuation, leg as PricedLeg, [from, to]);
};

const restoreUse = (valuation: EntryValuation, use: Use): void => {
  const { pool, currency, lot, units, cost } = use;
  valuation.values.uses.push({
    ...use,
    id: idOf(valuation),
    kind: 'undone',
    units: -units,
    cost: negated(cost),
    proceeds: negated(use.proceeds),
    feeInProceeds: -use.feeInProceeds,
  });
  if (lot === null) return;
  const { state, event } = valuation;
  restoreUnits(poolOf(state, { name: pool, entity: event.entity }, currency), { ...lot, units, cost });
  if (pool === 'held') state.allotted.clear(); // with a pool for each place, they are allotted before the next entry
};

/** Removes the reversed entry's lot; units already consumed are taken from other lots at those lots' cost. */
const removeLot = (valuation: EntryValuation, lot: NewLot): void => {
  const { event, state, values } = valuation;
  const place = { name: lot.pool, entity: event.entity };
  const own = takeFromLot(
    poolOf(state, place, lot.currency),
    { entity: event.entity, id: lot.id, seq: lot.seq },
    lot.units,
  );
  const taken = own.reduce((sum, { units }) => sum + units, 0n);
  const now = lot.pool === 'held' ? placeOf(state, event.entity, accountOf(event, lot.leg)) : place;
  const others = taken < lot.units ? take(poolOf(state, now, lot.currency), lot.units - taken) : [];
  const leg = { leg: lot.leg, currency: lot.currency } as PricedLeg;
  reportMissingLots(valuation, leg, others);
  const all = [...own, ...others];
  const gains = gainsOf(lot, own, others);
  for (const [nth, fraction] of all.entries())
    values.uses.push(
      reversedUse(valuation, lot, {
        fraction,
        gain: gains[nth] ?? null,
        pool: nth < own.length ? lot.pool : now.name,
      }),
    );
  if (lot.pool === 'outside') return;
  writeValueLine(valuation, leg, COST_DIFFERENCES, (lot.cost ?? 0n) - knownCost(all));
  recordGain(valuation, leg, gains);
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
  id: idOf(valuation),
  pool,
  currency,
  leg,
  kind: 'undone',
  feeInProceeds: 0n,
  ...(gain === 0n || pool === 'outside'
    ? { proceeds: null, exchangedFor: null }
    : { proceeds: sumIfKnown([fraction.cost, gain]), exchangedFor: 'undone' }),
});
