// The markets on which the world trades: those of its history, and the configuration that clients see.
import { ONE, over, unitsOf } from '../amount.ts';
import { decimalsOf } from './coins.ts';
import type { Prices } from './prices.ts';

/** Decimals of price and amount add up to 18 or fewer, so that cost = price × amount is exact. */
export type Market = {
  readonly base: string;
  readonly quote: string;
  readonly price: number;
  readonly amount: number;
};

/** The markets of the history, some with two precisions. */
export const MARKETS: readonly Market[] = [
  { base: 'BTC', quote: 'EUR', price: 2, amount: 8 },
  { base: 'BTC', quote: 'EUR', price: 0, amount: 18 },
  { base: 'ETH', quote: 'EUR', price: 2, amount: 8 },
  { base: 'ETH', quote: 'EUR', price: 0, amount: 18 },
  { base: 'BTC', quote: 'USD', price: 2, amount: 8 },
  { base: 'ETH', quote: 'GBP', price: 2, amount: 8 },
  { base: 'EUR', quote: 'USD', price: 4, amount: 2 },
  { base: 'SOL', quote: 'USDC', price: 4, amount: 9 },
  { base: 'ETH', quote: 'BTC', price: 6, amount: 8 },
  { base: 'MOTE', quote: 'EUR', price: 15, amount: 0 },
];

/**
 * `unstarted` trades at no price yet: only limit orders around its initial price. `thin` has no other orders. `closed` is
 * listed and takes no orders. `restricted` is listed for users only.
 */
type Mood = 'open' | 'unstarted' | 'thin' | 'closed' | 'restricted';

export type ListedMarket = Market & { readonly mood: Mood };

/** Every market that clients see, with one precision each. */
export const LISTED: readonly ListedMarket[] = [
  { base: 'BTC', quote: 'EUR', price: 2, amount: 8, mood: 'open' },
  { base: 'ETH', quote: 'EUR', price: 2, amount: 8, mood: 'open' },
  { base: 'BTC', quote: 'USD', price: 2, amount: 8, mood: 'open' },
  { base: 'ETH', quote: 'GBP', price: 2, amount: 8, mood: 'open' },
  { base: 'EUR', quote: 'USD', price: 4, amount: 2, mood: 'open' },
  { base: 'SOL', quote: 'USDC', price: 4, amount: 9, mood: 'open' },
  { base: 'ETH', quote: 'BTC', price: 6, amount: 8, mood: 'open' },
  { base: 'MOTE', quote: 'EUR', price: 15, amount: 0, mood: 'restricted' },
  { base: 'SOL', quote: 'EUR', price: 4, amount: 9, mood: 'thin' },
  { base: 'GEM', quote: 'EUR', price: 4, amount: 8, mood: 'unstarted' },
  { base: 'GEM', quote: 'USD', price: 4, amount: 8, mood: 'closed' },
];

export const symbolOf = ({ base, quote }: Market): string => `${base}/${quote}`;

/** One unit of the last decimal of a price or an amount. */
export const tick = (decimals: number): bigint => 10n ** BigInt(18 - decimals);

export const INITIAL_PRICE = unitsOf('0.5');

/** Percent of the cost, in hundredths. */
export const FEES = { maker: 10n, taker: 25n } as const;

type MarketLimits = {
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  readonly minOrderSize: bigint;
};

const DECADES = 50n;

/** Minimums and maximums that hold whatever the price does: amounts worth about 1 to 500,000 dollars at the usual price. */
export const limitsOf = ({ base, quote, price, amount }: Market, prices: Prices): MarketLimits => {
  const usual = over(prices.level(base), prices.level(quote));
  const worth = (dollars: string) => roundUp(over(unitsOf(dollars), prices.level(base)), tick(amount));
  return {
    minAmount: worth('1'),
    maxAmount: worth('500000'),
    minPrice: roundUp(usual / DECADES, tick(price)),
    maxPrice: roundUp(usual * DECADES, tick(price)),
    minOrderSize: roundUp(over(unitsOf('2'), prices.level(quote)), tick(Math.min(decimalsOf(quote), price))),
  };
};

/** At least one step. */
const roundUp = (units: bigint, step: bigint): bigint => ((units + step - 1n) / step) * step || step;

export type Level = { readonly price: bigint; readonly amount: bigint };
type OrderBook = { readonly bids: readonly Level[]; readonly asks: readonly Level[] };

const LEVELS = 10;

/** The orders of others at an instant, best first: ten levels a side, five hundredths of a per cent apart, deeper ones larger. */
export const bookOf = (market: ListedMarket, prices: Prices, instant: number): OrderBook => {
  if (market.mood === 'thin' || market.mood === 'unstarted') return { bids: [], asks: [] };
  const middle = over(prices.dollar(market.base, instant), prices.dollar(market.quote, instant));
  const depth = over(4000n * ONE, prices.level(market.base));
  const level = (sign: bigint, nth: number): Level => ({
    price: priceOf(middle, sign * BigInt(nth + 1), tick(market.price)),
    amount: roundUp((depth * BigInt(nth + 2)) / 2n, tick(market.amount)),
  });
  const side = (sign: bigint) => Array.from({ length: LEVELS }, (_, nth) => level(sign, nth));
  return { bids: side(-1n), asks: side(1n) };
};

/** The best prices of others; null if there are none. */
export const bestOf = (
  market: ListedMarket,
  prices: Prices,
  instant: number,
): { readonly bid: bigint; readonly ask: bigint } | null => {
  if (market.mood === 'thin' || market.mood === 'unstarted') return null;
  const middle = over(prices.dollar(market.base, instant), prices.dollar(market.quote, instant));
  return { bid: priceOf(middle, -1n, tick(market.price)), ask: priceOf(middle, 1n, tick(market.price)) };
};

/** Bids are rounded down and asks up. */
const priceOf = (middle: bigint, steps: bigint, step: bigint): bigint => {
  const price = middle + (middle * steps * 5n) / 10_000n;
  return steps < 0n ? (price / step) * step : roundUp(price, step);
};
