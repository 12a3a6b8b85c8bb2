// The journal: numbers without gaps per fiscal year that stay once a month is closed, and the account across.
import { expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import type { Row } from '../export/reports/ties.ts';
import { booked, books, buy, close, derived, reversed, sell, withBooks } from './month-stand.ts';
import { lived, rated } from './three-months.ts';

withBooks();

const read = (report: string, from: string, to: string, by?: string) =>
  reportRows(books.pool, report, { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z`, ...(by && { by }) });

/** Each entry of a journal once, as its number and its record. */
const numbersOf = async (from: string, to: string, by?: string): Promise<string[]> => [
  ...new Set((await read('journal', from, to, by)).map(({ number, record_id }) => `${number} ${record_id}`)),
];

test('a late entry and a reversal have numbers of their own month, and a closed month keeps its numbers', async () => {
  await books.pool.query(`update run.entities set fiscal_year_start = 2`);
  await booked({ day: '2026-01-10', name: 'of the year before' }, buy('1', '10'));
  const bought = await booked({ day: '2026-02-10', name: 'bought' }, buy('1', '10'));
  await booked({ day: '2026-02-20', name: 'sold' }, sell('1', '12'));
  await booked({ day: '2026-03-01', name: 'march' }, buy('1', '10'));
  expect(await numbersOf('2026-01-01', '2026-03-01')).toEqual(['1 of the year before', '1 bought', '2 sold']);
  await booked({ day: '2026-02-15', name: 'in an open month' }, buy('1', '10'));
  const february = ['1 bought', '2 in an open month', '3 sold'];
  expect(await numbersOf('2026-02-01', '2026-03-01')).toEqual(february);
  await close('2026-02');
  await booked({ day: '2026-02-11', name: 'late', period: '2026-03' }, buy('1', '10'));
  await reversed(bought, '2026-02-12', '2026-03');
  expect(await numbersOf('2026-02-01', '2026-03-01')).toEqual(february);
  expect(await numbersOf('2026-03-01', '2026-04-01')).toEqual(['4 late', '5 bought', '6 march']);
  expect(await numbersOf('2026-02-15', '2026-03-02')).toEqual([
    ...february.slice(1),
    '4 late',
    '5 bought',
    '6 march',
  ]);
  const restated = await numbersOf('2026-02-01', '2026-03-01', '2026-02');
  expect(restated).toEqual(['1 bought', 'null late', 'null bought', ...february.slice(1)]);
});

test('the numbers of three months have no gap, and each posting its other side', async () => {
  await rated();
  await post(books.db, lived());
  await derived();
  const journal = await read('journal', '2026-01-01', '2026-05-01');
  const numbers = [...new Set(journal.map(({ number }) => number))];
  expect(numbers).toEqual(Array.from({ length: 240 }, (_, nth) => String(nth + 1)));
  const sideOf = (row: Row, account: string | null | undefined) =>
    `${row.entry_id} ${row.leg} ${account} ${row.amount?.replace('-', '')}`;
  const sides = new Set(journal.map((row) => sideOf(row, row.account)));
  expect(journal.filter((row) => !sides.has(sideOf(row, row.across)))).toEqual([]);
});
