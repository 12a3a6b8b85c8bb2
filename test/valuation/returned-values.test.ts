// Late entries that a reopening returned to their month, while another entity has the month of their values closed: they and what undid
// them have values there, and the reports of that month show both.
import { beforeEach, expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { returnLate } from '../../src/ledger/ledger.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  closeBoth,
  left,
  made,
  officialRates,
  sell,
  withBooks,
} from './month-stand.ts';

withBooks();

const received = (units: string) => [`assets:trading <- equity:external:person ${units} BTC`];
const swapped = (units: string) => [
  'assets:trading <- equity:conversion 1 ODD',
  `equity:conversion <- assets:trading ${units} EVEN`,
];

const reopen = (period: string) =>
  books.pool.query(
    `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at) values ('a', $1, 1, 0, 'Ada', 'r', now())`,
    [period],
  );

/** Amounts of less than a cent, coins without a rate and a sale without a lot are corrected late; then one of two entities alone takes that back. */
beforeEach(async () => {
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01');
    insert into decide.profiles (entity_id, version, taxpayer, owner, by_name, at)
    select entity, 1, 'T', 'own', 'Ada', now() from (values ('main'), ('a')) as own (entity)`);
  await officialRates('2026-03-31');
  const again = { period: '2026-02', entity: 'a', ordinal: 3 };
  const swap = await booked({ day: '2026-01-10', name: 'swap', entity: 'a' }, swapped('2'));
  const gift = await booked({ day: '2026-01-11', name: 'gift', entity: 'a' }, received('0.0000001234'));
  const short = await booked({ day: '2026-01-12', name: 'short', entity: 'a' }, sell('0.01', '500'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  const late = { ordinal: 2, period: '2026-02', originalPeriod: '2026-01' };
  await post(books.db, [
    ...[swap, gift, short].map((entry) => reversalOf(entry, entry.effectiveAt, { ...entry, ...late })),
    made({ day: '2026-01-10', name: 'swap', ...again }, swapped('3')),
    made({ day: '2026-01-11', name: 'gift', ...again }, received('0.0000001777')),
    made({ day: '2026-01-12', name: 'short', ...again }, sell('0.02', '1000')),
  ]);
  for (const day of ['2026-02-10', '2026-02-11', '2026-02-12'])
    await booked({ day, name: day, entity: 'a' }, received('0.00000017'));
  await booked({ day: '2026-02-10', name: 'of main' }, buy('1', '60000'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-02');
  for (const period of ['2026-02', '2026-01']) await reopen(period);
  expect(await returnLate(books.db, { entity: 'a', whose: 'records' })).toBe(6);
  await derive(books.db, BOOKS);
});

const MONTHS = [
  { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
  { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
];

const read = async (report: string) => {
  const rows = await Promise.all(
    MONTHS.map((month) => reportRows(books.pool, report, { ...month, entity: 'a' })),
  );
  return rows.map((ofMonth) => ofMonth as readonly Readonly<Record<string, string>>[]);
};

const sumOf = (rows: readonly Readonly<Record<string, string>>[] | undefined, column: string) =>
  (rows ?? []).reduce((sum, row) => sum + Number(row[column] ?? 0), 0);

test('the reports of each month agree with themselves', async () => {
  const differing = (await read('checks')).flat().filter(({ verdict }) => verdict !== 'holds');
  expect(differing).toEqual([]);
});

test('the lines without a value of the findings of all months are those of the trial balance', async () => {
  const [findings, balance] = [await read('value_findings'), await read('trial_balance')];
  expect(sumOf(findings[1], 'unvalued')).toBeGreaterThan(0);
  expect(sumOf(findings.flat(), 'unvalued')).toBe(sumOf(balance[1], 'unvalued'));
});

test('what undid the correction of a sale without a lot has none either, and a rebuild gives the same', async () => {
  await left();
  const { rows } = await books.pool.query(
    "select d.period from books.disposals d join books.entries e using (entity_id, entry_id) where e.record_id = 'short' and e.ordinal = 5 and d.lot_id is null and d.gain is null",
  );
  expect(rows).toEqual([{ period: '2026-03' }]);
});
