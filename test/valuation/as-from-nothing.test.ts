// What comes late and out of order: after every night the values are those that all sources together give.
import { expect, test } from 'vitest';
import { derive, unfinished } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  derivedAgain,
  disposals,
  heldElsewhere,
  officialRates,
  proved,
  sell,
  withBooks,
} from './month-stand.ts';

withBooks();

const profile = (version: number, method: string) =>
  books.pool.query(
    `insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at) values ('main', $1, 'T', 'own', $2, 'Ada', now())`,
    [version, method],
  );

const ofTables = async (sql: string) => (await books.pool.query(sql)).rows;

test('work ahead leaves a month alone that later values rest on', async () => {
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '10000'));
  await booked({ day: '2026-02-05', name: 'sold in February' }, sell('1', '30000'));
  await booked({ day: '2026-02-06', name: 'second' }, buy('1', '20000'));
  await derive(books.db, BOOKS);
  await booked({ day: '2026-01-20', name: 'sold in January' }, sell('1', '25000'));
  expect(await derive(books.db, BOOKS, { before: '2026-02' })).toMatchObject([{ from: null }]);
  await derive(books.db, BOOKS);
  expect(await disposals()).toEqual([
    '2026-01: 1 of first 25000 10000 15000',
    expect.stringMatching(/^2026-02: 1 of nothing 30000/),
  ]);
  await derivedAgain();
});

test('an earlier month that work ahead meets first takes the values of no other', async () => {
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '10000'));
  await booked({ day: '2026-02-05', name: 'sold' }, sell('1', '30000'));
  await derive(books.db, BOOKS);
  await booked({ day: '2025-12-20', name: 'earlier' }, buy('1', '5000'));
  await derive(books.db, BOOKS, { before: '2026-02' });
  await derive(books.db, BOOKS);
  expect(await disposals()).toEqual(['2026-02: 1 of earlier 30000 5000 25000']);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('what decides counterparty types of a closed month counts once it is reopened', async () => {
  await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '10000'));
  await booked({ day: '2026-01-06', name: 'sent' }, ['equity:external:blockchain <- assets:trading 1 BTC']);
  await officialRates('2026-01-30');
  await derive(books.db, BOOKS);
  expect((await disposals()).length).toBe(1);
  await close('2026-01');
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'own wallet', 'own')`);
  expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
  expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
  expect((await disposals()).length).toBe(1);
  await books.pool.query(`
    insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    values ('main', '2026-01', 1, 0, 'Ada', 'r', now())`);
  expect(await unfinished(books.db, BOOKS)).toMatchObject([{ values_from: '2026-01' }]);
  expect(await derive(books.db, BOOKS)).toMatchObject([{ from: '2026-01' }]);
  expect(await disposals()).toEqual([]);
  await derivedAgain();
});

test.each(['an open', 'a closed', 'no'])(
  'an externally held lot gets its cost once there is a rate for it: %s month has entries',
  async (month) => {
    await profile(1, 'fifo');
    if (month !== 'no') await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '10000'));
    if (month === 'a closed') {
      await derive(books.db, BOOKS);
      await close('2026-01');
    }
    await heldElsewhere('11000', 'USD');
    await derive(books.db, BOOKS);
    expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
    const cost = "select round(cost, 2)::text as cost from value.lots where pool = 'external'";
    expect(await ofTables(cost)).toEqual([{ cost: null }]);
    await officialRates('2026-01-30');
    await derive(books.db, BOOKS);
    expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
    expect(await ofTables(cost)).toEqual([{ cost: '10000.00' }]);
    expect(await proved()).toEqual([]);
    await derivedAgain();
  },
);

test('the method of a closed month is that of its lots, whatever it was when lots held elsewhere were imported', async () => {
  await profile(1, 'fifo');
  await heldElsewhere('11000');
  await booked({ day: '2026-01-05', name: 'cheap' }, buy('1', '10000'));
  await booked({ day: '2026-01-06', name: 'dear' }, buy('1', '20000'));
  await derive(books.db, BOOKS);
  await profile(2, 'hifo');
  await derive(books.db, BOOKS);
  expect(await ofTables('select distinct method from value.lots')).toEqual([{ method: 'hifo' }]);
  await close('2026-01');
  await booked({ day: '2026-02-07', name: 'sold' }, sell('0.1', '3000'));
  await derive(books.db, BOOKS);
  expect(await disposals()).toEqual(['2026-02: 0.1 of dear 3000 2000 1000']);
  await derivedAgain();
});

test('what lots at average cost have left sums to the cost of them all, to the last digit', async () => {
  await profile(1, 'average');
  await booked({ day: '2026-01-05', name: 'first' }, buy('0.4', '1000'));
  await booked({ day: '2026-01-06', name: 'second' }, buy('3.533333333', '4000'));
  await booked({ day: '2026-01-07', name: 'sold' }, sell('0.1', '1000'));
  await derive(books.db, BOOKS);
  expect(await proved()).toEqual([]);
});

test('an externally held lot that nothing has used keeps its number when a later month is valued again', async () => {
  await profile(1, 'fifo');
  await heldElsewhere('11000');
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '10000'));
  await booked({ day: '2026-02-05', name: 'second' }, buy('1', '20000'));
  await derive(books.db, BOOKS);
  await booked({ day: '2026-02-03', name: 'in between' }, buy('1', '15000'));
  await derive(books.db, BOOKS);
  await derivedAgain();
});

test('an externally held lot that was imported while an empty month was closed counts before all months once that is open again', async () => {
  await profile(1, 'fifo');
  await close('2026-01');
  await heldElsewhere('11000');
  await booked({ day: '2026-02-05', name: 'bought' }, buy('1', '10000'));
  await derive(books.db, BOOKS);
  await books.pool.query('delete from decide.seals');
  expect(await unfinished(books.db, BOOKS)).toMatchObject([{ values_from: '2026-02' }]);
  await derive(books.db, BOOKS);
  expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
  expect(await ofTables("select period from value.lots where pool = 'external'")).toEqual([
    { period: '0000-00' },
  ]);
  await derivedAgain();
});

test('a lot that came back from a wallet of our own has the unit cost at which it was acquired, to the last digit', async () => {
  await profile(1, 'hifo');
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'own wallet', 'own')`);
  await booked({ day: '2026-01-05', name: 'older' }, buy('3', '10000'));
  await booked({ day: '2026-01-06', name: 'sent' }, ['equity:external:blockchain <- assets:trading 1 BTC']);
  await booked({ day: '2026-01-07', name: 'back' }, ['assets:trading <- equity:external:blockchain 1 BTC']);
  await booked({ day: '2026-01-08', name: 'newer' }, buy('6', '20000'));
  await booked({ day: '2026-01-09', name: 'sold' }, sell('2.5', '10000'));
  await derive(books.db, BOOKS);
  await close('2026-01');
  await booked({ day: '2026-02-09', name: 'sold again' }, sell('0.5', '2000'));
  await derive(books.db, BOOKS);
  const lots = (await disposals()).map((line) => line.split(' ').slice(0, 4).join(' '));
  expect(lots).toEqual(['2026-01: 2 of older', '2026-01: 0.5 of back', '2026-02: 0.5 of back']);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('a lot held elsewhere of a taxpayer without entries is there, once, before and after its first entry', async () => {
  await profile(1, 'fifo');
  await heldElsewhere('11000');
  const lots = "select period, lot_id, cost::text as cost from value.lots where pool = 'external'";
  const lot = { period: '0000-00', lot_id: 'external/1', cost: '11000' };
  expect(await unfinished(books.db, BOOKS)).toMatchObject([{ values_from: '2026-01' }]);
  await derive(books.db, BOOKS);
  expect(await ofTables(lots)).toEqual([lot]);
  expect(await unfinished(books.db, BOOKS)).toEqual([]);
  expect(await derive(books.db, BOOKS)).toMatchObject([{ from: null }]);
  await derivedAgain();
  await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '10000'));
  await derive(books.db, BOOKS);
  expect(await ofTables(lots)).toEqual([lot]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});
