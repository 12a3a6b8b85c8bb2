// Work ahead: the files of a night that values and writes while trades and orders are still being read are those of its books at
// the end.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workAhead } from '../../jobs/ahead.ts';
import { book, eachStoredEntity } from '../../jobs/book.ts';
import { extractOnly, nightly } from '../../jobs/nightly.ts';
import { noPricesRead, type ReadPrices, readRates, withoutRefusals } from '../../jobs/rates.ts';
import { withGateway } from '../../jobs/run-gateway.ts';
import { gatewayLimits } from '../../jobs/session.ts';
import { HOUR_MS, isoOf, order } from '../../src/base/time.ts';
import { figureSettings } from '../../src/config/config.ts';
import type { GatewayConfig } from '../../src/config/environment.ts';
import { exportReports } from '../../src/export/export.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { GatewayError } from '../../src/gateway/gateway.ts';
import { post } from '../../src/ledger/entries.ts';
import type { Event } from '../../src/run/events.ts';
import { type Result, type Work, withRun } from '../../src/run/work.ts';
import { filesIn } from '../export/world.ts';
import { buy, made } from '../valuation/month-stand.ts';
import { openStage, openStageAfterNight, type Stage } from './stage.ts';

const NOTHING_READ: Result = { exitCode: 0, requests: 0, pages: 0, fewest: 0, summary: '' };

/** What a run of the nightly logs. */
const eventsOfRun = async (
  config: GatewayConfig,
  work: (work: Work) => Promise<Result>,
): Promise<Event[]> => {
  const events: Event[] = [];
  await withRun(config, 'nightly', { tell: (event) => void events.push(event), work });
  return events;
};

test('the files of a night, written while trades are read, are completed at the end of the night', async () => {
  const stage = await openStage({ entities: 2, days: 20, perDay: 150, until: '2026-11-10T00:00:00Z' });
  const config = stage.settings();
  const { home, timezone, currency } = config;
  const [folders, forced] = [join(home, 'exports'), join(home, 'forced')];
  const events = await eventsOfRun(config, async (work) => {
    const result = await nightly(work, config, { isFull: false, versionsMin: 200 });
    const settings = figureSettings(config);
    for (const period of readdirSync(folders))
      await exportReports({
        pool: work.pool,
        period,
        outDir: join(forced, period),
        timezone,
        currency,
        settings,
      });
    return result;
  });
  const byPeriod = (a: Event, b: Event) => order(`${a.period}`, `${b.period}`); // two months at once, whichever is first
  const eventsOf = (name: string) => events.filter(({ event }) => event === name).sort(byPeriod);
  const [drafted, exported, months] = [eventsOf('drafted'), eventsOf('exported'), readdirSync(folders)];
  expect([drafted.length, exported.length]).toEqual([months.length, months.length]);
  const once = exported.map(({ files, written }) => Number(files) - Number(written));
  expect(drafted.map(({ written }) => written)).toEqual(once); // no file is written twice
  const valued = eventsOf('valued').filter(({ from, taxpayer }) => from !== null && taxpayer === 'main');
  expect(valued.map(({ from }) => from)).toEqual(months); // each month once
  const trades = events.findLastIndex(({ event, stream }) => event === 'stream' && stream === 'trades');
  const began = events.findIndex(({ event }) => event === 'rates');
  expect(began).toBeLessThan(trades); // with the first month, while trades of the second one are read
  const across = events.findLastIndex(({ event }) => event === 'compared across'); // where the end of the night begins
  expect(events.indexOf(drafted.at(-1) as Event)).toBeLessThan(across);
  expect(new Set(eventsOf('chart').map(({ ticker }) => ticker)).size).toBe(eventsOf('chart').length);
  for (const month of months) expect(filesIn(join(folders, month))).toEqual(filesIn(join(forced, month)));
});

test('transfers between entities are paired before all months are valued ahead', async () => {
  const stage = await openStage({ faults: ['own-transfers:4'] });
  const config = stage.settings();
  await eventsOfRun(config, (work) => extractOnly(work, config, { isFull: false }));
  await eventsOfRun(config, async (work) => {
    await eachStoredEntity(work, undefined, (entity) => book(work, entity));
    return NOTHING_READ;
  });
  const ahead = await eventsOfRun(config, (work) =>
    withGateway(work, gatewayLimits(config, {}), async (gateway) => {
      const session = {
        work,
        config,
        gateway,
        options: { isFull: false, versionsMin: 1 },
        prices: noPricesRead(),
      };
      const { note, begin, settled } = workAhead(session, ['main', 'other']);
      for (const entity of ['main', 'other']) {
        note(entity, { entries: 1, reading: 'nothing' });
        begin();
        await settled();
      }
      return NOTHING_READ;
    }),
  );
  const paired = ahead.filter(({ event }) => event === 'compared across');
  expect(paired).toMatchObject([{ paired: 4 }]);
  expect(ahead.filter(({ event }) => event === 'drafted').length).toBeGreaterThan(0);
  const night = await eventsOfRun(config, (work) => nightly(work, config, { isFull: false }));
  expect(night.filter(({ event, from }) => event === 'valued' && from !== null)).toEqual([]);
  expect(night.filter(({ event }) => event === 'compared across')).toMatchObject([{ paired: 0 }]);
});

/** Works ahead while lists are read, each time with so many entries booked; returns the requests for prices after each time. */
const pricesRequested = async (stage: Stage, booked: readonly number[]): Promise<number[]> => {
  const config = stage.settings();
  const counts: number[] = [];
  const requests = async () =>
    (await stage.log()).filter(({ target }) => /currency\/(rate|chart)/.test(target)).length;
  await eventsOfRun(config, async (work) => {
    await nightly(work, config, { isFull: false, writesFiles: false });
    return withGateway(work, gatewayLimits(config, {}), async (gateway) => {
      const options = { isFull: false, versionsMin: 10 };
      const { note, begin, settled } = workAhead({ work, config, gateway, options, prices: noPricesRead() }, [
        'main',
      ]);
      const before = await requests();
      for (const entries of booked) {
        note('main', { entries, reading: 'lists' });
        begin();
        await settled();
        counts.push((await requests()) - before);
      }
      return NOTHING_READ;
    });
  });
  return counts;
};

test('prices are read once much is booked, and again once that has doubled, but no chart twice', async () => {
  const stage = await openStage({ entities: 1 });
  const [few, enough, more, doubled] = await pricesRequested(stage, [9, 10, 19, 20]);
  expect(few).toBe(0);
  expect(enough).toBeGreaterThan(0);
  expect([more, doubled]).toEqual([enough, enough]);
});

test('rates that are refused are not requested again beside the reading', async () => {
  const stage = await openStage({ entities: 1, faults: ['forbid:rates'] });
  expect(await pricesRequested(stage, [10, 20, 40])).toEqual([1, 1, 1]);
});

/** Reads prices beside a night and at its end; returns the charts requested at the end. */
const chartsAtItsEnd = async (
  stage: Stage,
  beside: (work: Work, gateway: ReadGateway, prices: ReadPrices) => Promise<void>,
): Promise<string[]> => {
  const config = stage.settings();
  const charts: string[] = [];
  const tell = ({ event, ticker, temporality }: Event) =>
    void (event === 'chart' && charts.push(`${ticker} ${temporality}`));
  const work = async (run: Work): Promise<Result> => {
    await nightly(run, config, { isFull: false, writesFiles: false });
    return withGateway(run, gatewayLimits(config, {}), async (gateway) => {
      const prices = noPricesRead();
      await beside(run, gateway, prices);
      charts.length = 0;
      await readRates(run, gateway, { entity: 'main', prices: withoutRefusals(prices) });
      return NOTHING_READ;
    });
  };
  await withRun(config, 'nightly', { tell, work });
  return charts;
};

test('what took effect after the charts were read gets one that reaches back to then', async () => {
  const stage = await openStage({ entities: 1, days: 20 });
  const charts = await chartsAtItsEnd(stage, async (work, gateway, prices) => {
    await readRates(work, gateway, { entity: 'main', prices, isPartial: true });
    expect([...prices.charts.keys()]).toContain('BTC/EUR');
    const day = isoOf(gateway.nowMs() + HOUR_MS).slice(0, 10);
    await post(stage.database.db, [made({ day, hour: '23', name: 'late' }, buy('1', '1000'))]);
  });
  expect(charts).toEqual(['BTC/EUR one-day']);
});

const refusing = async () => {
  throw new GatewayError({
    failure: 'refused',
    status: 403,
    operation: CONTRACT.currency.chart,
    target: CONTRACT.currency.chart.path,
    requestId: null,
    tries: 1,
    detail: 'not now',
  });
};

test('prices that were refused beside the reading are requested again at the end of the night', async () => {
  const stage = await openStage({ entities: 1, days: 20 });
  let wanted: string[] = [];
  const charts = await chartsAtItsEnd(stage, async (work, gateway, prices) => {
    const silent = { ...gateway, nowMs: gateway.nowMs, call: refusing } as unknown as ReadGateway;
    await readRates(work, silent, { entity: 'main', prices, isPartial: true });
    await readRates(work, silent, { entity: 'main', prices });
    wanted = [...prices.charts].map(([ticker]) => `${ticker} one-month`);
  });
  expect(wanted.length).toBeGreaterThan(2);
  expect(charts).toEqual(wanted);
});

test('an ordinary night, which books nothing of an earlier month, does not work ahead while trades are read', async () => {
  const stage = await openStageAfterNight({ entities: 1 }); // its entries are of two months
  const config = stage.settings();
  const events = await eventsOfRun(config, async (work) => {
    const gateway = {} as ReadGateway; // nothing is requested
    const options = { isFull: false, versionsMin: 1 };
    const ahead = workAhead({ work, config, gateway, options, prices: noPricesRead() }, ['main']);
    ahead.note('main', { entries: 1, reading: 'trades' });
    ahead.begin();
    await ahead.settled();
    return NOTHING_READ;
  });
  expect(events.map(({ event }) => event)).toEqual(['run started', 'run ended']);
});
