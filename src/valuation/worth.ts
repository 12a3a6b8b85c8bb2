// Worth: what each leg of an event comes to in the reporting currency, and by which rule: that of its exchange, what its
// record says, or a rate. What has none is null, and a finding: never 0.
import { type Atto, attoText, shareOf } from '../base/money.ts';
import { noWorth, ownBasis, pricedBy } from './basis.ts';
import type { Event, Found, Leg, Worth } from './event.ts';
import { type At, absolute, type Exchange, exchangeOf, foldable } from './exchange.ts';
import { type Role, roleOf } from './roles.ts';

/** Where a fee goes: into the cost of what was bought, out of the proceeds of what was sold, or to expenses. */
export type FeeGoes = 'cost' | 'proceeds' | 'expenses';

export type PricedLeg = Leg &
  Worth & {
    readonly from: Role;
    readonly to: Role;
    readonly feeGoes: FeeGoes | null;
    /** The fee was kept back from what was received, so that less of it came: nothing is disposed of. */
    readonly isNetted: boolean;
  };

export type Priced = {
  readonly legs: readonly PricedLeg[];
  readonly exchange: Exchange | null;
  readonly findings: readonly Found[];
};

/** What every leg of an event is worth; those that only lots can tell have no worth yet. */
export const priced = (event: Event, at: At): Priced => {
  const findings: Found[] = [];
  const exchange = exchangeOf(event, at, findings);
  const isFolded = foldable(event, exchange, at);
  const shares = new Map<string, { units: Atto; worth: Atto }>();
  const legs = event.legs.map((leg): PricedLeg => {
    const [to, from] = [roleOf(leg.debit), roleOf(leg.credit)];
    const feeGoes: FeeGoes | null = to === 'fee' ? (isFolded ?? 'expenses') : null;
    const isNetted =
      to === 'fee' && from === 'held' && isFolded !== null && isFromReceived(event, exchange, leg);
    const it = { ...leg, to, from, feeGoes, isNetted };
    return { ...it, ...worthOf(event, it, { ...at, exchange, shares, findings }) };
  });
  return { legs, exchange, findings };
};

/** At the rate; where there is none, null with the finding. */
const byRate = (event: Event, leg: Leg, { prices, findings }: At & { readonly findings: Found[] }): Worth => {
  const price = prices(leg.currency, event.at);
  if (price) return pricedBy(price, leg.units);
  const detail = `no rate of ${leg.currency} in the 24 hours before ${event.effectiveAt}`;
  findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return noWorth('rate');
};

export const numbered = ({ leg, currency, units }: Leg) => ({ leg, currency, units });

/** Whether a fee is in the coin that was received, and there is more of that than of fees. */
const isFromReceived = ({ legs }: Event, exchange: Exchange | null, { currency }: Leg): boolean => {
  const received = -(exchange?.met.get(currency) ?? 0n);
  const fees = legs.filter(
    (it) => it.currency === currency && roleOf(it.debit) === 'fee' && roleOf(it.credit) === 'held',
  );
  return received > fees.reduce((sum, { units }) => sum + units, 0n);
};

type Asking = At & {
  readonly exchange: Exchange | null;
  /** What was given out so far of an exchange's worth, by currency: the last leg takes the rest. */
  readonly shares: Map<string, { units: Atto; worth: Atto }>;
  readonly findings: Found[];
};

const LOTS_TELL: readonly string[] = ['held held', 'owed held', 'held withheld'];

const worthOf = (event: Event, leg: Omit<PricedLeg, keyof Worth>, asking: Asking): Worth => {
  if (leg.currency === asking.reporting)
    return { worth: leg.units, ...ownBasis(event, 'reporting-currency') };
  if (leg.to === 'conversion' || leg.from === 'conversion') return ofExchange(leg, asking);
  if (LOTS_TELL.includes(`${leg.to} ${leg.from}`)) return noWorth('carried');
  if (leg.from === 'reward') return ofReward(event, leg, asking);
  if (leg.from === 'opening' && leg.to === 'held') return ofOpening(event, leg, asking);
  if (isOwn(event, leg)) return noWorth('lot-cost');
  const met = leg.to === 'fee' ? asking.exchange?.met.get(leg.currency) : undefined;
  const isRated = asking.isFiat(leg.currency) && asking.prices(leg.currency, event.at) !== null;
  if (met && asking.exchange && !isRated) return atItsPrice(leg, met, asking.exchange.worth);
  return byRate(event, leg, asking);
};

/** A leg between us and something that is ours too, of a coin: its lots go along. */
export const isOwn = (
  { natures }: Event,
  { leg, to, from }: Pick<PricedLeg, 'leg' | 'to' | 'from'>,
): boolean =>
  `${to} ${from}`.match(/^(held outside|outside held)$/) !== null &&
  ['own', 'own-entity'].includes(natures.get(leg) ?? 'unknown');

const ofExchange = (leg: Leg, { exchange, shares }: Asking): Worth => {
  if (!exchange || exchange.worth.worth === null) return exchange?.worth ?? noWorth('not-understood');
  const whole = absolute(exchange.met.get(leg.currency) ?? 0n);
  const given = shares.get(leg.currency) ?? { units: 0n, worth: 0n };
  const units = given.units + leg.units;
  const upTo =
    units === whole || whole === 0n ? exchange.worth.worth : shareOf(exchange.worth.worth, units, whole);
  shares.set(leg.currency, { units, worth: upTo });
  return { ...exchange.worth, worth: upTo - given.worth };
};

/** A fee in a coin of the exchange is worth what the exchange says of that coin. */
const atItsPrice = (leg: Leg, met: Atto, worth: Worth): Worth => ({
  ...worth,
  worth: worth.worth === null ? null : shareOf(worth.worth, leg.units, absolute(met)),
});

/** The platform's own conversion is of the gross reward; each leg has its share of it. Nothing is worth 0; fiat has its rate. */
const ofReward = (event: Event, leg: Leg, asking: Asking): Worth => {
  const gross = event.legs.reduce((sum, it) => sum + (roleOf(it.credit) === 'reward' ? it.units : 0n), 0n);
  const whole = event.convertedAmount;
  if (whole === null || whole <= 0n || asking.isFiat(leg.currency)) return byRate(event, leg, asking);
  return { worth: shareOf(whole, leg.units, gross), ...ownBasis(event, 'converted-amount') };
};

const ofOpening = (event: Event, leg: Leg, asking: Asking): Worth => {
  const lot = event.openings.get(leg.leg);
  if (!lot) return byRate(event, leg, asking);
  if (lot.cost !== null) return { worth: lot.cost, ...ownBasis(event, 'opening-file') };
  const detail = `the cost of ${attoText(leg.units)} ${leg.currency} has no rate on the day it was acquired`;
  asking.findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return noWorth('opening-file');
};
