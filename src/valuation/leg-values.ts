// Leg values: the value of each leg of an event in the reporting currency, and the rule that gave it: the exchange, the
// record, or a rate. A leg without a value has null and a finding, never 0.
import type { LotRules } from '../approvals/approvals.ts';
import { type Atto, absolute, attoText, shareOf } from '../base/money.ts';
import { noValue, ownBasis, valueAtPrice } from './basis.ts';
import type { Event, FeeTarget, Leg, LegValue, ValueFinding } from './event.ts';
import { type Exchange, exchangeOf, feeTargetOf, type Market } from './exchange.ts';
import { type Role, roleOf } from './roles.ts';
import { EXTERNAL, IN_TRANSIT, type PoolPlace } from './state.ts';

export type PricedLeg = Leg &
  LegValue & {
    readonly from: Role;
    readonly to: Role;
    readonly feeTarget: FeeTarget | null;
    /** The fee was withheld from the amount received: nothing is disposed of. */
    readonly isNetted: boolean;
  };

export type Priced = {
  readonly legs: readonly PricedLeg[];
  readonly exchange: Exchange | null;
  readonly findings: readonly ValueFinding[];
};

/** The value of every leg of an event; legs valued by their lots have none yet. */
export const priceEvent = (event: Event, market: Market, rules: LotRules): Priced => {
  const findings: ValueFinding[] = [];
  const exchange = exchangeOf(event, market, { findings, rules });
  const exchangeTarget = feeTargetOf(event, exchange, market);
  const isKeptBack = exchangeTarget !== null && rules['received-fee'] === 'kept-back';
  const { reporting, prices, isFiat } = market;
  const context = { reporting, prices, isFiat, exchange, allotted: new Map(), findings };
  const legs = event.legs.map((leg): PricedLeg => {
    const [to, from] = [roleOf(leg.debit), roleOf(leg.credit)];
    const feeTarget: FeeTarget | null = to === 'fee' ? (exchangeTarget ?? 'expenses') : null;
    const isNetted = to === 'fee' && from === 'held' && isKeptBack && isFromReceived(event, exchange, leg);
    const { value, basis } = legValue(event, { leg, to, from }, context);
    const { debit, credit, currency, units } = leg;
    return { leg: leg.leg, debit, credit, currency, units, to, from, feeTarget, isNetted, value, basis };
  });
  return { legs, exchange, findings };
};

/** The value at the market rate; null and a finding if there is none. */
const byRate = (
  event: Event,
  leg: Leg,
  { prices, findings }: Market & { readonly findings: ValueFinding[] },
): LegValue => {
  const price = prices(leg.currency, event.micros);
  if (price) return valueAtPrice(price, leg.units);
  const detail = `no rate of ${leg.currency} in the 24 hours before ${event.effectiveAt}`;
  findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return noValue('rate');
};

export const numbered = ({ leg, currency, units }: Leg) => ({ leg, currency, units });

/** Whether a fee is in the received coin, and less than what was received of it. */
const isFromReceived = ({ legs }: Event, exchange: Exchange | null, { currency }: Leg): boolean => {
  const received = -(exchange?.amounts.get(currency) ?? 0n);
  const fees = legs.filter(
    (leg) => leg.currency === currency && roleOf(leg.debit) === 'fee' && roleOf(leg.credit) === 'held',
  );
  return received > fees.reduce((sum, { units }) => sum + units, 0n);
};

type LegContext = Market & {
  readonly exchange: Exchange | null;
  /** The part of an exchange's value already allotted, by currency: the last leg takes the rest. */
  readonly allotted: Map<string, { units: Atto; value: Atto }>;
  readonly findings: ValueFinding[];
};

const VALUED_BY_LOTS: ReadonlySet<string> = new Set(['held held', 'owed held', 'held withheld']);

type LegRoles = { readonly leg: Leg; readonly to: Role; readonly from: Role };

const legValue = (event: Event, { leg, to, from }: LegRoles, context: LegContext): LegValue => {
  if (leg.currency === context.reporting)
    return { value: leg.units, basis: ownBasis(event, 'reporting-currency') };
  if (to === 'conversion' || from === 'conversion') return exchangeShare(leg, context);
  if (VALUED_BY_LOTS.has(`${to} ${from}`)) return noValue('carried');
  if (from === 'reward') return rewardValue(event, leg, context);
  if (from === 'opening' && to === 'held') return openingValue(event, leg, context);
  if (to !== 'fee' && ownPlace(event, leg)) return noValue('lot-cost');
  const amount = to === 'fee' ? context.exchange?.amounts.get(leg.currency) : undefined;
  const isRated = context.isFiat(leg.currency) && context.prices(leg.currency, event.micros) !== null;
  if (amount && context.exchange && !isRated)
    return valueAtExchangePrice(leg, amount, context.exchange.value);
  return byRate(event, leg, context);
};

/**
 * Where the lots of a leg lie off the platform, if it moves a coin between the platform and an external account of our own: its lots
 * move along, or a fee uses them that was charged on the way. The units of a transfer whose other side is booked too only pass through there, apart from those that stay.
 */
export const ownPlace = (
  { counterpartyTypes }: Pick<Event, 'counterpartyTypes'>,
  { leg, debit, credit }: Pick<Leg, 'leg' | 'debit' | 'credit'>,
): PoolPlace | null => {
  const type = counterpartyTypes.get(leg);
  if (type !== 'own-transfer' && type !== 'own' && type !== 'own-entity') return null;
  const [to, from] = [roleOf(debit), roleOf(credit)];
  const isReceived = from === 'external' && (to === 'held' || to === 'fee');
  const isSent = to === 'external' && from === 'held';
  if (!isReceived && !isSent) return null;
  return type === 'own-transfer' ? IN_TRANSIT : EXTERNAL;
};

const exchangeShare = (leg: Leg, { exchange, allotted }: LegContext): LegValue => {
  if (!exchange || exchange.value.value === null) return exchange?.value ?? noValue('not-understood');
  const whole = absolute(exchange.amounts.get(leg.currency) ?? 0n);
  const allottedSoFar = allotted.get(leg.currency) ?? { units: 0n, value: 0n };
  const units = allottedSoFar.units + leg.units;
  const upTo =
    units === whole || whole === 0n ? exchange.value.value : shareOf(exchange.value.value, units, whole);
  allotted.set(leg.currency, { units, value: upTo });
  return { value: upTo - allottedSoFar.value, basis: exchange.value.basis };
};

/** The value of a fee in a coin of the exchange, at the exchange's own price. */
const valueAtExchangePrice = (leg: Leg, amount: Atto, exchangeValue: LegValue): LegValue => ({
  value: exchangeValue.value === null ? null : shareOf(exchangeValue.value, leg.units, absolute(amount)),
  basis: exchangeValue.basis,
});

/**
 * The platform converts the gross reward to euro; each leg has its share of that. Without it, the rate applies; a reward
 * of fiat always uses its rate.
 */
const rewardValue = (event: Event, leg: Leg, context: LegContext): LegValue => {
  const gross = event.legs.reduce(
    (sum, eventLeg) => sum + (roleOf(eventLeg.credit) === 'reward' ? eventLeg.units : 0n),
    0n,
  );
  const whole = event.reportedValue;
  if (whole === null || context.isFiat(leg.currency)) return byRate(event, leg, context);
  return { value: shareOf(whole, leg.units, gross), basis: ownBasis(event, 'converted-amount') };
};

const openingValue = (event: Event, leg: Leg, context: LegContext): LegValue => {
  const lot = event.openings.get(leg.leg);
  if (!lot) return byRate(event, leg, context);
  if (lot.cost !== null) return { value: lot.cost, basis: ownBasis(event, 'opening-file') };
  const detail = `the cost of ${attoText(leg.units)} ${leg.currency} has no rate on the day it was acquired`;
  context.findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return noValue('opening-file');
};
