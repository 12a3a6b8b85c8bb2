// Books values: the effect of an event on lots and carrying amounts, and its value lines. Lots belong to the taxpayer,
// whichever account holds them: a transfer between its own accounts moves cost and uses no lot.
import { type Atto, shareOf } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import { accountKey, shortfallCovered } from './carrying.ts';
import { reportOtherAmount, reportReceived, reportTakenAsThird } from './counterparty-findings.ts';
import {
  balanceRounding,
  CARRIED,
  type EntryValuation,
  feesOf,
  negated,
  sumIfKnown,
  writeLeg,
  writeValueLine,
} from './entry-valuation.ts';
import type { ChosenLot, EntryValues, Event } from './event.ts';
import type { Market } from './exchange.ts';
import {
  bookWithoutLots,
  carriedSide,
  chargeOwn,
  knownCostOrNull,
  leaveUnvalued,
  placeIn,
  useUp,
  valueOnDeparture,
} from './leaving.ts';
import { ownPlace, type PricedLeg, priceEvent } from './leg-values.ts';
import { addAcquiredLot, knownCost, moveLots, reportMissingLots } from './lots.ts';
import { firstOf, leaveInPlace, sendAgain } from './moved-lots.ts';
import { type Fraction, lackingOf } from './pool.ts';
import { recordSpread } from './spread.ts';
import type { PoolPlace, State } from './state.ts';
import { reportTransferFee } from './transfer-fees.ts';

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
    reportTransferFee(valuation, leg);
    const own = ownPlace(event, leg);
    if (leg.currency === market.reporting) bookWithoutLots(valuation, leg);
    else if (leg.to === 'held' && leg.from === 'held') transferAtCost(valuation, leg);
    else if (own && leg.to === 'fee') chargeOwn(valuation, leg);
    else if (own) (leg.to === 'held' ? returnOwnLots : sendOwnLots)(valuation, leg, own);
    else if (leg.to === 'held') acquire(valuation, leg);
    else if (leg.isNetted) withholdFee(valuation, leg);
    else if (leg.from === 'held') useUp(valuation, leg);
    else bookWithoutLots(valuation, leg);
  }
  recordSpread(valuation);
  balanceRounding(valuation);
  return values;
};

const transferAtCost = (valuation: EntryValuation, leg: PricedLeg): void => {
  const [from, to] = [placeIn(valuation, leg.credit), placeIn(valuation, leg.debit)];
  if (from.name !== to.name) moveLots(valuation, leg, [from, to]);
  const value = valueOnDeparture(valuation, leg);
  const arriving = valueOnArrival(valuation, leg, value);
  writeLeg(valuation, leg, { exact: arriving, basis: CARRIED }, { exact: -value, basis: CARRIED });
  writeValueLine(valuation, leg, COST_DIFFERENCES, value - arriving);
};

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
  const { event } = valuation;
  const [staying, returned] = [event.staying.get(leg.leg), event.returned.get(leg.leg)];
  const moved = staying ? leaveInPlace(valuation, leg, staying) : [];
  const again = returned ? firstOf(returned, lackingOf(moved, leg.units)) : null;
  if (again) {
    reportReceived(valuation, leg, { ...again, receivedIn: returned?.receivedIn ?? null });
    moved.push(...sendAgain(valuation, leg, again));
  }
  reportMissingLots(valuation, leg, moved);
  const units = lackingOf(moved, leg.units);
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

/** A fee withheld from what was received: part of the cost of what was bought, or deducted from the proceeds of what was sold. */
const withholdFee = (valuation: EntryValuation, leg: PricedLeg): void => {
  const credit = valuation.priced.exchange?.isBuy ? 0n : negated(leg.value);
  writeLeg(valuation, leg, { exact: leg.value === null ? null : 0n }, { exact: credit });
};
