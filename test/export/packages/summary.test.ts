// Summaries of many trades in few lines of each package, equal to the entries to the cent, and a way from each line to its
// entries; stretches of time cut where they must be.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cp1252Text } from '../../../src/base/cp1252.ts';
import { centsOf, type PackageEntry } from '../../../src/export/packages/package.ts';
import { PACKAGE_NAMES, packageOf } from '../../../src/export/packages/packages.ts';
import { writeBatchFiles } from '../../../src/export/packages/summary-files.ts';
import { SUMMARIES, type Summary, spanOf, spanText } from '../../../src/export/packages/summary-span.ts';
import { openFolder, placeFolder, writeFileIn } from '../../../src/export/reports/folder.ts';
import { newFolder } from '../../room.ts';
import { summed } from './batches.ts';
import { cellsOf, entry, HEAD, line } from './package-entries.ts';
import { trades } from './trades.ts';

const TRADES = 2_000;
const OCTOBER = { first: '2026-10-01', last: '2026-10-31' };
/** Lines of the package's files: fewer for DATEV, which writes debit and credit on one. */
const LINES = { datev: { day: 186, week: 30, month: 6 }, other: { day: 217, week: 35, month: 7 } };

const written = async (
  name: (typeof PACKAGE_NAMES)[number],
  summary: Summary,
  entries: () => AsyncIterable<PackageEntry>,
) => {
  const folder = await openFolder(join(newFolder(), 'batch'));
  const batching = { folder, format: packageOf(name), head: HEAD, isCopy: false };
  const result = await writeBatchFiles(
    batching,
    { first: entries, last: entries },
    { summary, period: OCTOBER },
  );
  await writeFileIn(folder, 'manifest.json', (put) => put('{}'));
  await placeFolder(folder);
  return { ...result, dir: folder.target };
};

const linesIn = (dir: string, file: string): string[][] =>
  readFileSync(join(dir, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((text) => text.split(','));

/** Sums by file, line and account code; the last four cells are code, name, debit, credit. */
const sums = (rows: readonly string[][]): Map<string, bigint> => {
  const found = new Map<string, bigint>();
  for (const row of rows) {
    const [code, , debit, credit] = row.slice(-4);
    const key = `${row[0]} ${row[1]} ${code}`;
    const cents = (centsOf(debit || '0') ?? 0n) - (centsOf(credit || '0') ?? 0n);
    found.set(key, (found.get(key) ?? 0n) + cents);
  }
  return found;
};

describe.each(PACKAGE_NAMES)('%s', (name) => {
  test.each(SUMMARIES)('trades by %s: few lines, equal sums, every entry linked', async (summary) => {
    const { dir, files, entries } = await written(name, summary, () => trades(name, TRADES));
    const own = files.filter((file) => !file.name.startsWith('batch_'));
    const count = own.reduce((total, { rows }) => total + rows, 0);
    expect(count).toBe(LINES[name === 'datev' ? 'datev' : 'other'][summary]);
    expect(entries).toBe(TRADES + TRADES / 10);

    const wanted = new Map<string, bigint>();
    for await (const { lines } of trades(name, TRADES))
      for (const each of lines) {
        const key = packageOf(name).keyOf(each);
        wanted.set(key, (wanted.get(key) ?? 0n) + each.cents);
      }
    const text = [...wanted].map(([key, cents]) => [key, `${cents}`]);
    expect(summed(name, [{ dir, files }])).toEqual(Object.fromEntries(text));

    const [links, lines] = [linesIn(dir, 'batch_entries.csv'), linesIn(dir, 'batch_lines.csv')];
    expect(new Set(links.map((row) => row[3])).size).toBe(entries);
    expect(sums(links)).toEqual(sums(lines));
  });

  test('a summary equals the committed one', async () => {
    const few = async function* () {
      for await (const each of trades(name, 8)) yield each;
    };
    const { dir, files } = await written(name, 'month', few);
    const texts = files.map((file) => {
      const bytes = readFileSync(join(dir, file.name));
      const content = name === 'datev' ? cp1252Text(bytes) : new TextDecoder().decode(bytes);
      return `== ${file.name}\n${content.replaceAll('\r\n', '\n')}`;
    });
    await expect(texts.join('\n')).toMatchFileSnapshot(`../golden/packages/${name}.summary.txt`);
  });
});

test('what cancels in a summary has no line, and its entries are still listed', async () => {
  const both = async function* () {
    yield entry([line('1200', 5n), line('1000', -5n)]);
    yield entry([line('1200', -5n), line('1000', 5n)], {
      ordinal: 2,
      id: '019a0000-0000-8000-8000-000000000002',
    });
  };
  const { dir, files, entries } = await written('xero', 'month', both);
  expect([files.map(({ name }) => name), entries]).toEqual([
    ['batch_entries.csv', 'batch_totals.csv', 'batch_lines.csv'],
    2,
  ]);
  expect(linesIn(dir, 'batch_entries.csv').map((row) => row.slice(0, 4).join())).toEqual([
    ',,2026-0003-00001,019a0000-0000-8000-8000-000000000001',
    ',,2026-0003-00001,019a0000-0000-8000-8000-000000000001',
    ',,2026-0003-00001,019a0000-0000-8000-8000-000000000002',
    ',,2026-0003-00001,019a0000-0000-8000-8000-000000000002',
  ]);
});

test.each([
  ['2026-10-05', 'day', OCTOBER, '2026-10-05'],
  ['2026-10-08', 'week', OCTOBER, '2026-10-05..11'],
  ['2026-10-05', 'week', OCTOBER, '2026-10-05..11'],
  ['2026-10-11', 'week', OCTOBER, '2026-10-05..11'],
  ['2026-10-31', 'week', { first: '2026-10-01', last: '2026-12-31' }, '2026-10-26..31'], // not across a month
  ['2026-11-01', 'week', { first: '2026-10-01', last: '2026-12-31' }, '2026-11-01'], // a Sunday
  ['2027-01-01', 'week', { first: '2026-01-01', last: '2027-12-31' }, '2027-01-01..03'], // not across a year
  ['2026-10-08', 'week', { first: '2026-10-07', last: '2026-10-08' }, '2026-10-07..08'],
  ['2026-10-08', 'month', { first: '2026-01-01', last: '2026-12-31' }, '2026-10'],
  ['2028-02-29', 'month', { first: '2028-01-01', last: '2028-12-31' }, '2028-02'],
  ['2026-10-08', 'month', { first: '2026-10-01', last: '2026-10-15' }, '2026-10-01..15'],
] as const)('%s by %s is in %o: %s', (day, summary, period, text) => {
  expect(spanText(spanOf(day, summary, period))).toBe(text);
});

test('DATEV: an account against itself, and two cost centres on one line, are refused by name', () => {
  const datev = packageOf('datev');
  const self = entry([
    line('6300', 5n, { dimension1: 'A', tax: '' }),
    line('6300', -5n, { dimension1: 'B', tax: '' }),
  ]);
  expect(() => cellsOf(datev, self)).toThrow(
    'trades t1 books 6300 against itself, with another tax or dimension',
  );
  const two = entry([
    line('6300', 5n, { dimension1: 'A', tax: '' }),
    line('1000', -5n, { dimension1: 'B', tax: '' }),
  ]);
  expect(() => cellsOf(datev, two)).toThrow(
    '6300 with dimension1 A against 1000 with dimension1 B, and a line of DATEV has one KOST1',
  );
});

test('dimensions are where each package has them', () => {
  const cells = (name: (typeof PACKAGE_NAMES)[number], dimension1: string, dimension2: string) => {
    const format = packageOf(name);
    const [first = []] = cellsOf(
      format,
      entry([line('1200', 5n, { dimension1, dimension2, tax: '' }), line('1000', -5n, { tax: '' })]),
    );
    return Object.fromEntries(format.limits.columns.map((column, i) => [column, first[i]]));
  };
  expect(cells('xero', 'Region: North', 'Desk: A')).toMatchObject({
    TrackingName1: 'Region',
    TrackingOption1: 'North',
    TrackingName2: 'Desk',
    TrackingOption2: 'A',
  });
  expect(cells('quickbooks', 'Crypto:Fees', 'Gateway')).toMatchObject({
    Class: 'Crypto:Fees',
    Name: 'Gateway',
  });
  expect(cells('datev', '100', 'A1')).toMatchObject({
    'KOST1 - Kostenstelle': '"100"',
    'KOST2 - Kostenstelle': '"A1"',
    'Zusatzinformation - Art 3': '"Asset Soll"',
    'Zusatzinformation- Inhalt 3': '"BTC"',
  });
  expect(cells('holded', 'crypto', 'fees')).toMatchObject({ Tags: 'crypto-fees' });
});
