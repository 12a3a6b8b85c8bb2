// Booking in value: what an event does to lots and to carrying amounts, and the lines that say so. Lots are the
// taxpayer's, wherever they lie: a move between its own accounts takes cost along and uses no lot.

import { type Atto, attoText, shareOf } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import { placeOf, shareAt, shortAt, shortOf, sizeAt } from './carrying.ts';
import type { Event, Outcome } from './event.ts';
import type { At } from './exchange.ts';
import { disposed, knownCost, newLot, relocated, tellUnbacked } from './lots.ts';
import {
  CARRIED,
  extra,
  feesOf,
  gained,
  type Making,
  minus,
  open,
  place,
  push,
  type Side,
  settle,
  total,
} from './making.ts';
import { type Fraction, take } from './pool.ts';
import { tellSpread } from './spread.ts';
import { poolOf, type State } from './state.ts';
import { isOwn, numbered, type PricedLeg, priced } from './worth.ts';

/** Books one event into a state. */
export const bookEvent = (event: Event, state: State, at: At): Outcome => {
  const its = priced(event, at);
  const out: Outcome = { lines: [], lots: [], uses: [], findings: [...its.findings] };
  const making = { event, state, priced: its, at, out, fees: feesOf(its, at) };
  for (const leg of its.legs) {
    tellNature(making, leg);
    if (leg.currency === at.reporting) passed(making, leg);
    else if (leg.to === 'held' && leg.from === 'held') moved(making, leg);
    else if (isOwn(event, leg)) (leg.to === 'held' ? returned : sent)(making, leg);
    else if (leg.to === 'held') came(making, leg);
    else if (leg.isNetted) keptBack(making, leg);
    else if (leg.from === 'held') went(making, leg);
    else passed(making, leg);
  }
  tellSpread(making);
  settle(making);
  return out;
};

/** An outside leg whose other end nobody named is valued as a third party's. */
const tellNature = ({ event, at, out }: Making, leg: PricedLeg): void => {
  const isOutside = leg.to === 'outside' || leg.from === 'outside';
  if (!isOutside || leg.currency === at.reporting) return;
  if ((event.natures.get(leg.leg) ?? 'unknown') !== 'unknown') return;
  const detail = `${event.name}: nobody said who is at the other end, so it is valued as a third party's`;
  out.findings.push({ kind: 'unknown-nature', severity: 'note', ...numbered(leg), detail });
};

/** A fee that is in a cost, or came out of proceeds, is no expense beside. */
const expensed = ({ to, feeGoes, worth }: PricedLeg): Atto | null =>
  to === 'fee' && feeGoes !== 'expenses' && worth !== null ? 0n : worth;

/** Nothing of it is in lots. What a debt or a claim gives up is worth what it is carried at. */
const passed = (making: Making, leg: PricedLeg): void => {
  const isUnknown = making.priced.exchange?.worth.worth === null; // then conversion is not worth the money alone
  push(
    making,
    leg,
    { exact: isUnknown && leg.to === 'conversion' ? null : expensed(leg) },
    { exact: isUnknown && leg.from === 'conversion' ? null : minus(leg.worth) },
  );
};

const moved = (making: Making, leg: PricedLeg): void => {
  const worth = carriedAt(making, leg);
  const taken = takenIn(making, leg, worth);
  push(making, leg, { exact: taken, ...CARRIED }, { exact: -worth, ...CARRIED });
  extra(making, leg, COST_DIFFERENCES, worth - taken);
};

/** What an account that is short gets back with its units: what they were carried at as they left, and for the rest their worth. */
const takenIn = ({ event, state }: Making, leg: PricedLeg, worth: Atto): Atto => {
  const its = placeOf(event.entity, leg.debit, leg.currency);
  const { short, exact } = shortAt(state.carrying, its, leg.units);
  return short === 0n ? worth : exact + shareOf(worth, leg.units - short, leg.units);
};

/** Our own, from outside: the lots that went there come back. */
const returned = (making: Making, leg: PricedLeg): void => {
  const fractions = relocated(making, leg, ['outside', 'held']);
  const cost = knownOf(fractions);
  const taken = cost === null ? null : takenIn(making, leg, cost);
  push(making, leg, { exact: taken }, { exact: minus(cost) });
  extra(making, leg, COST_DIFFERENCES, (cost ?? 0n) - (taken ?? 0n));
  openRest(making, leg, fractions, [leg.debit, leg.credit]);
};

/** What is known of the cost of fractions; null where nothing is. */
const knownOf = (fractions: readonly Fraction[]): Atto | null =>
  fractions.some(({ cost }) => cost !== null) ? knownCost(fractions) : null;

/** Lines without a value beside what is known, where that is not all. */
const openRest = (
  making: Making,
  leg: PricedLeg,
  fractions: readonly Fraction[],
  accounts: readonly string[],
): void => {
  const costs = fractions.map(({ cost }) => cost);
  if (!costs.includes(null) || costs.every((cost) => cost === null)) return;
  for (const account of accounts) open(making, leg, account);
};

/**
 * What an account gives up. What it does not hold by now, since its arrival is told later than its leaving, is carried at the
 * average of the lots.
 */
const carriedAt = (making: Making, leg: PricedLeg): Atto => {
  const { carrying } = making.state;
  const from = place(making, leg.credit, leg.currency);
  const short = leg.from === 'held' ? shortOf(carrying, from, leg.units) : 0n;
  const { knownUnits, knownCost: cost } = poolOf(making.state, 'held', leg.currency);
  const owed = short === 0n || knownUnits <= 0n ? 0n : shareOf(cost, short, knownUnits);
  return short === leg.units ? owed : shareAt(carrying, from, leg.units) + owed;
};

/** What an account gives up, beside which the lots' cost may be another. */
const gives = (carried: Atto): Side => ({ exact: -carried, ...CARRIED, rule: 'lot-cost' });

/** Our own, sent to ourselves: its lots go along, and nothing is disposed of. */
const sent = (making: Making, leg: PricedLeg): void => {
  const carried = carriedAt(making, leg);
  const fractions = relocated(making, leg, ['held', 'outside']);
  push(making, leg, { exact: knownOf(fractions) }, gives(carried));
  extra(making, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  openRest(making, leg, fractions, [leg.debit]);
};

/** Something came to be held: a lot, at what it cost. */
const came = (making: Making, leg: PricedLeg): void => {
  const { fees } = making;
  const worth = leg.from === 'withheld' ? carriedAt(making, leg) : leg.worth;
  const isBearer = fees.bearer === leg.leg;
  const isCost = isBearer && making.priced.exchange?.isBuy;
  const value = isCost ? total([worth, fees.inCost]) : worth;
  const isReceived = leg.from === 'conversion' && isFirstOf(making, leg);
  const netted = isReceived ? nettedIn(making, leg.currency) : { units: 0n, worth: 0n as Atto | null };
  const cost = making.priced.exchange?.isBuy ? value : total([value, minus(netted.worth)]);
  newLot(making, leg, { units: leg.units - netted.units, cost });
  const taken = value === null ? null : takenIn(making, leg, value);
  push(making, leg, { exact: taken }, { exact: minus(worth) });
  extra(making, leg, COST_DIFFERENCES, value === null || taken === null ? 0n : value - taken);
};

const isFirstOf = ({ priced: { legs } }: Making, { leg, currency }: PricedLeg): boolean =>
  legs.find((it) => it.currency === currency && it.to === 'held' && it.from === 'conversion')?.leg === leg;

/** Fees that were kept back from one currency. */
const nettedIn = ({ priced: { legs } }: Making, currency: string): { units: Atto; worth: Atto | null } => {
  const fees = legs.filter((it) => it.isNetted && it.currency === currency);
  return {
    units: fees.reduce((sum, { units }) => sum + units, 0n),
    worth: total(fees.map(({ worth }) => worth)),
  };
};

/** Something is held no more: sold, paid, sent to somebody. */
const went = (making: Making, leg: PricedLeg): void => {
  const { state, fees } = making;
  const carried = carriedAt(making, leg);
  const worth = leg.to === 'owed' ? repaid(making, leg) : leg.worth;
  const isBearer = fees.bearer === leg.leg && !making.priced.exchange?.isBuy;
  const less = isBearer ? fees.inProceeds : 0n;
  const proceeds = total([worth, minus(less)]);
  const fractions = take(poolOf(state, 'held', leg.currency), leg.units);
  tellUnbacked(making, leg, fractions);
  const gains = disposed(making, leg, { fractions, proceeds, less });
  push(making, leg, { exact: expensed({ ...leg, worth }) }, gives(carried));
  extra(making, leg, COST_DIFFERENCES, carried - knownCost(fractions));
  gained(making, leg, gains);
};

/** A fee kept back from what was received: its cost is that of what was bought, or comes out of what was sold. */
const keptBack = (making: Making, leg: PricedLeg): void => {
  const credit = making.priced.exchange?.isBuy ? 0n : minus(leg.worth);
  push(making, leg, { exact: leg.worth === null ? null : 0n }, { exact: credit });
};

/** What a debt falls by: what it is carried at, and for more than is owed the rate. */
const repaid = ({ event, state, at, out }: Making, leg: PricedLeg): Atto | null => {
  const debt = placeOf(event.entity, leg.debit, leg.currency);
  const owed = sizeAt(state.carrying, debt);
  const carried = shareAt(state.carrying, debt, leg.units);
  if (leg.units <= owed) return carried;
  const price = at.prices(leg.currency, event.at);
  if (price) return carried + price.worthOf(leg.units - owed);
  const detail = `${attoText(leg.units - owed)} ${leg.currency} more than was owed, and no rate in the 24 hours before`;
  out.findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return null;
};
