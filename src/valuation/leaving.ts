// What leaves an account: its lots and its carrying amount, disposals, fees, and legs that have no lots.
import { type Atto, attoText, shareOf } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import { accountKey, carriedShare, unitsLacking, unsignedUnits } from './carrying.ts';
import {
  AT_LOT_COST,
  accountKeyIn,
  type EntryValuation,
  type LegSide,
  negated,
  recordGain,
  sumIfKnown,
  writeLeg,
  writeUnvaluedLine,
  writeValueLine,
} from './entry-valuation.ts';
import { numbered, ownPlace, type PricedLeg } from './leg-values.ts';
import { knownCost, recordDisposals, reportMissingLots, takeLots } from './lots.ts';
import { placeOf } from './places.ts';
import type { Fraction } from './pool.ts';
import { type PoolPlace, poolOf } from './state.ts';
import { reportExcessFee } from './transfer-fees.ts';

/** A fee that is part of a cost, or was deducted from proceeds, is not an expense as well. */
const expensedValue = ({ to, feeTarget, value }: PricedLeg): Atto | null =>
  to === 'fee' && feeTarget !== 'expenses' && value !== null ? 0n : value;

/** Books a leg without lots (money, a debt or a claim) at its value. */
export const bookWithoutLots = (valuation: EntryValuation, leg: PricedLeg): void => {
  const isUnknown = valuation.priced.exchange?.value.value === null; // then the value of the conversion is unknown too
  writeLeg(
    valuation,
    leg,
    { exact: isUnknown && leg.to === 'conversion' ? null : expensedValue(leg) },
    { exact: isUnknown && leg.from === 'conversion' ? null : negated(leg.value) },
  );
};

export const placeIn = ({ event, state }: EntryValuation, account: string) =>
  placeOf(state, event.entity, account);

export const knownCostOrNull = (fractions: readonly Fraction[]): Atto | null =>
  fractions.some(({ cost }) => cost !== null) ? knownCost(fractions) : null;

/** Adds lines without a value if the cost of only some fractions is known. */
export const leaveUnvalued = (
  valuation: EntryValuation,
  leg: PricedLeg,
  fractions: readonly Fraction[],
  accounts: readonly string[],
): void => {
  const costs = fractions.map(({ cost }) => cost);
  if (!costs.includes(null) || costs.every((cost) => cost === null)) return;
  for (const account of accounts) writeUnvaluedLine(valuation, leg, account);
};

/**
 * Cost removed from the account. Units that leave before their arrival is booked take the average cost of the pool's lots.
 */
export const valueOnDeparture = (valuation: EntryValuation, leg: PricedLeg): Atto => {
  const { carrying } = valuation.state;
  const from = accountKeyIn(valuation, leg.credit, leg.currency);
  const short = leg.from === 'held' ? unitsLacking(carrying, from, leg.units) : 0n;
  const { knownUnits, knownCost: cost } = poolOf(
    valuation.state,
    placeIn(valuation, leg.credit),
    leg.currency,
  );
  const owed = short === 0n || knownUnits <= 0n ? 0n : shareOf(cost, short, knownUnits);
  return short === leg.units ? owed : carriedShare(carrying, from, leg.units) + owed;
};

/** The credit of an account at its carrying amount, which may differ from the cost of the lots. */
export const carriedSide = (carried: Atto): LegSide => ({ exact: -carried, basis: AT_LOT_COST });

/** Units that leave: their lots, the pool of these, and the value that leaves the account with them. */
type Leaving = {
  readonly fractions: readonly Fraction[];
  readonly pool: PoolPlace['name'];
  readonly carried: Atto;
};

/** What lies off the platform is carried at the cost of its lots. */
const leavingOf = (valuation: EntryValuation, leg: PricedLeg): Leaving => {
  const own = ownPlace(valuation.event, leg);
  const carried = own ? null : valueOnDeparture(valuation, leg);
  const place = own ?? placeIn(valuation, leg.credit);
  const fractions = takeLots(valuation, leg, place);
  return { fractions, pool: place.name, carried: carried ?? knownCost(fractions) };
};

export const useUp = (
  valuation: EntryValuation,
  leg: PricedLeg,
  leaving = leavingOf(valuation, leg),
): void => {
  reportMissingLots(valuation, leg, leaving.fractions);
  (isFeeAtCost(valuation, leg) ? spendAtCost : dispose)(valuation, leg, leaving);
};

/**
 * A fee that came out of our own units off the platform, between what was sent and what arrived. One that both sides of a transfer book,
 * or that a person entered of what arrived after all, has no lots, and its value only.
 */
export const chargeOwn = (valuation: EntryValuation, leg: PricedLeg): void => {
  const leaving = leavingOf(valuation, leg);
  const isInExcess = (valuation.event.departures.get(leg.leg)?.surplus ?? 0n) > 0n;
  if (isInExcess) reportExcessFee(valuation, leg, leaving.fractions);
  if (isInExcess && leaving.fractions.every(({ lot }) => lot === null)) bookWithoutLots(valuation, leg);
  else useUp(valuation, leg, leaving);
};

const dispose = (valuation: EntryValuation, leg: PricedLeg, { fractions, pool, carried }: Leaving): void => {
  const { fees } = valuation;
  const value = leg.to === 'owed' ? repaidValue(valuation, leg) : leg.value;
  const isBearer = fees.bearer === leg.leg && !valuation.priced.exchange?.isBuy;
  const feesDeducted = isBearer ? fees.inProceeds : 0n;
  const proceeds = sumIfKnown([value, negated(feesDeducted)]);
  const gains = recordDisposals(valuation, leg, { fractions, pool, proceeds, feesDeducted });
  writeLeg(valuation, leg, { exact: expensedValue({ ...leg, value }) }, carriedSide(carried));
  writeValueLine(valuation, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  recordGain(valuation, leg, gains);
};

/** A fee outside an exchange, such as a network fee, whose units leave at their cost by the rule `network-fee`. */
const isFeeAtCost = ({ state, priced }: EntryValuation, { to }: PricedLeg): boolean =>
  to === 'fee' && priced.exchange === null && state.rules['network-fee'] === 'cost';

/** Units that leave at what they cost: the expense is their cost, and there is no gain. */
const spendAtCost = (
  valuation: EntryValuation,
  leg: PricedLeg,
  { fractions, pool, carried }: Leaving,
): void => {
  const gains = recordDisposals(valuation, leg, { fractions, pool, proceeds: 'cost', feesDeducted: 0n });
  const cost = knownCostOrNull(fractions);
  const atCost = { ...leg, value: cost, basis: AT_LOT_COST };
  writeLeg(valuation, atCost, { exact: cost }, carriedSide(carried));
  writeValueLine(valuation, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  leaveUnvalued(valuation, leg, fractions, [leg.debit]);
  recordGain(valuation, leg, gains);
};

/** The amount by which a debt falls: its carrying amount, and the market rate for units beyond what is owed. */
const repaidValue = ({ event, state, market, values }: EntryValuation, leg: PricedLeg): Atto | null => {
  const debt = accountKey(event.entity, leg.debit, leg.currency);
  const owed = unsignedUnits(state.carrying, debt);
  const carried = carriedShare(state.carrying, debt, leg.units);
  if (leg.units <= owed) return carried;
  const price = market.prices(leg.currency, event.micros);
  if (price) return carried + price.convert(leg.units - owed);
  const detail = `${attoText(leg.units - owed)} ${leg.currency} repaid in excess of the debt, without a rate in the 24 hours before`;
  values.findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return null;
};
