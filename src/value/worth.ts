// Worth: what each leg of an event comes to in the reporting currency, and by which rule. A fill in the reporting
// currency is worth its own cost; of other pairs the platform's value in euro is taken, where euro is reported; then comes
// a rate. What has none is null, and a finding: never 0.
import { type Atto, attoText, shareOf } from '../money.ts';
import type { Basis, Event, Found, Leg, Worth } from './event.ts';
import type { Price, Prices } from './prices.ts';
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

/** An exchange: what was given for what, and what the two sides say that it was worth. */
export type Exchange = {
  readonly isBuy: boolean;
  readonly worth: Worth;
  /** By currency what met in conversion: positive was given, negative received. */
  readonly met: ReadonlyMap<string, Atto>;
};

export type Priced = {
  readonly legs: readonly PricedLeg[];
  readonly exchange: Exchange | null;
  readonly findings: readonly Found[];
};

export type At = { readonly reporting: string; readonly prices: Prices };

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

const OWN = (event: Event, rule: string): Basis => ({
  rule,
  source: event.name,
  path: 'direct',
  ageSeconds: 0,
});
const NONE = (rule: string): Worth => ({ worth: null, rule, source: '', path: null, ageSeconds: null });

const by = ({ worthOf: of, source, path, ageSeconds }: Price, units: Atto): Worth => ({
  ...{ worth: of(units), rule: 'rate', source, path, ageSeconds },
});

/** The same for null where there is no rate, with the finding. */
const byRate = (event: Event, leg: Leg, { prices, findings }: At & { readonly findings: Found[] }): Worth => {
  const price = prices(leg.currency, event.at);
  if (price) return by(price, leg.units);
  const detail = `no rate of ${leg.currency} in the 24 hours before ${event.effectiveAt}`;
  findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return NONE('rate');
};

export const numbered = ({ leg, currency, units }: Leg) => ({ leg, currency, units });

const exchangeOf = (event: Event, at: At, findings: Found[]): Exchange | null => {
  const met = new Map<string, Atto>();
  for (const { debit, credit, currency, units } of event.legs) {
    if (roleOf(debit) === 'conversion') met.set(currency, (met.get(currency) ?? 0n) + units);
    if (roleOf(credit) === 'conversion') met.set(currency, (met.get(currency) ?? 0n) - units);
  }
  if (met.size === 0) return null;
  const money = met.get(at.reporting) ?? 0n;
  const isBuy = money === 0n ? isFirstBought(event) : money > 0n;
  return { isBuy, met, worth: exchangeWorth(event, met, { ...at, findings }) };
};

/** A trade's first leg is its base: it was bought where it came out of conversion. A swap in the wallet is a sale. */
const isFirstBought = ({ kind, legs }: Event): boolean =>
  kind === 'trade' && legs[0] !== undefined && roleOf(legs[0].credit) === 'conversion';

const exchangeWorth = (
  event: Event,
  met: ReadonlyMap<string, Atto>,
  at: At & { readonly findings: Found[] },
): Worth => {
  const money = met.get(at.reporting) ?? 0n;
  const coins = [...met].filter(([currency, units]) => currency !== at.reporting && units !== 0n);
  const [first, second] = coins;
  if (coins.length === 1 && first && money !== 0n && money > 0n !== first[1] > 0n)
    return { worth: absolute(money), ...OWN(event, 'own-cost') };
  if (coins.length === 0) return { worth: 0n, ...OWN(event, 'own-cost') };
  if (coins.length !== 2 || money !== 0n || !first || !second || first[1] > 0n === second[1] > 0n) {
    const detail = `${event.name} exchanges ${coins.map(([currency]) => currency).join(', ')} in a way that no rule knows`;
    const [currency = '', units = 0n] = first ?? [];
    at.findings.push({ kind: 'not-understood', severity: 'finding', leg: null, currency, units, detail });
    return NONE('not-understood');
  }
  if (at.reporting === 'EUR' && event.costEuro !== null && event.costEuro > 0n)
    return { worth: event.costEuro, ...OWN(event, 'cost-euro') };
  return swapWorth(event, first[1] < 0n ? [first, second] : [second, first], at);
};

type Met = readonly [currency: string, units: Atto];

/** The market's value of what was received; where that has no rate, of what was given. */
const swapWorth = (
  event: Event,
  [received, given]: readonly [Met, Met],
  at: At & { readonly findings: Found[] },
): Worth => {
  for (const [currency, units] of [received, given]) {
    const price = at.prices(currency, event.at);
    if (price) return by(price, absolute(units));
  }
  const [currency, units] = received;
  const detail = `no rate of ${currency} or ${given[0]} in the 24 hours before ${event.effectiveAt}`;
  at.findings.push({
    kind: 'no-rate',
    severity: 'finding',
    leg: null,
    currency,
    units: absolute(units),
    detail,
  });
  return NONE('rate');
};

const absolute = (units: Atto): Atto => (units < 0n ? -units : units);

/** Where the fees of an exchange go: null where nothing of ours was bought or sold that could bear them. */
const foldable = (event: Event, exchange: Exchange | null, { reporting }: At): 'cost' | 'proceeds' | null => {
  if (!exchange) return null;
  const coins = event.legs.filter(({ currency }) => currency !== reporting);
  const bears = exchange.isBuy
    ? coins.some(({ debit, credit }) => roleOf(debit) === 'held' && roleOf(credit) === 'conversion')
    : coins.some(({ debit, credit }) => roleOf(debit) === 'conversion' && roleOf(credit) === 'held');
  return bears ? (exchange.isBuy ? 'cost' : 'proceeds') : null;
};

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
  if (leg.currency === asking.reporting) return { worth: leg.units, ...OWN(event, 'reporting-currency') };
  if (leg.to === 'conversion' || leg.from === 'conversion') return ofExchange(leg, asking);
  if (LOTS_TELL.includes(`${leg.to} ${leg.from}`)) return NONE('carried');
  if (leg.from === 'reward') return ofReward(event, leg, asking);
  if (leg.from === 'opening' && leg.to === 'held') return ofOpening(event, leg, asking);
  if (isOwn(event, leg)) return NONE('lot-cost');
  const met = leg.to === 'fee' ? asking.exchange?.met.get(leg.currency) : undefined;
  if (met && asking.exchange) return atItsPrice(leg, met, asking.exchange.worth);
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
  if (!exchange || exchange.worth.worth === null) return exchange?.worth ?? NONE('not-understood');
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

/** The platform's own conversion is of the gross reward; each leg has its share of it. Nothing is worth 0. */
const ofReward = (event: Event, leg: Leg, asking: Asking): Worth => {
  const gross = event.legs.reduce((sum, it) => sum + (roleOf(it.credit) === 'reward' ? it.units : 0n), 0n);
  const whole = event.convertedAmount;
  if (whole === null || whole <= 0n) return byRate(event, leg, asking);
  return { worth: shareOf(whole, leg.units, gross), ...OWN(event, 'converted-amount') };
};

const ofOpening = (event: Event, leg: Leg, asking: Asking): Worth => {
  const lot = event.openings.get(leg.leg);
  if (!lot) return byRate(event, leg, asking);
  if (lot.cost !== null) return { worth: lot.cost, ...OWN(event, 'opening-file') };
  const detail = `the cost of ${attoText(leg.units)} ${leg.currency} has no rate on the day it was acquired`;
  asking.findings.push({ kind: 'no-rate', severity: 'finding', ...numbered(leg), detail });
  return NONE('opening-file');
};
