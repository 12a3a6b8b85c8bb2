// Markets: their configuration, and their statistics of the last 24 hours.
import { HOUR_MS } from '../../base/time.ts';
import { ONE, over, textOf, times } from '../amount.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { exact, type WireObject } from '../wire-json.ts';
import {
  bestOf,
  FEES,
  INITIAL_PRICE,
  LISTED,
  type ListedMarket,
  limitsOf,
  symbolOf,
  tick,
} from '../world/market.ts';
import type { Prices } from '../world/prices.ts';

const figure = (units: bigint) => exact(textOf(units));
const percent = (hundredths: bigint) => figure((hundredths * ONE) / 100n);

const shown = ({ query }: Question): readonly ListedMarket[] =>
  LISTED.filter((market) => query.symbol === undefined || symbolOf(market) === query.symbol);

export const marketConfig = (question: Question): SandboxAnswer => ({
  data: shown(question).map((market) => configOf(market, question.world.prices)),
});

const configOf = (market: ListedMarket, prices: Prices): WireObject => {
  const limits = limitsOf(market, prices);
  return {
    id: symbolOf(market).replace('/', '-').toLowerCase(),
    symbol: symbolOf(market),
    minAmount: figure(limits.minAmount),
    maxAmount: figure(limits.maxAmount),
    minPrice: figure(limits.minPrice),
    maxPrice: figure(limits.maxPrice),
    minOrderSize: figure(limits.minOrderSize),
    tickSize: figure(tick(market.price)),
    pricePrecision: market.price,
    amountPrecision: market.amount,
    initialPrice: market.mood === 'unstarted' ? figure(INITIAL_PRICE) : null,
    marketEnabled: market.mood === 'closed' ? 'disabled' : 'enabled',
    feeMakerPercentage: percent(FEES.maker),
    feeTakerPercentage: percent(FEES.taker),
  };
};

/** Always a list. Without credentials restricted markets are left out; a market without prices has no statistics. */
export const tickers = (question: Question): SandboxAnswer => ({
  data: shown(question)
    .filter(({ mood }) => ['open', 'restricted'].includes(mood))
    .filter(({ mood }) => mood === 'open' || !question.isAnonymous)
    .map((market) => tickerOf(market, question.world.prices, question.world.now())),
});

const tickerOf = (market: ListedMarket, prices: Prices, now: number): WireObject => {
  const price = (instant: number) =>
    over(prices.dollar(market.base, instant), prices.dollar(market.quote, instant));
  const hours = Array.from({ length: 25 }, (_, nth) => price(now - (24 - nth) * HOUR_MS));
  const cut = (units: bigint) => (units / tick(market.price)) * tick(market.price);
  const sorted = hours.toSorted((a, b) => (a < b ? -1 : 1));
  const [open, close, low, high] = [hours[0], hours.at(-1), sorted[0], sorted.at(-1)].map((units) =>
    cut(units ?? 0n),
  ) as [bigint, bigint, bigint, bigint];
  const best = bestOf(market, prices, now) ?? { bid: close, ask: close };
  const volume = limitsOf(market, prices).maxAmount;
  return {
    symbol: symbolOf(market),
    open: figure(open),
    close: figure(close),
    high: figure(high),
    low: figure(low),
    bid: figure(best.bid),
    ask: figure(best.ask),
    baseVolume: figure(volume),
    quoteVolume: figure(times(volume, close)),
    percentage: figure(open === 0n ? 0n : ((close - open) * 100n * ONE) / open),
    timestamp: now,
  };
};
