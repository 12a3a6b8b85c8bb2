// Months: what a night derives again, what a closed month keeps, and the effect of a late reversal.
import { expect, test } from 'vitest';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  proved,
  reversed,
  sell,
  table,
  withBooks,
} from './month-stand.ts';

withBooks();

test('a late entry of an open month causes its month and those after it to be derived again, as from scratch', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-02-10', name: 'sold' }, sell('1', '50000'));
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 2 });
  expect(await derived()).toMatchObject({ from: null, entries: 0 });
  await booked({ day: '2026-03-10', name: 'more' }, buy('3', '90000'));
  expect(await derived()).toMatchObject({ from: '2026-03', entries: 1 });
  expect(await disposals()).toEqual(['2026-02: 1 of first 50000 40000 10000']);
  await booked({ day: '2026-01-05', name: 'earlier' }, buy('1', '20000'));
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 4 });
  expect(await disposals()).toEqual(['2026-02: 1 of earlier 50000 20000 30000']);
  await booked({ day: '2026-03-12', name: 'half' }, sell('1.5', '60000'));
  await derived();
  expect(await derivedAgain()).toMatchObject({ entries: 5 });
  expect(await proved()).toEqual([]);
});

test('a closed month keeps the lots of its disposals; a late entry uses lots in the month of its posting date', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-01-20', name: 'second' }, buy('1', '45000'));
  await booked({ day: '2026-01-25', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  await booked({ day: '2026-01-05', period: '2026-02', name: 'earlier' }, buy('1', '20000'));
  await booked({ day: '2026-02-10', name: 'sold more' }, sell('1.5', '90000'));
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 2 });
  expect(await disposals()).toEqual([
    '2026-01: 1 of first 50000 40000 10000',
    '2026-02: 1 of earlier 60000 20000 40000',
    '2026-02: 0.5 of second 30000 22500 7500',
  ]);
  await derivedAgain();
  expect(await proved()).toEqual([]);
});

test('the cost method of a closed month applies to all later ones', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  await derived();
  await books.pool.query("update value.lots set method = 'average'"); // as if it had been set then
  await booked({ day: '2026-02-10', name: 'second' }, buy('1', '60000'));
  await booked({ day: '2026-02-20', name: 'sold' }, sell('1', '70000'));
  await close('2026-01');
  await derived();
  expect(await disposals()).toEqual(['2026-02: 1 of first 70000 50000 20000']);
  const { rows } = await books.pool.query(
    'select units_left, cost_left, method from books.lots where units_left > 0',
  );
  expect(rows).toEqual([{ units_left: '1', cost_left: '50000', method: 'average' }]);
  expect(await proved()).toEqual([]);
});

test('an entry and its correction at the same instant leave no trace in value', async () => {
  const wrong = await booked({ day: '2026-01-10', name: 'wrong' }, buy('1', '40000'));
  await reversed(wrong, '2026-01-10');
  expect(await derived()).toMatchObject({ entries: 0 });
  expect((await table()).slice(0, 4)).toEqual([[], [], [], []]);
});

test('a purchase that is reversed later removes its lot; a sale that is reversed restores its lots', async () => {
  const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-12', name: 'other' }, buy('1', '42000'));
  const sold = await booked({ day: '2026-01-20', name: 'sold' }, sell('0.5', '25000'));
  await derived();
  await close('2026-01');
  await reversed(sold, '2026-01-20', '2026-02');
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 0.5 of bought 25000 20000 5000',
    '2026-02: -0.5 of bought -25000 -20000 -5000',
  ]);
  expect(await proved()).toEqual([]);
  await reversed(bought, '2026-01-10', '2026-02');
  await derived();
  const { rows } = await books.pool.query(
    'select units_left, cost_left from books.lots where units_left > 0',
  );
  expect(rows).toEqual([{ units_left: '1', cost_left: '42000' }]);
  const gains = await books.pool.query(
    "select sum(value) as sum from books.value_postings where account like 'income:gains:%'",
  );
  expect(gains.rows).toEqual([{ sum: '0' }]);
  expect(await proved()).toEqual([]);
});

test("a purchase that is reversed after its sale is replaced by another lot, at that lot's cost", async () => {
  const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-12', name: 'other' }, buy('1', '42000'));
  await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  await reversed(bought, '2026-01-10', '2026-02');
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 1 of bought 50000 40000 10000',
    '2026-02: 1 of other 40000 42000 -2000',
  ]);
  expect(await proved()).toEqual([]);
});

test('late rates value unvalued items, in open months only', async () => {
  const gift = ['assets:pocket:a <- equity:external:platform 2 USD'];
  await booked({ day: '2026-01-13', name: 'closed' }, gift);
  await booked({ day: '2026-02-13', name: 'open' }, gift);
  await derived();
  await close('2026-01');
  await books.pool.query(`
    with file as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at)
      values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now()) returning file_id
    )
    insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
    select 'main', 'USD', day, file_id, 'EUR', 1.25 from file, (values ('2026-01-12'::date), ('2026-02-12')) as it (day)`);
  expect(await derived()).toMatchObject({ from: '2026-02' });
  const { rows } = await books.pool.query(
    'select period, value, rule, source, path, age::text from books_internal.values where units > 0 order by period',
  );
  expect(rows).toEqual([
    { period: '2026-01', value: null, rule: 'rate', source: '', path: null, age: null },
    {
      period: '2026-02',
      value: '1.6',
      rule: 'rate',
      source: 'ecb 2026-02-12',
      path: 'direct',
      age: '21:00:00',
    },
  ]);
  const findings = await books.pool.query(
    "select period, kind from books.value_findings where severity = 'finding'",
  );
  expect(findings.rows).toEqual([{ period: '2026-01', kind: 'no-rate' }]);
  expect(await proved()).toEqual([]);
});
