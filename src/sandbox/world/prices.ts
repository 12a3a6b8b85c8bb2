// The price of each currency of a seeded world at an instant. Every price moves, even between fiat currencies, and depends
// on the seed alone: a value at the wrong moment or the wrong rate differs from the right one.
import { HOUR_MS } from '../../base/time.ts';
import { ONE, over, times } from '../amount.ts';
import { randomOf } from '../random.ts';
import { COINS } from './coins.ts';

export type Prices = {
  /** The usual price in US dollars, around which it swings, in 1e-18. */
  readonly level: (currency: string) => bigint;
  /** US dollars for one unit, in 1e-18. */
  readonly dollar: (currency: string, instant: number) => bigint;
  /** Euro for one unit, in 1e-18. */
  readonly euro: (currency: string, instant: number) => bigint;
};

/** A price swings over days, and less over hours: the span of each swing, and the divisor of its size. */
const SWINGS: readonly (readonly [spanMs: number, divisor: bigint])[] = [
  [8 * 24 * HOUR_MS, 1n],
  [24 * HOUR_MS, 4n],
  [HOUR_MS, 16n],
];

/** The prices of a seed. */
export const pricesOf = (seed: number): Prices => {
  const corners = new Map<string, Map<number, bigint>>();
  /** From −1 to 1, in 1e-18: fixed for each corner of a swing. */
  const corner = (label: string, nth: number, known: Map<number, bigint>): bigint => {
    const found = known.get(nth) ?? randomOf(`${seed}:price:${label}:${nth}`).units(2n * ONE) - ONE;
    known.set(nth, found);
    return found;
  };
  const swing = (currency: string, instant: number, spanMs: number): bigint => {
    const nth = Math.floor(instant / spanMs);
    const label = `${currency}:${spanMs}`;
    const known = corners.get(label) ?? new Map<number, bigint>();
    corners.set(label, known);
    const a = corner(label, nth, known);
    const b = corner(label, nth + 1, known);
    return a + ((b - a) * BigInt(instant - nth * spanMs)) / BigInt(spanMs);
  };
  const dollar = (currency: string, instant: number): bigint => {
    const { dollar: level, perMille } = COINS[currency] ?? NEVER;
    if (perMille === 0n) return level;
    const moved = SWINGS.reduce((sum, [span, divisor]) => sum + swing(currency, instant, span) / divisor, 0n);
    return times(level, ONE + (moved * perMille) / 1000n);
  };
  return {
    level: (currency) => (COINS[currency] ?? NEVER).dollar,
    dollar,
    euro: (currency, instant) => over(dollar(currency, instant), dollar('EUR', instant)),
  };
};

/** An unknown currency has a constant price of one dollar. */
const NEVER = { dollar: ONE, perMille: 0n };
