// Books values: the effect of an event on lots and carrying amounts, and its value lines. Lots belong to the taxpayer,
// whichever account holds them: a transfer between its own accounts moves cost and uses no lot.
import { type Atto, attoText, shareOf } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import { accountKey, carriedShare, shortfallCovered, unitsLacking, unsignedUnits } from './carrying.ts';
import {
  AT_LOT_COST,
  accountKeyIn,
  balanceRounding,
  CARRIED,
  type EntryValuation,
  feesOf,
  type LegSide,
  negated,
  recordGain,
  sumIfKnown,
  writeLeg,
  writeUnvaluedLine,
  writeValueLine,
} from './entry-valuation.ts';
import type { ChosenLot, EntryValues, Event } from './event.ts';
import type { Market } from './exchange.ts';
import { numbered, ownPlace, type PricedLeg, priceEvent } from './leg-values.ts';
import { addAcquiredLot, knownCost, moveLots, recordDisposals, reportMissingLots, takeLots } from './lots.ts';
import { reportOtherAmount } from './other-amount.ts';
import { placeOf } from './places.ts';
import type { Fraction } from './pool.ts';
import { sendAgain } from './reversal.ts';
import { recordSpread } from './spread.ts';
import { type PoolPlace, poolOf, type State } from './state.ts';
import { leaveMoved } from './staying-lots.ts';
import { reportTakenAsThird } from './third-party.ts';

/** Values one event and updates the state. */
export const valueEvent = (event: Event, state: State, market: Market): EntryValues => {
  const priced = priceEvent(event, market, state.rules);
  const values: EntryValues = { lines: [], lots: [], uses: [], findings: [...priced.findings] };
  const chosen = new Map<string, ChosenLot[]>();
  for (const [currency, lots] of event.chosenLots) chosen.set(currency, [...lots]);
  const valuation = { event, state, priced, market, values, fees: feesOf(priced, market), chosen };
  for (const leg of priced.legs) {
    reportTakenAsThird(valuation, leg);
    reportOtherAmount(valuation, leg);
    const own = ownPlace(event, leg);
    if (leg.currency === market.reporting) bookWithoutLots(valuation, leg);
    else if (leg.to === 'held' && leg.from === 'held') transferAtCost(valuation, leg);
    else if (own) (leg.to === 'held' ? returnOwnLots : sendOwnLots)(valuation, leg, own);
    else if (leg.to === 'held') acquire(valuation, leg);
    else if (leg.isNetted) withholdFee(valuation, leg);
    else if (isFeeAtCost(valuation, leg)) spendAtCost(valuation, leg);
    else if (leg.from === 'held') dispose(valuation, leg);
    else bookWithoutLots(valuation, leg);
  }
  recordSpread(valuation);
  balanceRounding(valuation);
  return values;
};

/** A fee that is part of a cost, or was deducted from proceeds, is not an expense as well. */
const expensedValue = ({ to, feeTarget, value }: PricedLeg): Atto | null =>
  to === 'fee' && feeTarget !== 'expenses' && value !== null ? 0n : value;

/** Books a leg without lots (money, a debt or a claim) at its value. */
const bookWithoutLots = (valuation: EntryValuation, leg: PricedLeg): void => {
  const isUnknown = valuation.priced.exchange?.value.value === null; // then the value of the conversion is unknown too
  writeLeg(
    valuation,
    leg,
    { exact: isUnknown && leg.to === 'conversion' ? null : expensedValue(leg) },
    { exact: isUnknown && leg.from === 'conversion' ? null : negated(leg.value) },
  );
};

const transferAtCost = (valuation: EntryValuation, leg: PricedLeg): void => {
  const [from, to] = [placeIn(valuation, leg.credit), placeIn(valuation, leg.debit)];
  if (from.name !== to.name) moveLots(valuation, leg, [from, to]);
  const value = valueOnDeparture(valuation, leg);
  const arriving = valueOnArrival(valuation, leg, value);
  writeLeg(valuation, leg, { exact: arriving, basis: CARRIED }, { exact: -value, basis: CARRIED });
  writeValueLine(valuation, leg, COST_DIFFERENCES, value - arriving);
};

const placeIn = ({ event, state }: EntryValuation, account: string) => placeOf(state, event.entity, account);

/**
 * The value that an account receives with units. Units that cover a shortfall enter at the amount at which they left; the
 * rest enters at its value.
 */
const valueOnArrival = ({ event, state }: EntryValuation, leg: PricedLeg, value: Atto): Atto => {
  const account = accountKey(event.entity, leg.debit, leg.currency);
  const { short, exact } = shortfallCovered(state.carrying, account, leg.units);
  return short === 0n ? value : exact + shareOf(value, leg.units - short, leg.units);
};

/** Moves the lots of a leg: first those that a reversed entry had moved, which stay there or are sent again. */
const moveOwnLots = (
  valuation: EntryValuation,
  leg: PricedLeg,
  places: readonly [PoolPlace, PoolPlace],
): Fraction[] => {
  const { settled, returned } = valuation.event;
  const [before, back] = [settled.get(leg.leg), returned.get(leg.leg)];
  const moved = before ? leaveMoved(valuation, leg, before) : back ? sendAgain(valuation, leg, back) : [];
  reportMissingLots(valuation, leg, moved);
  const units = moved.reduce((rest, fraction) => rest - fraction.units, leg.units);
  return units > 0n ? [...moved, ...moveLots(valuation, { ...leg, units }, places)] : moved;
};

/** Receives our own units from outside: the lots that were sent there return, with their cost. */
const returnOwnLots = (valuation: EntryValuation, leg: PricedLeg, from: PoolPlace): void => {
  const fractions = moveOwnLots(valuation, leg, [from, placeIn(valuation, leg.debit)]);
  const cost = knownCostOrNull(fractions);
  const arriving = cost === null ? null : valueOnArrival(valuation, leg, cost);
  writeLeg(valuation, leg, { exact: arriving }, { exact: negated(cost) });
  writeValueLine(valuation, leg, COST_DIFFERENCES, (cost ?? 0n) - (arriving ?? 0n));
  leaveUnvalued(valuation, leg, fractions, [leg.debit, leg.credit]);
};

const knownCostOrNull = (fractions: readonly Fraction[]): Atto | null =>
  fractions.some(({ cost }) => cost !== null) ? knownCost(fractions) : null;

/** Adds lines without a value if the cost of only some fractions is known. */
const leaveUnvalued = (
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
const valueOnDeparture = (valuation: EntryValuation, leg: PricedLeg): Atto => {
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
const carriedSide = (carried: Atto): LegSide => ({ exact: -carried, basis: AT_LOT_COST });

/** Sends our own units to an external account of our own: their lots move along, and nothing is disposed of. */
const sendOwnLots = (valuation: EntryValuation, leg: PricedLeg, to: PoolPlace): void => {
  const carried = valueOnDeparture(valuation, leg);
  const fractions = moveOwnLots(valuation, leg, [placeIn(valuation, leg.credit), to]);
  writeLeg(valuation, leg, { exact: knownCostOrNull(fractions) }, carriedSide(carried));
  writeValueLine(valuation, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  leaveUnvalued(valuation, leg, fractions, [leg.debit]);
};

const acquire = (valuation: EntryValuation, leg: PricedLeg): void => {
  const { fees } = valuation;
  const value = leg.from === 'withheld' ? valueOnDeparture(valuation, leg) : leg.value;
  const isBearer = fees.bearer === leg.leg;
  const isCost = isBearer && valuation.priced.exchange?.isBuy;
  const lotCost = isCost ? sumIfKnown([value, fees.inCost]) : value;
  const isReceived = leg.from === 'conversion' && isFirstReceived(valuation, leg);
  const withheld = isReceived
    ? withheldFees(valuation, leg.currency)
    : { units: 0n, value: 0n as Atto | null };
  const cost = valuation.priced.exchange?.isBuy ? lotCost : sumIfKnown([lotCost, negated(withheld.value)]);
  addAcquiredLot(valuation, leg, { units: leg.units - withheld.units, cost });
  const arriving = lotCost === null ? null : valueOnArrival(valuation, leg, lotCost);
  writeLeg(valuation, leg, { exact: arriving }, { exact: negated(value) });
  writeValueLine(
    valuation,
    leg,
    COST_DIFFERENCES,
    lotCost === null || arriving === null ? 0n : lotCost - arriving,
  );
};

const isFirstReceived = ({ priced: { legs } }: EntryValuation, { leg, currency }: PricedLeg): boolean =>
  legs.find((leg) => leg.currency === currency && leg.to === 'held' && leg.from === 'conversion')?.leg ===
  leg;

/** Fees that were withheld from the amount received, in one currency. */
const withheldFees = (
  { priced: { legs } }: EntryValuation,
  currency: string,
): { units: Atto; value: Atto | null } => {
  const fees = legs.filter((leg) => leg.isNetted && leg.currency === currency);
  return {
    units: fees.reduce((sum, { units }) => sum + units, 0n),
    value: sumIfKnown(fees.map(({ value }) => value)),
  };
};

const dispose = (valuation: EntryValuation, leg: PricedLeg): void => {
  const { fees } = valuation;
  const carried = valueOnDeparture(valuation, leg);
  const value = leg.to === 'owed' ? repaidValue(valuation, leg) : leg.value;
  const isBearer = fees.bearer === leg.leg && !valuation.priced.exchange?.isBuy;
  const feesDeducted = isBearer ? fees.inProceeds : 0n;
  const proceeds = sumIfKnown([value, negated(feesDeducted)]);
  const fractions = takeLots(valuation, leg, placeIn(valuation, leg.credit));
  reportMissingLots(valuation, leg, fractions);
  const gains = recordDisposals(valuation, leg, { fractions, proceeds, feesDeducted });
  writeLeg(valuation, leg, { exact: expensedValue({ ...leg, value }) }, carriedSide(carried));
  writeValueLine(valuation, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  recordGain(valuation, leg, gains);
};

/** A fee outside an exchange, such as a network fee, whose units leave at their cost by the rule `network-fee`. */
const isFeeAtCost = ({ state, priced }: EntryValuation, { to, from }: PricedLeg): boolean =>
  to === 'fee' && from === 'held' && priced.exchange === null && state.rules['network-fee'] === 'cost';

/** Units that leave at what they cost: the expense is their cost, and there is no gain. */
const spendAtCost = (valuation: EntryValuation, leg: PricedLeg): void => {
  const carried = valueOnDeparture(valuation, leg);
  const fractions = takeLots(valuation, leg, placeIn(valuation, leg.credit));
  reportMissingLots(valuation, leg, fractions);
  const gains = recordDisposals(valuation, leg, { fractions, proceeds: 'cost', feesDeducted: 0n });
  const cost = knownCostOrNull(fractions);
  const atCost = { ...leg, value: cost, basis: AT_LOT_COST };
  writeLeg(valuation, atCost, { exact: cost }, carriedSide(carried));
  writeValueLine(valuation, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  leaveUnvalued(valuation, leg, fractions, [leg.debit]);
  recordGain(valuation, leg, gains);
};

/** A fee withheld from what was received: part of the cost of what was bought, or deducted from the proceeds of what was sold. */
const withholdFee = (valuation: EntryValuation, leg: PricedLeg): void => {
  const credit = valuation.priced.exchange?.isBuy ? 0n : negated(leg.value);
  writeLeg(valuation, leg, { exact: leg.value === null ? null : 0n }, { exact: credit });
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
