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

type MarketReading = { readonly work: Work; readonly gateway: ReadGateway; readonly to: RatesDestination };

/**
 * Reads and lands the missing rates. The requests count for `entity`; entries up to `priced` have their prices within days.
 * Throws GatewayError for failures that may pass.
 */
export const readRates = async (
  work: Work,
  gateway: ReadGateway,
  { entity, priced }: { readonly entity: string; readonly priced: { to: string } },
): Promise<void> => {
  const reading = { work, gateway, to: { db: work.db, run: work.run, entity } };
  if (!(await readDayEnds(reading))) return;
  const last = await lastEntry(work.db);
  await readBetween(reading, priced.to);
  priced.to = last;
};

/** Reads the rates at the ends of days, with as many instants per request as allowed. */
const readDayEnds = async (reading: MarketReading): Promise<boolean> => {
  const { work, gateway, to } = reading;
  const wanted = await wantedTimes(work.db, { timezone: work.config.timezone, nowMs: gateway.nowMs() });
  for (let from = 0; from < wanted.length; from += RATE_TIMES_MAX) {
    const times = wanted.slice(from, from + RATE_TIMES_MAX);
    const answer = await askMarket(work, priced('rates', to), () =>
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
const readBetween = async (reading: MarketReading, after: string): Promise<void> => {
  const { work, gateway, to } = reading;
  const { currency } = work.config;
  for (const moved of await movedCurrencies(work.db, { run: work.run.id, currency, after })) {
    const ageMs = gateway.nowMs() - msOf(moved.from);
    const [temporality] = SPANS.find(([, spanMs]) => ageMs <= spanMs) ?? ['one-month'];
    const ticker = `${moved.currency}/${currency}`;
    if (!TICKER.test(ticker)) continue;
    const answer = await askMarket(work, priced('chart', to), () =>
      gateway.call(CONTRACT.currency.chart, { query: { ticker, temporality } }),
    );
    if (answer === null) continue;
    const usable = await landChart(to, answer.receipt, { ticker, rows: answer.page.rows });
    work.tell({ event: 'chart', ticker, temporality, ...usable });
  }
};

const TICKER = /^[A-Z0-9]+\/[A-Z0-9]+$/;

/** Items may lack a value without these rates; a chart that the gateway does not have is only a note. */
const priced = (subject: 'rates' | 'chart', { entity }: RatesDestination): Question => ({
  entity,
  subject,
  cost: 'so some items may have no value',
  severity: (failure) => (subject === 'chart' && failure !== 'refused' ? 'note' : 'finding'),
});
