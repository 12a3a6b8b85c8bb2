// The newest price of a currency: of the last fill or the last rate, whichever is newer, without reading trades that cannot have it.
import { expect, test } from 'vitest';
import { booked, books, buy, withBooks } from '../valuation/month-stand.ts';
import { blocksOf, planOf } from './growing-books.ts';
import { landRates } from './landed-rates.ts';

withBooks();

/** Lands and books trades of a market at an instant: [symbol, price, instant]. */
const filled = async (
  trades: readonly (readonly [string, string, string])[],
  name = 'fill',
): Promise<void> => {
  const columns = [0, 1, 2].map((nth) => trades.map((trade) => trade[nth]));
  await books.pool.query(
    `with landed as (
      insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
      select 'main', 'trades', $4 || nth, 1, '', json_build_object('symbol', symbol, 'price', price), at, at, 1
      from unnest($1::text[], $2::text[], $3::timestamptz[]) with ordinality as t (symbol, price, at, nth)
      returning record_id
    )
    insert into ledger.outcomes select 'main', 'trades', record_id, 1, 'booked', null, true, 1 from landed`,
    [...columns, name],
  );
};

const rated = (instant: string, rates: Readonly<Record<string, string>>) => landRates(books, instant, rates);

const priceOf = async (currency: string, before: string): Promise<string | null> => {
  const { rows } = await books.pool.query(
    "select trim_scale(price) || ' of ' || coalesce(to_char(price_at at time zone 'UTC', 'DD HH24:MI'), 'any time') as price from books_internal.newest_price('main', $1, 'EUR', $2)",
    [currency, before],
  );
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.price ?? null;
};

/** The blocks that a price in euro is read from. */
const readBlocks = async (currency: string): Promise<number> => {
  const query = `select books_internal.price_of('main', '${currency}', 'EUR', 'infinity')`;
  await planOf(books, query, []); // hint bits and caches
  return blocksOf(await planOf(books, query, []));
};

test('the newest price is that of the last fill or rate, the fill if both are of one instant', async () => {
  await booked({ day: '2026-01-02', name: 'first' }, buy('1', '100'));
  await booked({ day: '2026-01-05', name: 'second' }, buy('1', '100'));
  await booked({ day: '2026-01-20', name: 'last' }, buy('1', '100'));
  await filled([
    ['BTC/EUR', '100', '2026-01-02T10:00Z'],
    ['BTC/EUR', '300', '2026-01-05T00:00Z'],
    ['ETH/BTC', '0.5', '2026-01-20T10:00Z'],
  ]);
  await rated('2026-01-03T00:00Z', { EUR: '1', BTC: '0.005' });
  await rated('2026-01-05T00:00Z', { EUR: '1', BTC: '0.004' });
  await rated('2026-01-25T00:00Z', { EUR: '1', BTC: '0.0025' });
  expect(await priceOf('BTC', '2026-01-01T00:00Z')).toBeNull();
  expect(await priceOf('BTC', '2026-01-02T12:00Z')).toBe('100 of 02 10:00');
  expect(await priceOf('BTC', '2026-01-04T00:00Z')).toBe('200 of 03 00:00');
  expect(await priceOf('BTC', '2026-01-06T00:00Z')).toBe('300 of 05 00:00');
  expect(await priceOf('BTC', 'infinity')).toBe('400 of 25 00:00');
  expect(await priceOf('EUR', '2026-01-01T00:00Z')).toBe('1 of any time');
  expect(await priceOf('ETH', 'infinity')).toBeNull();
});

test('without a rate the last fill counts, however old, and not that of another market', async () => {
  await booked({ day: '2025-01-02', name: 'first' }, buy('1', '100'));
  await booked({ day: '2026-01-20', name: 'last' }, buy('1', '100'));
  await filled([
    ['BTC/EUR', '90', '2024-06-02T10:00Z'],
    ['BTC/USDC', '95', '2026-01-20T10:00Z'],
  ]);
  expect(await priceOf('BTC', 'infinity')).toBe('90 of 02 10:00');
});

test('a currency that has a rate and was never traded against the reporting currency has no trades read for its price', async () => {
  await booked({ day: '2026-01-20', name: 'last' }, buy('1', '100'));
  await rated('2026-01-21T00:00Z', { EUR: '1', BTC: '0.0025' });
  const before = await readBlocks('BTC');
  const minutes = Array.from({ length: 3_000 }, (_, nth) =>
    new Date(1_765_000_000_000 + nth * 60_000).toISOString(),
  );
  await filled(
    minutes.map((minute) => ['BTC/USDC', '95', minute] as const),
    'of another market ',
  );
  await books.pool.query('vacuum analyze land.records, ledger.outcomes');
  expect(await readBlocks('BTC')).toBeLessThan(before + 20);
});

test('the official rates of other currencies are not read for a price, whatever the server can skip', async () => {
  await books.pool.query(`
    with listed as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at)
      values ('main', 'ecb', 'ecb.csv', repeat('0', 64), 'Ada', '2026-03-01') returning file_id
    )
    insert into land.official_rates (entity_id, file_id, currency, quote, day, rate)
    select 'main', file_id, 'C' || nth, 'EUR', '2025-01-01'::date + day, 2
    from listed, generate_series(1, 100) as nth, generate_series(1, 200) as day`);
  await books.pool.query('vacuum analyze land.official_rates');
  expect(await priceOf('C1', 'infinity')).toMatch(/^0\.5 of /);
  const { rows } = await books.pool.query(
    "explain select * from books_internal.newest_price('main', 'C1', 'EUR', 'infinity')",
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('official_rates_by_day');
  expect(plan).not.toMatch(/Seq Scan on official_rates|official_rates_pkey/);
});
