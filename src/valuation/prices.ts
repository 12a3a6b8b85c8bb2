// Prices: the value of a currency in the reporting currency at an instant, by the newest rate up to that instant. An
// official rate takes precedence; no rate may be older than a day.
import { type Atto, converted } from '../base/money.ts';
import { lastUpTo } from './last-up-to.ts';

/** Both rates are units per one `base`, from one record. */
export type Rate = {
  readonly currency: string;
  /** Microseconds since 1970. */
  readonly micros: number;
  readonly source: string;
  readonly base: string;
  readonly ofCurrency: string;
  readonly ofReporting: string;
};

export type Price = {
  readonly convert: (units: Atto) => Atto;
  readonly source: string;
  readonly path: string;
  readonly ageSeconds: number;
};

/** The price of a currency at an instant; null if no rate is from the 24 hours before. */
export type Prices = (currency: string, micros: number) => Price | null;

export const AGE_MAX_SECONDS = 86_400;
const MICROS = 1_000_000;

/** Prices from rates in any order. */
export const pricesOf = (reporting: string, rates: readonly Rate[]): Prices => {
  const lists = new Map<string, { official: Rate[]; market: Rate[] }>();
  for (const rate of rates.toSorted((a, b) => a.micros - b.micros || (a.source < b.source ? -1 : 1))) {
    const list = lists.get(rate.currency) ?? { official: [], market: [] };
    lists.set(rate.currency, list);
    (isOfficial(rate) ? list.official : list.market).push(rate);
  }
  return (currency, micros) => {
    const list = lists.get(currency);
    const rate = list && (newest(list.official, micros) ?? newest(list.market, micros));
    return rate ? priceOf(rate, { reporting, micros }) : null;
  };
};

const isOfficial = ({ source }: Rate): boolean => source.startsWith('ecb ');

/** The last rate at or before an instant; null if there is none or it is too old. */
const newest = (rates: readonly Rate[], micros: number): Rate | null => {
  const rate = lastUpTo(rates, micros);
  return rate && micros - rate.micros <= AGE_MAX_SECONDS * MICROS ? rate : null;
};

const priceOf = (
  rate: Rate,
  { reporting, micros }: { readonly reporting: string; readonly micros: number },
): Price => {
  const { base, ofCurrency, ofReporting, source, currency } = rate;
  return {
    convert: (units) => converted(units, ofCurrency, ofReporting),
    source,
    path: [currency, reporting].includes(base) ? 'direct' : `through ${base}`,
    ageSeconds: Math.floor((micros - rate.micros) / MICROS),
  };
};
