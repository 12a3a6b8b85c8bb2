// conversions.csv, line by line: the rates of a record, of its amounts and of the market, and what the price hides by each of them; a
// price that is missing leaves its figures empty and is named.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sum } from '../../src/base/money.ts';
import type { WireRecord } from '../../src/base/streams.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import { cellOf, negated, type Row, summed } from '../export/reports/ties.ts';
import { instantAt } from '../land/stage.ts';
import { type Nights, openNights } from '../reconcile/stage.ts';
import { type Amount, conversion, rateOf, teller } from './conversion-records.ts';

/** Euro for one: BTC 50,000 and ETH 2,500 by the gateway's list an hour and a minute before, USD 1 by an older official rate. */
const RATES = `
  with asked as (
    insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
    select 'main', run_id, 'rates', 'GET', '/', 200, '', 0, started_at from run.runs limit 1 returning entity_id, request_id
  ), list (entry, at) as (values (1, '2026-03-01T09:00:00Z'::timestamptz), (2, '2026-02-28T10:01:00Z'), (3, '2026-02-28T10:00:59Z')
  ), listed as (
    insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
    select entity_id, request_id, entry, 'rates', at, '{}', 3, 0 from asked, list returning entity_id, request_id, entry, at
  ), rate (entry, currency, rate) as (values (1, 'EUR', 0.8), (1, 'BTC', 0.000016), (1, 'ETH', 0.00032), (2, 'EUR', 0.8), (2, 'DAY', 0.4), (3, 'EUR', 0.8), (3, 'OLD', 0.4)
  ), stored as (
    insert into land.rates (entity_id, currency, at, request_id, entry, rate)
    select entity_id, currency, at, request_id, entry, rate from listed join rate using (entry)
  ), file as (
    insert into land.official_files (entity_id, source, name, sha256, by_name, at)
    values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now()) returning file_id
  )
  insert into land.official_rates (entity_id, currency, day, file_id, quote, rate) select 'main', 'USD', '2026-02-28', file_id, 'EUR', 1 from file`;

type Sides = readonly [Amount, Amount];
const sides = (text: string): Sides => {
  const [sold = '', from = '', , bought = '', to = ''] = text.split(' ');
  return [
    [sold, from],
    [bought, to],
  ];
};

const trade = (id: string, more: WireRecord): WireRecord => ({
  id,
  orderId: 'o1',
  orderType: 'limit',
  symbol: 'BTC/EUR',
  amountCurrency: 'BTC',
  priceCurrency: 'EUR',
  feeCurrency: 'EUR',
  isMaker: false,
  createdAt: instantAt(60),
  ...more,
});

const CONVERSIONS = [
  conversion('bought', sides('100 EUR to 0.00198 BTC'), { rate: rateOf('50000', 'BTC', 'EUR') }),
  conversion('swap', sides('1 BTC to 19.8 ETH'), {
    rate: rateOf('20', 'BTC', 'ETH'),
    fee: { flip: { percentage: '1.0', amount: '0.01', currency: 'BTC' } },
  }),
  conversion('dollars', sides('1000 USD to 0.0198 BTC'), { rate: rateOf('0.00002', 'USD', 'BTC') }),
  conversion('no price', sides('10 GEM to 5 EUR'), { rate: rateOf('0.6', 'GEM', 'EUR') }),
  conversion('no price at all', sides('10 GEM to 5 ORE'), { rate: rateOf('0.6', 'GEM', 'ORE') }),
  conversion('another pair', sides('10 GEM to 5 ETH'), { rate: rateOf('0.6', 'GEM', 'EUR') }),
  { ...conversion('a day old', sides('10 DAY to 19 EUR')), rate: { rate: rateOf('1.95', 'DAY', 'EUR') } },
  conversion('older', sides('10 OLD to 19 EUR')),
  conversion('nothing received', sides('5 EUR to 0 BTC')),
  conversion('with a fee', sides('102.5 EUR to 0.00198 BTC'), {
    rate: rateOf('50000', 'BTC', 'EUR'),
    fee: teller('2.50', 'EUR'),
  }),
  conversion('cancelled', sides('200 EUR to 0.004 BTC'), { rate: rateOf('49000', 'BTC', 'EUR') }),
];
const TRADES = [
  trade('buy', { side: 'buy', amount: '0.01', cost: '505', price: '50500', feeAmount: '1.5' }),
  trade('sell', { side: 'sell', amount: '0.01', cost: '495', price: '49500', feeAmount: '1.5' }),
];

let books: Nights;
let rows: Row[];
const SPAN = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
const read = (report: string) => reportRows(books.pool, report, SPAN);

beforeAll(async () => {
  books = await openNights();
  await books.night({ records: { 'wallet-transactions': CONVERSIONS, trades: TRADES } });
  const cancelled = { ...CONVERSIONS.at(-1), status: 'cancelled', canceledAt: instantAt(7_200) };
  await books.night({ records: { 'wallet-transactions': [cancelled as WireRecord] } });
  await books.pool.query(RATES);
  await derive(books.db, { timezone: 'UTC', currency: 'EUR' });
  rows = await read('conversions');
});
afterAll(() => books.close());

const lineOf = (id: string, kind: string | null, columns: readonly string[]): string => {
  const row = rows.find((line) => line.record_id === id && (kind === null || line.kind === kind));
  return columns.map((name) => row?.[name] ?? '-').join(' ');
};

describe('rates', () => {
  test.each([
    ['bought', 'BTC/EUR 50505.050505050505050505 - 50000 50000'],
    ['swap', 'BTC/ETH 19.8 - 20 20'],
    ['dollars', 'USD/BTC 0.0000198 - 0.00002 0.00002'],
    ['no price', 'GEM/EUR 0.5 - 0.6 -'],
    ['no price at all', 'GEM/ORE 0.5 - 0.6 -'],
    ['another pair', 'ETH/GEM 2 - - -'],
    ['a day old', 'DAY/EUR 1.9 1.95 - 2'],
    ['nothing received', '- - - - -'],
    ['buy', 'BTC/EUR 50500 50500 - 50000'],
    ['sell', 'BTC/EUR 49500 49500 - 50000'],
  ])('%s', (id, expected) => {
    expect(lineOf(id, null, ['symbol', 'implied_rate', 'stated_rate', 'own_rate', 'market_rate'])).toBe(
      expected,
    );
  });

  test.each([
    ['bought', 'rates 2026-03-01T09:00:00Z 3660'],
    ['dollars', 'ecb 2026-02-28, rates 2026-03-01T09:00:00Z 68460'],
    ['a day old', 'rates 2026-02-28T10:01:00Z 86400'],
    ['older', '- -'],
  ])('%s: the sources of its prices, and the age of the older one', (id, expected) => {
    expect(lineOf(id, null, ['market_source', 'price_age_seconds'])).toBe(expected);
  });
});

describe('money', () => {
  const COLUMNS = ['value', 'sold_value', 'bought_value', 'spread_value', 'spread_percent'];
  test.each([
    ['bought', '100 100 99 1 1.0000 1 1.0000'],
    ['swap', '49500 50000 49500 500 1.0000 500 1.0000'],
    ['dollars', '1000 1000 990 10 1.0000 10 1.0000'],
    ['no price', '5 - 5 - - 1 16.6667'],
    ['no price at all', '- - - - - - 16.6667'],
    ['another pair', '12500 - 12500 - - - -'],
    ['a day old', '19 20 19 1 5.0000 - -'],
    ['older', '19 - 19 - - - -'],
    ['nothing received', '- 5 - - - - -'], // value_findings names it
    ['with a fee', '100 100 99 1 1.0000 1 1.0000'],
    ['buy', '505 505 500 5 0.9901 - -'],
    ['sell', '495 500 495 5 1.0000 - -'],
  ])('%s', (id, expected) => {
    expect(lineOf(id, null, [...COLUMNS, 'own_spread_value', 'own_spread_percent'])).toBe(expected);
  });

  test.each([
    ['no price', 'GEM -'],
    ['no price at all', 'GEM, ORE -'],
    ['another pair', 'GEM the rate is of another pair'],
    ['older', 'OLD no rate'],
    ['bought', '- -'],
    ['buy', '- no rate'],
    ['nothing received', '- -'],
  ])('%s: what is missing has a name', (id, expected) => {
    expect(lineOf(id, null, ['unpriced', 'own_rate_missing'])).toBe(expected);
  });

  test('a fee is apart from the spread, where fees.csv has it, and the one in the price is as stated', async () => {
    const fees = new Map((await read('fees')).map((row) => [row.record_id, row]));
    for (const [id, name] of [
      ['with a fee', 'in_cost'],
      ['buy', 'in_cost'],
      ['sell', 'in_proceeds'],
    ] as const) {
      expect(lineOf(id, null, [name])).not.toBe('-');
      expect(lineOf(id, null, [name])).toBe(fees.get(id)?.[name]);
    }
    expect(lineOf('swap', null, ['flip_fee_amount', 'flip_fee_currency'])).toBe('0.01 BTC');
  });
});

test('a reversal has the figures of the entry that it reverses, with the sign changed', () => {
  const figures = ['sold_units', 'bought_units', 'sold_value', 'bought_value', 'spread_value'];
  const own = ['own_spread_value', 'implied_rate', 'own_rate', 'market_rate', 'price_age_seconds', 'subtype'];
  expect(lineOf('cancelled', 'wallet-transaction', [...figures, ...own])).toBe(
    '200 0.004 200 200 0 4 50000 49000 50000 3660 swap',
  );
  expect(lineOf('cancelled', 'reversal', [...figures, ...own])).toBe(
    '-200 -0.004 -200 -200 0 -4 50000 49000 50000 3660 swap',
  );
});

test('units and value tie to equity:conversion in the trial balance', async () => {
  const balance = (await read('trial_balance')).filter(({ account }) => account === 'equity:conversion');
  const moved = (row: Row) => sum([cellOf('debit')(row), negated('credit')(row)]);
  const units = [
    ...rows.map((row) => ({ currency: row.sold_currency ?? '', units: cellOf('sold_units')(row) })),
    ...rows.map((row) => ({ currency: row.bought_currency ?? '', units: negated('bought_units')(row) })),
  ];
  expect(summed(units, ['currency'], cellOf('units'))).toEqual(summed(balance, ['currency'], moved));
  expect(balance.length).toBeGreaterThan(5);
});
