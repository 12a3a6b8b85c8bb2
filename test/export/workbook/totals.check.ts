// The totals of a workbook, on generated books with values: each is the sum of the column of the CSV, to the last digit.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx, type Sheet } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { ownRows } from '../../../src/base/csv-file.ts';
import { compare, sum } from '../../../src/base/money.ts';
import { type Exported, exportReports } from '../../../src/export/export.ts';
import { headingOf } from '../../../src/export/reports/headings.ts';
import type { Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { openTwoMonths } from '../reports/ties.ts';

let csv: Exported;
let book: Exported;
let sheets: readonly Sheet[];
const write = async (stage: Stage): Promise<void> => {
  const ask = {
    pool: stage.database.pool,
    period: '2026-10',
    timezone: 'UTC',
    currency: 'EUR',
    entities: (await stage.rows('select entity_id from books.entities order by 1')).map(
      (row) => row.entity_id ?? '',
    ),
    settings: { timezone: 'UTC', currency: 'EUR' },
  };
  csv = await exportReports({ ...ask, outDir: join(newFolder(), 'csv') });
  book = await exportReports({
    ...ask,
    outDir: join(newFolder(), 'book'),
    format: 'xlsx',
    profile: 'excel-de',
  });
  sheets = (await readXlsx(readFileSync(join(book.dir, 'reports.xlsx')))).sheets;
};
openTwoMonths({ prepare: write, limitMs: 120_000 });

/** The exact text of a total, by report and column. */
const totalsOf = (report: string): Map<string, string> => {
  const stated = book.files[0]?.sheets?.find((sheet) => sheet.report === report);
  const rows = sheets.find(({ name }) => name === stated?.name)?.rows ?? [];
  const totals = rows[(stated?.rows ?? 0) + 2] ?? [];
  return new Map(
    (stated?.columns ?? []).flatMap((column, index) =>
      column.endsWith('_text') && totals[index] ? [[column.slice(0, -5), `${totals[index]}`]] : [],
    ),
  );
};

test('a total of each column of money, of all rows, and of no other column', () => {
  let checked = 0;
  for (const { name } of csv.files.filter((file) => file.name.endsWith('.csv'))) {
    const report = name.replace('.csv', '');
    const [head = [], ...rows] = ownRows(readFileSync(join(csv.dir, name), 'utf8'));
    const expected = head.flatMap((column, index): [string, string][] => {
      const amounts = rows.flatMap((row) => row[index] || []);
      return headingOf(report, column).kind === 'money' && amounts.length > 0 ? [[column, sum(amounts)]] : [];
    });
    const found = totalsOf(report);
    expect([report, [...found.keys()]]).toEqual([report, expected.map(([column]) => column)]);
    for (const [column, total] of expected)
      expect([report, column, found.get(column)]).toEqual([report, column, `EUR ${total.replace('.', ',')}`]);
    checked += expected.length;
  }
  expect(checked).toBeGreaterThan(30);
});

test('debit and credit of the trial balance meet in their totals', () => {
  const totals = totalsOf('trial_balance');
  const plain = (name: string) => totals.get(name)?.replace('EUR ', '').replace(',', '.') ?? '0';
  expect(compare(plain('debit_value'), '0')).toBe(1);
  expect(plain('closing_debit_value')).toBe(plain('closing_credit_value'));
  expect(plain('closing_value')).toBe('0');
});

test('what two rows share has no total: wallets among the transfers out, an exchange that paid two fees', () => {
  expect(totalsOf('dac8_check').size).toBe(0);
  expect([...totalsOf('fee_totals').keys()]).not.toContain('traded_value');
});
