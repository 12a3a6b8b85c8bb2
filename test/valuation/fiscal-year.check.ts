// Fiscal years: income and expenses begin each at zero, and the result of earlier ones is on retained earnings.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportReports } from '../../src/export/export.ts';
import { parsePeriod } from '../../src/export/reports/period.ts';
import { post } from '../../src/ledger/entries.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { verifyFolder } from '../../src/verify/report/report.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import { cellOf, type Row, summed } from '../export/reports/ties.ts';
import { newFolder } from '../room.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  made,
  proved,
  sell,
  withBooks,
} from './month-stand.ts';

const RETAINED = 'equity:retained-earnings';
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03'];
const startOf = (month: string) => `${month}-01T00:00:00Z`;

const read = (report: string, from: string, to: string) =>
  reportRows(books.pool, report, { from: startOf(from), to: startOf(to) });
const balance = async (from: string, to: string) => read('trial_balance', from, to);
const isOfYear = ({ account }: Row) => /^(income|expenses):/.test(account ?? '');

withBooks(async () => {
  await booked({ day: '2025-11-02', name: 'bought' }, buy('4', '4000'));
  await booked({ day: '2025-12-05', name: 'sold' }, sell('1', '1500.005'));
  await booked({ day: '2025-12-06', name: 'fee' }, ['expenses:fees:trading <- assets:trading 7.5 EUR']);
  await booked({ day: '2026-01-05', name: 'sold again' }, sell('1', '1700'));
  await booked({ day: '2026-01-06', name: 'fee again' }, ['expenses:fees:trading <- assets:trading 2.5 EUR']);
  await booked({ day: '2026-02-06', name: 'reward' }, ['assets:earn <- income:rewards 3 EUR']);
  await derived();
});

test('a year begins with income and expenses at zero; retained earnings have the result of earlier years', async () => {
  const january = await balance('2026-01', '2026-02');
  expect(summed(january.filter(isOfYear), ['account', 'currency'], cellOf('opening'))).toEqual({});
  expect(summed(january.filter(isOfYear), ['account', 'currency'], cellOf('opening_value'))).toEqual({});
  expect(summed(january, ['account'], cellOf('closing_value'))).toMatchObject({
    'expenses:fees:trading': '2.5',
    'income:gains:realised': '-700',
  });
  expect(
    january.find(
      ({ account, currency, opening }) => account === RETAINED && currency === 'EUR' && opening !== '0',
    ),
  ).toMatchObject({
    opening: '7.5',
    debit: '0',
    credit: '0',
    closing: '7.5',
    account_code: '3120',
    statement_class: 'equity',
  });
  const december = await balance('2025-12', '2026-01');
  const left = summed(december.filter(isOfYear), ['entity_id'], cellOf('closing_value'));
  expect(left).not.toEqual({});
  const carried = january.filter(({ account }) => account === RETAINED);
  expect(summed(carried, ['entity_id'], cellOf('opening_value'))).toEqual(left);
  expect(december.filter(({ account }) => account === RETAINED)).toEqual([]);
});

test('every month sums to zero, passes its checks, and closes with the opening of the next', async () => {
  for (const [nth, month] of MONTHS.slice(0, -1).entries()) {
    const [next = '', after = ''] = [MONTHS[nth + 1], MONTHS[nth + 2] ?? '2026-04'];
    const [these, those] = [await balance(month, next), await balance(next, after)];
    for (const name of ['opening', 'closing', 'opening_value', 'closing_value'])
      expect(summed(these, name.endsWith('value') ? ['entity_id'] : ['currency'], cellOf(name))).toEqual({});
    const checks = await read('checks', month, next);
    expect(checks.map(({ report }) => report)).toEqual(
      expect.arrayContaining(['trial_balance', 'general_ledger']),
    );
    expect(checks.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
    const isCarried = next.endsWith('-01');
    const place = (row: Row) => (isCarried && isOfYear(row) ? { ...row, account: RETAINED } : row);
    for (const [closing, opening] of [
      ['closing', 'opening'],
      ['closing_value', 'opening_value'],
    ] as const)
      expect(summed(those, ['account', 'currency'], cellOf(opening))).toEqual(
        summed(these.map(place), ['account', 'currency'], cellOf(closing)),
      );
  }
});

test('the cents of a year are its exact amounts, rounded once, whatever the years before left', async () => {
  await booked({ day: '2025-12-07', name: 'fee in December' }, [
    'expenses:fees:trading <- assets:trading 0.004 EUR',
  ]);
  await booked({ day: '2026-01-07', name: 'fee in January' }, [
    'expenses:fees:trading <- assets:trading 0.002 EUR',
  ]);
  await derived();
  await booked({ day: '2026-02-07', name: 'fee in February' }, [
    'expenses:fees:trading <- assets:trading 0.001 EUR',
  ]);
  await derived();
  const isFee = ({ account }: Row) => account === 'expenses:fees:trading';
  for (const [from, to, units, value] of [
    ['2025-12', '2026-01', '7.504', '7.50'],
    ['2026-01', '2026-02', '2.502', '2.50'],
    ['2026-02', '2026-03', '2.503', '2.50'],
    ['2025-12', '2026-03', '10.007', '10.00'],
  ] as const) {
    expect((await balance(from, to)).find(isFee)).toMatchObject({ closing: units, closing_value: value });
    const checks = await read('checks', from, to);
    expect(checks.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
  }
  expect(await proved()).toEqual([]);
});

test('the cents of an entry that another entity keeps out of its month are of the year that it is booked in', async () => {
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2025-01-01');
    insert into decide.profiles (entity_id, version, taxpayer, owner, by_name, at)
    select entity, 1, 'T', 'own', 'Ada', now() from (values ('main'), ('a')) as own (entity)`);
  await derived();
  await close('2025-12');
  const fee = ['expenses:fees:trading <- assets:trading 0.004 EUR'];
  await booked({ day: '2025-12-07', name: 'fee in December', entity: 'a' }, fee);
  await derived();
  await booked({ day: '2026-03-07', name: 'fee in March', entity: 'a' }, fee);
  await derived();
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('the fiscal year begins in the configured month, not in January', async () => {
  await books.pool.query('update run.entities set fiscal_year_start = 12');
  const january = await balance('2026-01', '2026-02');
  expect(summed(january, ['account', 'currency'], cellOf('opening'))).toMatchObject({
    'expenses:fees:trading EUR': '7.5',
  });
  expect(january.filter(({ account }) => account === RETAINED)).toEqual([]);
  const [november, december] = [await balance('2025-11', '2025-12'), await balance('2025-12', '2026-01')];
  expect(summed(december.filter(isOfYear), ['account', 'currency'], cellOf('opening_value'))).toEqual({});
  expect(
    summed(
      december.filter(({ account }) => account === RETAINED),
      ['entity_id'],
      cellOf('opening_value'),
    ),
  ).toEqual(summed(november.filter(isOfYear), ['entity_id'], cellOf('closing_value')));
  for (const month of [november, december, january])
    expect([
      summed(month, ['currency'], cellOf('opening')),
      summed(month, ['entity_id'], cellOf('closing_value')),
    ]).toEqual([{}, {}]);
});

test.each([
  ['2026-03-31T23:30:00Z', 'UTC', 4, '2025-04-01T00:00:00Z'],
  ['2026-03-31T23:30:00Z', 'Europe/Madrid', 4, '2026-03-31T22:00:00Z'],
  ['2026-10-31T00:00:00Z', 'UTC', 2, '2026-02-01T00:00:00Z'],
  ['2024-02-29T12:00:00Z', 'UTC', 12, '2023-12-01T00:00:00Z'],
  ['2026-12-31T23:30:00Z', 'Europe/Madrid', null, '2026-12-31T23:00:00Z'],
  ['2026-11-01T04:30:00Z', 'America/Havana', 11, '2026-11-01T04:00:00Z'],
  ['2023-10-02T12:00:00Z', 'America/Asuncion', 10, '2023-10-01T04:00:00Z'],
])(
  '%s in %s, of years from month %s, is of the year that began at %s',
  async (instant, zone, month, start) => {
    const { rows } = await books.pool.query(
      'select books_internal.fiscal_year_start($1, $2, $3) = $4 as same',
      [instant, zone, month, start],
    );
    expect(rows).toEqual([{ same: true }]);
  },
);

// Midnight occurs twice or is skipped: on a first of November, on the last Sunday of October or March, on a Saturday, a Friday.
test.each([
  'America/Havana',
  'America/Asuncion',
  'Atlantic/Azores',
  'America/Scoresbysund',
  'Asia/Amman',
  'Asia/Gaza',
  'Asia/Beirut',
  'America/Santiago',
  'Africa/Cairo',
  'Europe/Madrid',
])('days begin in SQL when they do in the periods of reports: %s', async (zone) => {
  const days = await books.pool.query<{ day: string; starts: string }>(
    `select day::date::text as day, to_json(books_internal.local_start(day, $1) at time zone 'UTC') #>> '{}' || '.000Z' as starts
     from generate_series(timestamp '2019-01-01', '2026-12-31', '1 day') as day
     where extract(month from day) in (3, 4, 9, 10, 11) and extract(day from day) not between 9 and 20`,
    [zone],
  );
  const otherwise = days.rows.filter(
    ({ day, starts }) => parsePeriod(`${day}..${day}`, zone).from !== starts,
  );
  expect(otherwise).toEqual([]);
});

test('a fiscal year that begins at a midnight that occurs twice has the entries of the hour between', async () => {
  await books.pool.query("update run.entities set fiscal_year_start = 11, timezone = 'America/Havana'");
  const fee = ['expenses:fees:trading <- assets:trading 2 EUR'];
  await post(books.db, [made({ day: '2026-11-01', hour: '03', name: 'before', period: '2026-10' }, fee)]);
  await booked({ day: '2026-11-01', hour: '04', name: 'between' }, fee);
  await booked({ day: '2026-11-01', hour: '06', name: 'after' }, fee);
  await derive(books.db, { ...BOOKS, timezone: 'America/Havana' });
  const { from, to } = parsePeriod('2026-11', 'America/Havana');
  const rows = await reportRows(books.pool, 'trial_balance', { from, to });
  const fees = rows.find(({ account }) => account === 'expenses:fees:trading');
  expect(fees).toMatchObject({ opening: '0', debit: '4', closing: '4', closing_value: '4.00' });
  const checks = await reportRows(books.pool, 'checks', { from, to });
  expect(checks.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
  expect(await proved()).toEqual([]);
});

test('an export of such a month verifies, and journals and balances have no such entries', async () => {
  const outDir = join(newFolder(), 'out');
  await exportReports({ pool: books.pool, period: '2026-01', outDir, timezone: 'UTC', currency: 'EUR' });
  expect((await verifyFolder(outDir)).proofs.filter(({ faults }) => faults !== '0')).toEqual([]);
  const ledger = await read('general_ledger', '2026-01', '2026-02');
  const lines = ledger
    .filter(({ account, currency }) => account === RETAINED && currency === 'EUR')
    .map(({ line }) => line);
  expect(lines).toEqual(['opening', 'closing']);
  const { rows } = await books.pool.query(
    `select account from books.balances_at('2026-02-01') where account = '${RETAINED}'`,
  );
  expect(rows).toEqual([]);
  expect(await proved()).toEqual([]);
});
