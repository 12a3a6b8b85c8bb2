// One digit changed in each figure of each report, the digest corrected as a careful forger would: the folder alone finds it where
// other figures make it, and the books find it in every report.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownRows } from '../../../src/base/csv-file.ts';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { csvText } from '../../../src/export/reports/csv.ts';
import { headingOf, isFigure } from '../../../src/export/reports/headings.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import { differencesOf } from '../../../src/verify/report/difference.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { openTwoMonths } from '../../export/reports/ties.ts';
import type { Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

let written: string;
const write = async (stage: Stage): Promise<void> => {
  const ask = { pool: stage.database.pool, period: '2026-10', timezone: 'UTC', currency: 'EUR' };
  written = (await exportReports({ ...ask, outDir: join(newFolder(), 'october') })).dir;
};
const { stage } = openTwoMonths({ prepare: write, limitMs: 120_000 });

const copyOf = (): string => {
  const copy = join(newFolder(), 'copy');
  cpSync(written, copy, { recursive: true });
  return copy;
};

/** Adds one to the last digit of a column's first figure that is not empty; false if there is none. */
const changeDigit = (dir: string, report: string, column: string): boolean => {
  const path = join(dir, `${report}.csv`);
  const rows = ownRows(readFileSync(path, 'utf8'));
  const place = rows[0]?.indexOf(column) ?? -1;
  const row = rows.slice(1).find((cells) => /\d$/.test(cells[place] ?? ''));
  if (row === undefined) return false;
  row[place] = (row[place] ?? '').replace(/\d$/, (digit) => `${(Number.parseInt(digit, 10) + 1) % 10}`);
  writeFileSync(path, csvText(rows));
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  for (const file of manifest.files)
    if (file.name === `${report}.csv`) file.sha256 = sha256(readFileSync(path));
  writeFileSync(join(dir, 'manifest.json'), `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`);
  return true;
};

const columnsOf = (report: string): string[] =>
  (readFileSync(join(written, `${report}.csv`), 'utf8').split('\n')[0] ?? '')
    .split(',')
    .filter((column) => isFigure(headingOf(report, column)));

const REPORTS = sqlPaths('reports').map((path) => path.replace(/^reports\/|\.sql$/g, ''));

/** What stands in no sum of figures: terms of records, prices and rates, what is rounded apart. The books alone find these. */
const ALONE: readonly string[] = [
  'asset_roll_forward.rounding_value',
  'conversions.bought_units',
  'conversions.expensed',
  'conversions.flip_fee_amount',
  'conversions.implied_rate',
  'conversions.in_cost',
  'conversions.in_proceeds',
  'conversions.market_rate',
  'conversions.own_rate',
  'conversions.own_spread_percent',
  'conversions.own_spread_value',
  'conversions.sold_units',
  'conversions.spread_percent',
  'conversions.stated_rate',
  'conversions.value',
  'dac8_check.gross_value',
  'dac8_check.units',
  'fee_totals.effective_rate',
  'fee_totals.traded_value',
  'in_transit.amount',
  'open_lots.unit_cost',
  'open_lots.units',
  'prices_used.rate',
  'prices_used.units',
  'prices_used.value_at_rate',
  'prior_period.rounding_value',
  'realised_gains.units',
  'trades.amount',
  'trades.cost',
  'trades.cost_euro',
  'trades.fee_amount',
  'trades.fee_percentage',
  'trades.price',
  'valuation.unit_price',
  'value_findings.missing_value',
  'value_findings.units',
];

test('the folder and the books agree as they were written', async () => {
  const { proofs } = await verifyFolder(written);
  expect(proofs.filter(({ first }) => first !== null)).toEqual([]);
});

test.each(REPORTS)('a changed digit of %s is found by the folder alone', async (report) => {
  const unseen: string[] = [];
  for (const column of columnsOf(report)) {
    const dir = copyOf();
    if (!changeDigit(dir, report, column)) continue;
    const { proofs } = await verifyFolder(dir);
    if (proofs.every(({ first }) => first === null)) unseen.push(`${report}.${column}`);
  }
  expect(unseen.sort()).toEqual(ALONE.filter((name) => name.startsWith(`${report}.`)));
});

test('a changed digit in each report is found by the books', async () => {
  const dir = copyOf();
  const changed = REPORTS.filter((report) =>
    columnsOf(report).some((column) => changeDigit(dir, report, column)),
  );
  expect(changed.length).toBeGreaterThan(25);
  const manifest = manifestOf(dir);
  const settings = { timezone: 'UTC', currency: 'EUR' };
  const [proof] = await verifyAgainstBooks(stage().database.pool, dir, { manifest, settings });
  expect(proof).toMatchObject({ first: expect.stringMatching(DIGIT), faults: `${changed.length + 1}` }); // and the manifest
  const found = await differencesOf({ expected: written, found: dir }, manifest);
  expect(found.filter((fault) => DIGIT.test(fault)).map((fault) => fault.split('.')[0])).toEqual(changed);
});

const DIGIT = /^\w+\.csv, line \d+, column \w+: expected /;
