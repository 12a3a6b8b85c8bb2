// Rates: landed as received with their request, requested once, and never an obstacle for the books.
import { expect, test } from 'vitest';
import { extractOnly, nightly } from '../../jobs/nightly.ts';
import { noPricesRead, readRates } from '../../jobs/rates.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import type { Failure } from '../../src/gateway/errors.ts';
import { type Work, withRun } from '../../src/run/work.ts';
import { ONE, over, textOf } from '../../src/sandbox/amount.ts';
import { failureOf } from '../gateway-failure.ts';
import { openStage } from '../jobs/stage.ts';

test('a night lands the rates of each past day and the prices between, without the key; the next requests none of them again', async () => {
  const stage = await openStage();
  const first = await stage.night();
  expect(first.exitCode).toBe(0);
  const requests = (await stage.log()).filter(({ target }) => target.includes('/currency/'));
  expect(new Set(requests.map(({ entity }) => entity))).toEqual(new Set([null]));
  const days = await stage.rows(`
    select count(distinct l.at) as days, bool_and(extract(hour from l.at) = 0) as at_midnight, sum(l.skipped) as skipped,
      bool_and(q.target like '/v1/currency/rate?%' and q.status = 200) as traced, count(distinct l.request_id) as requests
    from land.rate_lists l join land.requests q using (entity_id, request_id) where l.source = 'rates'`);
  expect(days).toMatchObject([{ at_midnight: true, traced: true, requests: '1', skipped: '0' }]);
  const [want] = await stage.rows(`
    select (now() at time zone 'UTC')::date - min(effective_day) + 2 as days from ledger.daily`);
  expect(days[0]?.days).toBe(String(want?.days));
  const charts = await stage.rows(`
    select subject, received, skipped from land.rate_lists where source = 'chart' order by subject collate "C"`);
  expect(charts.map(({ subject }) => subject)).toEqual(
    ['BTC', 'ETH', 'GBP', 'GEM', 'MOTE', 'SOL', 'USD', 'USDC'].map((coin) => `${coin}/EUR`),
  );
  expect(charts.every(({ received, skipped }) => Number(received) > 80 && Number(skipped) > 0)).toBe(true);
  // a chart row with a null is not a price of either currency
  expect(
    await stage.rows(`
      select count(*) from land.rate_lists l join lateral jsonb_array_elements(l.payload::jsonb) as row on true
      join land.rates r on r.request_id = l.request_id and r.at = to_timestamp((row ->> 0)::bigint / 1000)
      where l.source = 'chart' and row -> 1 = 'null'`),
  ).toEqual([{ count: '0' }]);
  const second = await stage.night();
  expect([
    second.exitCode,
    (await stage.log()).filter(({ target }) => /currency\/(rate|chart)/.test(target)).length,
  ]).toEqual([0, 9]);
  const [euro] = await stage.rows(`
    select quote, trim_scale(rate) as rate, extract(epoch from applies_from)::bigint * 1000 as at from books.rates
    where currency = 'EUR' and source = 'rates' order by applies_from desc limit 1`);
  const worth = over(ONE, stage.sandbox.world.prices.dollar('EUR', Number(euro?.at)));
  expect(euro).toMatchObject({ quote: 'USD', rate: textOf(worth) });
});

test('the points of a chart that an earlier one had are not landed again; another rate is, with the other side of its price', async () => {
  const stage = await openStage({ entities: 1, days: 3 });
  await stage.night();
  await stage.advance(1);
  const [charts] = await stage.rows("select count(*) from land.rate_lists where source = 'chart'");
  await stage.rows("update land.rates set rate = rate * 2 where currency = 'BTC'");
  await stage.night();
  const [more] = await stage.rows("select count(*) from land.rate_lists where source = 'chart'");
  expect(Number(more?.count)).toBeGreaterThan(Number(charts?.count));
  const again = await stage.rows(`
    select distinct r.currency, l.subject, count(distinct r.rate) as rates
    from land.rates r join land.rate_lists l using (entity_id, request_id, entry)
    where l.source = 'chart' group by r.currency, l.subject, r.at having count(*) > 1 order by 1, 2`);
  expect(again).toEqual([
    { currency: 'BTC', subject: 'BTC/EUR', rates: '2' },
    { currency: 'EUR', subject: 'BTC/EUR', rates: '1' },
  ]);
});

test('a refused list of rates is a finding, and the books are unchanged', async () => {
  const stage = await openStage({ faults: ['forbid:rates'], entities: 1, days: 2 });
  const { exitCode, summary } = await stage.night();
  expect([exitCode, summary]).toEqual([
    1,
    expect.stringMatching(/^[1-9]\d* entries booked, 0 open breaks.* [2-9] findings,/),
  ]);
  expect(
    await stage.rows("select severity, subject, detail from books.findings where subject = 'rates'"),
  ).toEqual([
    { severity: 'finding', subject: 'rates', detail: expect.stringContaining('the key may not do this') },
  ]);
  const values = await stage.rows(
    "select detail from books.findings where subject = 'values' order by detail",
  );
  expect(values.map(({ detail }) => detail).join('\n')).toMatch(
    /^\d+ no-rate, the first: no rate of [A-Z]+ in the 24 hours before /m,
  );
  expect(
    await stage.rows('select from books.value_postings where value = 0 and exact <> 0 and abs(exact) > 0.01'),
  ).toEqual([]);
});

test('a reading alone requests the rates of what it landed, and of no day before; a missing price chart is a note', async () => {
  const stage = await openStage({ entities: 1, days: 2, faults: ['missing:chart'] });
  const config = stage.settings();
  const work = (run: Work) => extractOnly(run, config, { isFull: false });
  const days = () =>
    stage.rows("select distinct at::text from land.rate_lists where source = 'rates' order by 1");
  await withRun(config, 'extract', { tell: () => {}, work });
  const read = await days();
  expect(read.length).toBeGreaterThan(2);
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  expect(await days()).toEqual(read);
  const charts = await stage.rows("select distinct severity from books.findings where subject = 'chart'");
  expect(charts).toEqual([{ severity: 'note' }]);
});

test.each([
  ['refused', 8],
  ['unavailable', 3],
] as const)(
  'charts that are %s end no night, and of eight %i are requested',
  async (failure: Failure, many) => {
    const stage = await openStage({ entities: 1, days: 3 });
    const config = stage.settings();
    let requested = 0;
    const gateway = {
      nowMs: Date.now,
      call: async () => {
        requested += 1;
        throw failureOf(failure, CONTRACT.currency.chart);
      },
    } as unknown as ReadGateway;
    const work = async (run: Work) => {
      const result = await nightly(run, config, { isFull: false, writesFiles: false });
      await readRates(run, gateway, { entity: 'main', prices: noPricesRead() });
      return result;
    };
    expect((await withRun(config, 'nightly', { tell: () => {}, work })).exitCode).toBe(0);
    expect(requested).toBe(many);
    const findings = await stage.rows(
      "select detail from books.findings where subject = 'chart' and severity = 'finding' order by detail collate \"C\"",
    );
    const details = findings.map(({ detail }) => String(detail).split(' (')[0]);
    const unread = 'not available, so some items may have no value'; // once: all of them have the same text here
    const left =
      'after 3 failures of the gateway in a row no other chart is requested, so some items may have no value';
    expect(details).toEqual(failure === 'refused' ? [unread] : [left, unread]);
  },
);
