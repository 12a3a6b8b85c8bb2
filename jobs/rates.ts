// Nightly rates, shared by all entities: the value of currencies at the end of each day and, for currencies with new
// entries, in between. No booking depends on them: a refusal is a finding, and missing rates are requested again.
import { DAY_MS, isoOf, msOf } from '../src/base/time.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { CONTRACT, RATE_TIMES_MAX } from '../src/gateway/contract/contract.ts';
import { landChart, landRates, lastEntry, movedCurrencies, wantedTimes } from '../src/land/land.ts';
import type { RatesDestination } from '../src/land/rates.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { askMarket, type Question } from './market.ts';

/** What a session has read of prices within days: the number of the last entry that has them, and the charts. */
export type ReadPrices = { to: string; readonly charts: Set<string> };

export const noPricesRead = (): ReadPrices => ({ to: '0', charts: new Set() });

type MarketReading = { readonly work: Work; readonly gateway: ReadGateway; readonly to: RatesDestination };

/**
 * Reads and lands the missing rates, and a chart once in a session. The requests count for `entity`.
 * Throws GatewayError for failures that may pass.
 */
export const readRates = async (
  work: Work,
  gateway: ReadGateway,
  { entity, prices }: { readonly entity: string; readonly prices: ReadPrices },
): Promise<void> => {
  const reading = { work, gateway, to: { db: work.db, run: work.run, entity } };
  if (!(await readDayEnds(reading))) return;
  const last = await lastEntry(work.db, work.run.id);
  await readBetween(reading, prices);
  prices.to = last;
};

/** Reads the rates at the ends of days, with as many instants per request as allowed. */
const readDayEnds = async (reading: MarketReading): Promise<boolean> => {
  const { work, gateway, to } = reading;
  const wanted = await wantedTimes(work.db, { timezone: work.config.timezone, nowMs: gateway.nowMs() });
  for (let from = 0; from < wanted.length; from += RATE_TIMES_MAX) {
    const times = wanted.slice(from, from + RATE_TIMES_MAX);
    const answer = await askMarket(work, marketQuestion('rates', to), () =>
      gateway.call(CONTRACT.currency.rates, {
        query: { type: 'all', time: times.map((instant) => isoOf(msOf(instant))).join(',') },
      }),
    );
    if (answer === null) return false;
    if (answer.page.entries.length !== times.length) {
      const detail = `${answer.page.entries.length} rates returned for ${times.length} times, so none is used`;
      await report(work.db, work.run, { entity: to.entity, subject: 'rates', detail });
      return false;
    }
    const usable = await landRates(to, answer.receipt, { times, entries: answer.page.entries });
    work.tell({ event: 'rates', times: times.length, ...usable });
  }
  return true;
};

/** Longer charts are no finer than one rate per day. */
const SPANS = [
  ['one-day', DAY_MS],
  ['one-week', 7 * DAY_MS],
  ['one-month', 30 * DAY_MS],
] as const;

/** Reads, for each currency with new entries, the shortest chart that reaches back to the first of them. */
const readBetween = async (reading: MarketReading, { to: after, charts }: ReadPrices): Promise<void> => {
  const { work, gateway, to } = reading;
  const { currency } = work.config;
  for (const moved of await movedCurrencies(work.db, { run: work.run.id, currency, after })) {
    const ageMs = gateway.nowMs() - msOf(moved.from);
    const [temporality] = SPANS.find(([, spanMs]) => ageMs <= spanMs) ?? ['one-month'];
    const ticker = `${moved.currency}/${currency}`;
    const chart = `${ticker} ${temporality}`;
    if (!TICKER.test(ticker) || charts.has(chart)) continue;
    const answer = await askMarket(work, marketQuestion('chart', to), () =>
      gateway.call(CONTRACT.currency.chart, { query: { ticker, temporality } }),
    );
    if (answer === null) continue;
    charts.add(chart);
    const usable = await landChart(to, answer.receipt, { ticker, rows: answer.page.rows });
    work.tell({ event: 'chart', ticker, temporality, ...usable });
  }
};

const TICKER = /^[A-Z0-9]+\/[A-Z0-9]+$/;

/** Items may lack a value without these rates; a chart that the gateway does not have is only a note. */
const marketQuestion = (subject: 'rates' | 'chart', { entity }: RatesDestination): Question => ({
  entity,
  subject,
  cost: 'so some items may have no value',
  severity: (failure) => (subject === 'chart' && failure !== 'refused' ? 'note' : 'finding'),
});
