// Nightly rates, shared by all entities: the value of currencies at the end of each day and, for currencies with new
// entries, in between. No booking depends on them: that one is not answered is a finding, and missing rates are requested again.
import { counted, firstOf } from '../src/base/counted.ts';
import { canonical } from '../src/base/json.ts';
import { DAY_MS, isoOf, msOf } from '../src/base/time.ts';
import { numbersWritten } from '../src/database/database.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { CONTRACT, RATE_TIMES_MAX } from '../src/gateway/contract/contract.ts';
import { GATEWAY_FAILED, GatewayError, REQUEST_REFUSED } from '../src/gateway/gateway.ts';
import { bookedCurrencies, landChart, landRates, movedCurrencies, wantedTimes } from '../src/land/land.ts';
import type { RatesDestination, WrongRate } from '../src/land/rates.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { askOptional, type Question } from './optional.ts';

/**
 * What a session has requested of prices: whether it gets none, the number of the last entry that has those within days, and the chart of
 * each ticker.
 */
export type ReadPrices = { areRefused: boolean; to: string; readonly charts: Map<string, ReadChart> };

/** How far back a chart reaches, and when it was requested; one that the gateway refuses is as good as any. */
type ReadChart = { readonly spanMs: number; readonly atMs: number; readonly isRefused: boolean };

export const noPricesRead = (): ReadPrices => ({ areRefused: false, to: '0', charts: new Map() });

/** What was refused is requested once more: for the end of a night, since the next one asks for the prices of its own entries alone. */
export const withoutRefusals = (prices: ReadPrices): ReadPrices => {
  const charts = new Map([...prices.charts].filter(([, { isRefused }]) => !isRefused));
  const isWhole = !prices.areRefused && charts.size === prices.charts.size;
  return { areRefused: false, to: isWhole ? prices.to : '0', charts };
};

type MarketReading = { readonly work: Work; readonly gateway: ReadGateway; readonly to: RatesDestination };

/**
 * Reads and lands the missing rates and charts. The requests count for `entity`. `isPartial`: only what no earlier
 * entry can change, where more will be booked.
 */
export const readRates = async (
  work: Work,
  gateway: ReadGateway,
  {
    entity,
    prices,
    isPartial = false,
  }: { readonly entity: string; readonly prices: ReadPrices; readonly isPartial?: boolean },
): Promise<void> => {
  const reading = { work, gateway, to: { db: work.db, run: work.run, entity } };
  prices.areRefused ||= !(await readDayEnds(reading));
  if (prices.areRefused) return;
  const written = isPartial ? null : await numbersWritten(work.db); // other entities may still be booked
  await readBetween(reading, prices, isPartial ? LONGEST[1] : 0);
  if (written) prices.to = written.entry;
};

/** Reads the rates at the ends of days, with as many instants per request as allowed. */
const readDayEnds = async (reading: MarketReading): Promise<boolean> => {
  const { work, gateway, to } = reading;
  const { currency, timezone } = work.config;
  const moment = { currency, timezone, nowMs: gateway.nowMs(), run: work.run.id };
  const wanted = await wantedTimes(work.db, moment);
  for (let from = 0; from < wanted.length; from += RATE_TIMES_MAX) {
    const times = wanted.slice(from, from + RATE_TIMES_MAX);
    const answer = await askOptional(work, marketQuestion('rates', to), () =>
      gateway.call(CONTRACT.currency.rates, {
        query: { type: 'all', time: times.map((instant) => isoOf(msOf(instant))).join(',') },
      }),
    );
    if (answer instanceof GatewayError) return false;
    if (answer.page.entries.length !== times.length) {
      const detail = `${answer.page.entries.length} rates returned for ${times.length} times, so none is used`;
      await report(work.db, work.run, { entity: to.entity, subject: 'rates', detail });
      return false;
    }
    const { wrong, ...counts } = await landRates(to, answer.receipt, { times, entries: answer.page.entries });
    work.tell({ event: 'rates', times: times.length, ...counts });
    await reportWrong(reading, 'rates', wrong);
  }
  return true;
};

/** Longer charts are no finer than one rate per day. */
const LONGEST = ['one-month', 30 * DAY_MS] as const;
const SPANS = [['one-day', DAY_MS], ['one-week', 7 * DAY_MS], LONGEST] as const;
type Temporality = (typeof SPANS)[number][0];

/** Each failure of the gateway has taken minutes of retries: after as many in a row no other chart is requested. */
const FAILURES_MAX = 3;

/**
 * Reads, for each currency with new entries, the shortest chart that reaches back to the first of them, or to the chart that was read
 * before the last of them; none that is shorter than `shortestMs`.
 */
const readBetween = async (
  reading: MarketReading,
  { to: after, charts }: ReadPrices,
  shortestMs: number,
): Promise<void> => {
  const { work, gateway, to } = reading;
  const { currency } = work.config;
  let inRow = 0;
  for (const moved of await movedCurrencies(work.db, { run: work.run.id, currency, after })) {
    const ticker = `${moved.currency}/${currency}`;
    const atMs = gateway.nowMs();
    const chart = chartFor(moved, charts.get(ticker), atMs);
    if (!TICKER.test(ticker) || chart === null || chart.spanMs < shortestMs) continue;
    const error = await readChart(reading, ticker, chart);
    const spanMs = Math.max(chart.spanMs, charts.get(ticker)?.spanMs ?? 0);
    charts.set(ticker, { spanMs, atMs, isRefused: error !== null });
    inRow = error !== null && GATEWAY_FAILED.includes(error.failure) ? inRow + 1 : 0;
    if (inRow < FAILURES_MAX) continue;
    const detail = `after ${inRow} failures of the gateway in a row no other chart is requested, so some items may have no value`;
    return report(work.db, work.run, { entity: to.entity, subject: 'chart', detail });
  }
};

type Chart = { readonly temporality: Temporality; readonly spanMs: number };

/** Reads and lands one chart; returns the error if the gateway does not answer it. */
const readChart = async (
  reading: MarketReading,
  ticker: string,
  { temporality }: Chart,
): Promise<GatewayError | null> => {
  const { work, gateway, to } = reading;
  const answer = await askOptional(work, marketQuestion('chart', to), () =>
    gateway.call(CONTRACT.currency.chart, { query: { ticker, temporality } }),
  );
  if (answer instanceof GatewayError) return answer;
  const { wrong, ...counts } = await landChart(to, answer.receipt, { ticker, rows: answer.page.rows });
  work.tell({ event: 'chart', ticker, temporality, ...counts });
  await reportWrong(reading, 'chart', wrong);
  return null;
};

/** Null is a rate that the gateway does not have. Any other that cannot be used is a mistake, which matters for currencies of the books. */
const reportWrong = async (
  { work, to }: MarketReading,
  subject: 'rates' | 'chart',
  wrong: readonly WrongRate[],
): Promise<void> => {
  if (wrong.length === 0) return;
  const booked = await bookedCurrencies(work.db, [...new Set(wrong.map(({ currency }) => currency))]);
  const shown = wrong.filter(({ currency }) => booked.has(currency) || currency === work.config.currency);
  if (shown.length === 0) return;
  const rates = shown.map(
    ({ currency, at: instant, received }) =>
      `${currency}${instant === null ? '' : ` at ${instant}`}: ${shortened(received)}`,
  );
  const detail = `the gateway sent ${counted(shown.length, 'rate')} that cannot be used, so some items may have no value: ask the platform for the right ones (${firstOf(rates, RATES_MAX)})`;
  await report(work.db, work.run, { entity: to.entity, subject, detail });
};

/** How many wrong rates a finding names, and how much of each it shows. */
const RATES_MAX = 3;
const RECEIVED_MAX = 40;

const shortened = (received: unknown): string => {
  const text = canonical(received);
  return text.length > RECEIVED_MAX ? `${text.slice(0, RECEIVED_MAX)}…` : text;
};

/** The shortest chart that is still needed for the entries of a currency; null if the one that was read suffices. */
const chartFor = (
  { from, to }: { readonly from: string; readonly to: string },
  read: ReadChart | undefined,
  nowMs: number,
): Chart | null => {
  const reaching = (ageMs: number) => {
    const [temporality, spanMs] = SPANS.find(([, reachMs]) => ageMs <= reachMs) ?? LONGEST;
    return { temporality, spanMs };
  };
  const whole = reaching(nowMs - msOf(from));
  if (read === undefined || read.spanMs < whole.spanMs) return whole;
  return read.isRefused || msOf(to) <= read.atMs ? null : reaching(nowMs - read.atMs);
};

const TICKER = /^[A-Z0-9]+\/[A-Z0-9]+$/;

/** Items may lack a value without these rates; a chart that the gateway does not have is only a note. */
const marketQuestion = (subject: 'rates' | 'chart', { entity }: RatesDestination): Question => ({
  entity,
  subject,
  cost: 'so some items may have no value',
  severity: (failure) => (subject === 'chart' && !REQUEST_REFUSED.includes(failure) ? 'note' : 'finding'),
});
