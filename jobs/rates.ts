// Rates, once a night for all entities: what currencies were worth at the end of each day, and between, of those that
// moved. The books do not depend on it: what is refused is a finding, and what is missing is asked for again.
import { isoOf, msOf } from '../src/base/time.ts';
import type { Gateway } from '../src/gateway/client.ts';
import { chart, RATE_TIMES_MAX, rates } from '../src/gateway/market.ts';
import {
  landChart,
  landRates,
  movedCurrencies,
  type RatesDestination,
  wantedTimes,
} from '../src/land/rates.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { askMarket, type Question } from './market.ts';

type MarketReading = { readonly work: Work; readonly gateway: Gateway; readonly to: RatesDestination };

/** Reads and lands the rates that are wanted. `entity` is whose requests they count as. Throws GatewayError for weather. */
export const readRates = async (work: Work, gateway: Gateway, entity: string): Promise<void> => {
  const reading = { work, gateway, to: { db: work.db, run: work.run, entity } };
  if (await readDayEnds(reading)) await readBetween(reading);
};

/** The ends of days, as many in one request as it may name. */
const readDayEnds = async (reading: MarketReading): Promise<boolean> => {
  const { work, gateway, to } = reading;
  const wanted = await wantedTimes(work.db, { timezone: work.config.timezone, nowMs: gateway.nowMs() });
  for (let from = 0; from < wanted.length; from += RATE_TIMES_MAX) {
    const times = wanted.slice(from, from + RATE_TIMES_MAX);
    const answer = await askMarket(work, priced('rates', to), () =>
      gateway.call(rates, {
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

const DAY_MS = 86_400_000;

/** Longer charts are no finer than the ends of days. */
const SPANS = [
  ['one-day', DAY_MS],
  ['one-week', 7 * DAY_MS],
  ['one-month', 30 * DAY_MS],
] as const;

/** The shortest chart that reaches back to where a currency moved, for each that did in this run. */
const readBetween = async (reading: MarketReading): Promise<void> => {
  const { work, gateway, to } = reading;
  const { currency } = work.config;
  for (const moved of await movedCurrencies(work.db, { run: work.run.id, currency })) {
    const ageMs = gateway.nowMs() - msOf(moved.from);
    const [temporality] = SPANS.find(([, spanMs]) => ageMs <= spanMs) ?? ['one-month'];
    const ticker = `${moved.currency}/${currency}`;
    if (!TICKER.test(ticker)) continue;
    const answer = await askMarket(work, priced('chart', to), () =>
      gateway.call(chart, { query: { ticker, temporality } }),
    );
    if (answer === null) continue;
    const usable = await landChart(to, answer.receipt, { ticker, rows: answer.page.rows });
    work.tell({ event: 'chart', ticker, temporality, ...usable });
  }
};

const TICKER = /^[A-Z0-9]+\/[A-Z0-9]+$/;

/** What needs a price may lack it; a chart that the gateway does not have is only said. */
const priced = (subject: 'rates' | 'chart', { entity }: RatesDestination): Question => ({
  entity,
  subject,
  cost: 'so some items may have no value',
  severity: (failure) => (subject === 'chart' && failure !== 'refused' ? 'note' : 'finding'),
});
