// Market data of the stand-in: the rate of each currency at an instant, near the prices at which the world trades.
import { ownValue } from '../../base/own-value.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, msOf } from '../../base/time.ts';
import { ONE, over, textOf, unitsOf } from '../amount.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import { exact, type Wire, type WireObject } from '../wire-json.ts';
import { COINS, CRYPTO, FIAT, isFiat } from '../world/coins.ts';
import type { Prices } from '../world/prices.ts';
import { asset, assets, nameOf, SYMBOLS } from './assets.ts';
import { decimalsIn } from './change.ts';

/** Units of a currency for one US dollar at an instant. */
const dollarText = ({ dollar }: Prices, currency: string, instant: number): Wire =>
  exact(textOf(over(ONE, dollar(currency, instant))));

/** One entry for each requested instant, whatever the world's time: clients use the clock of the machine. */
const rates = ({ world, query }: Question): SandboxAnswer => {
  const times = query.time === undefined ? [world.now()] : String(query.time).split(',').map(instantOf);
  if (times.some(Number.isNaN)) return refusal(400, 'time is not a list of instants');
  return { data: times.map((instant) => entryAt(world.prices, instant, String(query.type ?? 'all'))) };
};

const instantOf = (text: string): number =>
  /^\d{13}$/.test(text) ? Number.parseInt(text, 10) : msOf(text.trim());

const entryAt = (prices: Prices, instant: number, type: string): WireObject => {
  const ratesOf = (currencies: readonly string[]) =>
    Object.fromEntries(
      currencies.map((currency) => [currency, dollarText(prices, currency, instant)] as const),
    );
  return {
    ...(type !== 'crypto' && { fiat: ratesOf(FIAT) }),
    ...(type !== 'fiat' && { crypto: ratesOf(CRYPTO) }),
  };
};

/** Range and spacing of each chart. */
const SPANS: Readonly<Record<string, readonly [range: number, step: number]>> = {
  'one-hour': [HOUR_MS, MINUTE_MS],
  'four-hours': [4 * HOUR_MS, 5 * MINUTE_MS],
  'twelve-hours': [12 * HOUR_MS, 15 * MINUTE_MS],
  'one-day': [DAY_MS, 30 * MINUTE_MS],
  'one-week': [7 * DAY_MS, 2 * HOUR_MS],
  'one-month': [30 * DAY_MS, 8 * HOUR_MS],
  'three-months': [90 * DAY_MS, DAY_MS],
  'six-months': [180 * DAY_MS, DAY_MS],
  'one-year': [365 * DAY_MS, DAY_MS],
  'all-time': [1_500 * DAY_MS, 7 * DAY_MS],
};

/** Some rows have no rate, which the specification allows. */
const NULL_EVERY = 13;

/** Rows of [time, base, quote], oldest first. */
const chart = ({ world, query }: Question): SandboxAnswer => {
  const [base = '', quote = ''] = String(query.ticker).split('/');
  const known = [base, quote].every((it) => Object.hasOwn(COINS, it));
  if (!known) return refusal(404, 'Unknown ticker');
  if (query.temporality === 'all-time' && isFiat(base) && isFiat(quote)) return noAllTime();
  const [range, step] = ownValue(SPANS, String(query.temporality)) ?? [DAY_MS, HOUR_MS];
  const last = world.now() - (world.now() % step);
  const count = Math.floor(range / step);
  const times = Array.from({ length: count }, (_, back) => last - (count - 1 - back) * step);
  const rate = (currency: string, instant: number): Wire =>
    currency !== 'EUR' && Math.floor(instant / step) % NULL_EVERY === 0
      ? null
      : dollarText(world.prices, currency, instant);
  return { data: times.map((instant): Wire => [instant, rate(base, instant), rate(quote, instant)]) };
};

/** The default shape, with `errorCode` in place of `statusCode` (Errors, Error body shapes). */
const noAllTime = (): Refusal => {
  const { statusCode, body } = refusal(400, 'All time is not for two fiat currencies');
  const { statusCode: errorCode, ...rest } = body;
  return { statusCode, body: { ...rest, errorCode } };
};

/** Every currency by its symbol; those of test networks are crypto. */
const catalog = ({ query }: Question): SandboxAnswer => {
  const type = String(query.type ?? 'all');
  const isOf = (symbol: string) => type === 'all' || isFiat(symbol) === (type === 'fiat');
  return { data: Object.fromEntries(SYMBOLS.filter(isOf).map((symbol) => [symbol, nameOf(symbol)])) };
};

/** Prices of coins now and one interval ago. */
const prices = ({ world, query }: Question): SandboxAnswer => {
  const currency = String(query.currency ?? 'EUR');
  const span = ownValue(SPANS, String(query.interval ?? 'one-day'))?.[0];
  if (!isFiat(currency) || span === undefined) return refusal(400, 'Unknown currency or interval');
  const price = (coin: string, instant: number) =>
    exact(textOf(over(world.prices.dollar(coin, instant), world.prices.dollar(currency, instant))));
  const now = world.now();
  const entries = CRYPTO.map((coin) => [
    coin,
    { current: price(coin, now), before: price(coin, now - span) },
  ]);
  return { data: Object.fromEntries(entries) };
};

/** One number for each place of the lists; an unknown symbol gives 0. */
const convert = ({ world, query }: Question): SandboxAnswer => {
  const list = (field: string) => String(query[field]).split(',');
  const [from, to, values, times] = [list('from'), list('to'), list('value'), list('time')];
  const known = (symbol: string) => Object.hasOwn(COINS, symbol);
  return {
    data: values.map((value, nth) => {
      const [source, target, instant] = [from[nth] ?? '', to[nth] ?? '', instantOf(times[nth] ?? '')];
      if (!known(source) || !known(target) || Number.isNaN(instant) || decimalsIn(value) > 18)
        return exact('0');
      const price = over(world.prices.dollar(source, instant), world.prices.dollar(target, instant));
      return exact(textOf((unitsOf(value) * price) / ONE));
    }),
  };
};

export const currency: Answers = {
  rates,
  chart,
  catalog,
  'catalog-old': catalog,
  assets,
  asset,
  prices,
  convert,
};
