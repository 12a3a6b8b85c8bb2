// Exchanges: what was given for what, and what that was worth. The money side decides: the reporting currency by its amount,
// another fiat currency at its own rate, so that at a constant rate nothing is gained or lost on it. Between two coins the
// platform's value in euro is taken, where euro is reported, else the market's of the side received.
import type { Atto } from '../base/money.ts';
import { noWorth, ownBasis, pricedBy } from './basis.ts';
import type { Event, Found, Leg, Worth } from './event.ts';
import type { Prices } from './prices.ts';
import { roleOf } from './roles.ts';

/** The market at which values are taken, in the reporting currency. */
export type At = {
  readonly reporting: string;
  readonly prices: Prices;
  /** Money of a state, by its code. A token that follows one is a coin. */
  readonly isFiat: (currency: string) => boolean;
};

export type Exchange = {
  readonly isBuy: boolean;
  readonly worth: Worth;
  /** By currency what met in conversion: positive was given, negative received. */
  readonly met: ReadonlyMap<string, Atto>;
};

type Side = { readonly currency: string; readonly units: Atto };
type Asking = At & { readonly event: Event; readonly findings: Found[] };

/** The exchange of an event; null where nothing meets in conversion. */
export const exchangeOf = (event: Event, at: At, findings: Found[]): Exchange | null => {
  const met = new Map<string, Atto>();
  for (const { debit, credit, currency, units } of event.legs) {
    if (roleOf(debit) === 'conversion') met.set(currency, (met.get(currency) ?? 0n) + units);
    if (roleOf(credit) === 'conversion') met.set(currency, (met.get(currency) ?? 0n) - units);
  }
  if (met.size === 0) return null;
  const sides = [...met].flatMap(([currency, units]) => (units === 0n ? [] : [{ currency, units }]));
  return {
    ...{ met, isBuy: isBuy(event, sides, at) },
    worth: worthOf(sides, { ...at, event, findings }),
  };
};

export const isMoney = ({ reporting, isFiat }: At, currency: string): boolean =>
  currency === reporting || isFiat(currency);

/** A coin is bought with money, and sold for it. Of two coins a trade buys or sells its base; a swap in the wallet is a sale. */
const isBuy = ({ kind, legs }: Event, sides: readonly Side[], at: At): boolean => {
  const coins = sides.filter(({ currency }) => !isMoney(at, currency));
  const [coin] = coins;
  if (coin && coins.length === 1) return coin.units < 0n;
  return kind === 'trade' && legs[0] !== undefined && roleOf(legs[0].credit) === 'conversion';
};

const worthOf = (sides: readonly Side[], asking: Asking): Worth => {
  const { event, reporting } = asking;
  const own = sides.find(({ currency }) => currency === reporting);
  // A rule books no exchange of which it does not know both amounts, so that a side without a leg is one of 0.
  const isFree = sides.length === 1 && !own && event.kind !== 'manual';
  if (sides.length === 0 || isFree) return { worth: 0n, ...ownBasis(event, 'own-cost') };
  const [got, gave] = [sides.find(({ units }) => units < 0n), sides.find(({ units }) => units > 0n)];
  if (sides.length !== 2 || !got || !gave) return notUnderstood(sides, asking);
  if (own) return { worth: absolute(own.units), ...ownBasis(event, 'own-cost') };
  return withoutReporting(got, gave, asking);
};

const withoutReporting = (got: Side, gave: Side, asking: Asking): Worth => {
  const [isGotFiat, isGaveFiat] = [asking.isFiat(got.currency), asking.isFiat(gave.currency)];
  const rated = isGaveFiat && !isGotFiat ? [gave, got] : [got, gave];
  if (!isGotFiat && !isGaveFiat) return toldWorth(asking) ?? ratedWorth(rated, asking);
  return ratedWorth(rated.slice(0, 1), asking, () => toldWorth(asking) ?? ratedWorth(rated, asking));
};

/** What the platform says that it was worth in euro. */
const toldWorth = ({ event, reporting }: Asking): Worth | null =>
  reporting === 'EUR' && event.costEuro !== null && event.costEuro > 0n
    ? { worth: event.costEuro, ...ownBasis(event, 'cost-euro') }
    : null;

/** At the rate of the first side that has one. */
const ratedWorth = (
  sides: readonly Side[],
  asking: Asking,
  otherwise = () => noRate(sides, asking),
): Worth => {
  for (const { currency, units } of sides) {
    const price = asking.prices(currency, asking.event.at);
    if (price) return pricedBy(price, absolute(units));
  }
  return otherwise();
};

const noRate = (sides: readonly Side[], { event, findings }: Asking): Worth => {
  const [{ currency, units } = { currency: '', units: 0n }] = sides;
  const names = sides.map((side) => side.currency).join(' or ');
  const detail = `no rate of ${names} in the 24 hours before ${event.effectiveAt}`;
  const place = { leg: null, currency, units: absolute(units) };
  findings.push({ kind: 'no-rate', severity: 'finding', ...place, detail });
  return noWorth('rate');
};

const notUnderstood = (sides: readonly Side[], { event, findings }: Asking): Worth => {
  const [{ currency, units } = { currency: '', units: 0n }] = sides;
  const names = sides.map((side) => side.currency).join(', ');
  const detail = `${event.name} exchanges ${names} in a way that no rule knows`;
  findings.push({ kind: 'not-understood', severity: 'finding', leg: null, currency, units, detail });
  return noWorth('not-understood');
};

export const absolute = (units: Atto): Atto => (units < 0n ? -units : units);

/** Where the fees of an exchange go: null where no coin of ours was bought or sold that could bear them. */
export const foldable = (event: Event, exchange: Exchange | null, at: At): 'cost' | 'proceeds' | null => {
  if (!exchange || !event.legs.some((leg) => isBearer(leg, exchange, at))) return null;
  return exchange.isBuy ? 'cost' : 'proceeds';
};

/** Whether a leg is of the coin that was bought or sold. Money bears no fee: its lots cost its rate. */
export const isBearer = (
  { debit, credit, currency }: Leg,
  exchange: Pick<Exchange, 'isBuy'>,
  at: At,
): boolean => {
  const [to, from] = exchange.isBuy ? [debit, credit] : [credit, debit];
  return !isMoney(at, currency) && roleOf(to) === 'held' && roleOf(from) === 'conversion';
};
