// Exchanges: the two sides of a conversion and its value. The money side decides: the reporting currency by its amount,
// another fiat currency at its own rate, so that a constant rate makes no gain or loss on it. Between two coins, the
// platform's value in euro applies if the reporting currency is the euro, otherwise the market value of the side
// received.
import type { LotRules } from '../approvals/approvals.ts';
import { type Atto, absolute } from '../base/money.ts';
import { CONVERSION } from '../ledger/accounts.ts';
import { noValue, ownBasis, valueAtPrice } from './basis.ts';
import type { Event, Leg, LegValue, ValueFinding } from './event.ts';
import type { Prices } from './prices.ts';
import { roleOf } from './roles.ts';

/** Market rates in the reporting currency. */
export type Market = {
  readonly reporting: string;
  readonly prices: Prices;
  /** Whether a currency code is a state's money. A token pegged to one is a coin. */
  readonly isFiat: (currency: string) => boolean;
};

export type Exchange = {
  /** Whether fees are part of the cost of what is received; otherwise they reduce the proceeds of what is given. */
  readonly isBuy: boolean;
  readonly value: LegValue;
  /** Amounts in conversion by currency: positive was given, negative received. */
  readonly amounts: ReadonlyMap<string, Atto>;
};

type ExchangeSide = { readonly currency: string; readonly units: Atto };
type ExchangeContext = Market & { readonly event: Event; readonly findings: ValueFinding[] };

/** The exchange of an event; null if no leg touches conversion. */
export const exchangeOf = (
  event: Event,
  market: Market,
  { findings, rules }: { readonly findings: ValueFinding[]; readonly rules: LotRules },
): Exchange | null => {
  const amounts = new Map<string, Atto>();
  for (const { debit, credit, currency, units } of event.legs) {
    if (debit === CONVERSION) amounts.set(currency, (amounts.get(currency) ?? 0n) + units);
    if (credit === CONVERSION) amounts.set(currency, (amounts.get(currency) ?? 0n) - units);
  }
  if (amounts.size === 0) return null;
  const sides: ExchangeSide[] = [];
  for (const [currency, units] of amounts) if (units !== 0n) sides.push({ currency, units });
  const { reporting, prices, isFiat } = market;
  const value = exchangeValue(sides, { reporting, prices, isFiat, event, findings });
  return { amounts, isBuy: isBuy(sides, market, rules), value };
};

const isMoney = ({ reporting, isFiat }: Market, currency: string): boolean =>
  currency === reporting || isFiat(currency);

/**
 * A coin is bought with money and sold for it. Two coins are both: the rule `swap-fee` decides whether the fee belongs to the
 * purchase or to the sale, whichever way the pair is quoted.
 */
const isBuy = (sides: readonly ExchangeSide[], market: Market, rules: LotRules): boolean => {
  const coins = sides.filter(({ currency }) => !isMoney(market, currency));
  const [coin] = coins;
  return coin && coins.length === 1 ? coin.units < 0n : rules['swap-fee'] === 'cost';
};

const exchangeValue = (sides: readonly ExchangeSide[], context: ExchangeContext): LegValue => {
  const { event, reporting } = context;
  const own = sides.find(({ currency }) => currency === reporting);
  // A rule books an exchange only if both amounts are known, so a side without a leg has an amount of 0.
  const isFree = sides.length === 1 && !own && event.kind !== 'manual';
  if (sides.length === 0 || isFree) return { value: 0n, basis: ownBasis(event, 'own-cost') };
  const [received, spent] = [sides.find(({ units }) => units < 0n), sides.find(({ units }) => units > 0n)];
  if (sides.length !== 2 || !received || !spent) return notUnderstood(sides, context);
  if (own) return { value: absolute(own.units), basis: ownBasis(event, 'own-cost') };
  return valueWithoutReporting(received, spent, context);
};

const valueWithoutReporting = (
  received: ExchangeSide,
  spent: ExchangeSide,
  context: ExchangeContext,
): LegValue => {
  const [isReceivedFiat, isSpentFiat] = [context.isFiat(received.currency), context.isFiat(spent.currency)];
  const rated = isSpentFiat && !isReceivedFiat ? [spent, received] : [received, spent];
  if (!isReceivedFiat && !isSpentFiat) return platformValue(context) ?? valueAtRate(rated, context);
  return valueAtRate(rated.slice(0, 1), context, () => platformValue(context) ?? valueAtRate(rated, context));
};

const platformValue = ({ event }: ExchangeContext): LegValue | null =>
  event.reportedValue === null ? null : { value: event.reportedValue, basis: ownBasis(event, 'cost-euro') };

const valueAtRate = (
  sides: readonly ExchangeSide[],
  context: ExchangeContext,
  otherwise = () => noRate(sides, context),
): LegValue => {
  for (const { currency, units } of sides) {
    const price = context.prices(currency, context.event.micros);
    if (price) return valueAtPrice(price, absolute(units));
  }
  return otherwise();
};

const noRate = (sides: readonly ExchangeSide[], { event, findings }: ExchangeContext): LegValue => {
  const [{ currency, units } = { currency: '', units: 0n }] = sides;
  const names = sides.map((side) => side.currency).join(' or ');
  const detail = `no rate of ${names} in the 24 hours before ${event.effectiveAt}`;
  const place = { leg: null, currency, units: absolute(units) };
  findings.push({ kind: 'no-rate', severity: 'finding', ...place, detail });
  return noValue('rate');
};

const notUnderstood = (sides: readonly ExchangeSide[], { event, findings }: ExchangeContext): LegValue => {
  const [{ currency, units } = { currency: '', units: 0n }] = sides;
  const names = sides.map((side) => side.currency).join(', ');
  const detail = `${event.name} exchanges ${names}, and no rule covers that`;
  findings.push({ kind: 'not-understood', severity: 'finding', leg: null, currency, units, detail });
  return noValue('not-understood');
};

/** Where the fees of an exchange go: null if no coin was bought or sold that could bear them. */
export const feeTargetOf = (
  event: Event,
  exchange: Exchange | null,
  market: Market,
): 'cost' | 'proceeds' | null => {
  if (!exchange || !event.legs.some((leg) => isBearer(leg, exchange, market))) return null;
  return exchange.isBuy ? 'cost' : 'proceeds';
};

/** Whether a leg is in the coin that was bought or sold. Money bears no fees: its lots cost their rate. */
export const isBearer = (
  { debit, credit, currency }: Leg,
  exchange: Pick<Exchange, 'isBuy'>,
  market: Market,
): boolean => {
  const [to, from] = exchange.isBuy ? [debit, credit] : [credit, debit];
  return !isMoney(market, currency) && roleOf(to) === 'held' && roleOf(from) === 'conversion';
};
