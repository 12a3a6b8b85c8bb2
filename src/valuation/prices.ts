// Prices: what a currency was worth in the reporting currency at an instant, by the newest rate that was told by then.
// An official rate comes first; none may be older than a day.
import { type Atto, converted } from '../base/money.ts';

/** Both rates are units for one of `base`, told by one record. */
export type Rate = {
  readonly currency: string;
  /** Microseconds since 1970. */
  readonly at: number;
  readonly source: string;
  readonly base: string;
  readonly ofIt: string;
  readonly ofReporting: string;
};

export type Price = {
  readonly worthOf: (units: Atto) => Atto;
  readonly source: string;
  readonly path: string;
  readonly ageSeconds: number;
};

/** The price of a currency at an instant; null where none is known that is young enough. */
export type Prices = (currency: string, at: number) => Price | null;

export const AGE_MAX_SECONDS = 86_400;
const MICROS = 1_000_000;

/** Prices out of rates, which may stand in any order. */
export const pricesOf = (reporting: string, rates: readonly Rate[]): Prices => {
  const lists = new Map<string, { official: Rate[]; told: Rate[] }>();
  for (const rate of rates.toSorted((a, b) => a.at - b.at || (a.source < b.source ? -1 : 1))) {
    const list = lists.get(rate.currency) ?? { official: [], told: [] };
    lists.set(rate.currency, list);
    (isOfficial(rate) ? list.official : list.told).push(rate);
  }
  return (currency, at) => {
    const list = lists.get(currency);
    const rate = list && (newest(list.official, at) ?? newest(list.told, at));
    return rate ? priceOf(rate, { reporting, at }) : null;
  };
};

const isOfficial = ({ source }: Rate): boolean => source.startsWith('ecb ');

/** The last at or before an instant that is young enough. */
const newest = (rates: readonly Rate[], at: number): Rate | null => {
  let [low, high] = [0, rates.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rates[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const rate = rates[low - 1];
  return rate && at - rate.at <= AGE_MAX_SECONDS * MICROS ? rate : null;
};

const priceOf = (
  rate: Rate,
  { reporting, at }: { readonly reporting: string; readonly at: number },
): Price => {
  const { base, ofIt, ofReporting, source, currency } = rate;
  return {
    worthOf: (units) => converted(units, ofIt, ofReporting),
    source,
    path: [currency, reporting].includes(base) ? 'direct' : `through ${base}`,
    ageSeconds: Math.floor((at - rate.at) / MICROS),
  };
};
