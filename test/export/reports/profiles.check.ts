// Profiles: figures keep their digits, and text stays text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownRows } from '../../../src/base/csv-file.ts';
import { localOf } from '../../../src/base/time.ts';
import { exportReports, type ProfileName } from '../../../src/export/export.ts';
import { isFigure } from '../../../src/export/reports/headings.ts';
import { asLiteral } from '../../../src/export/reports/literal.ts';
import { cellWriter, EXCEL_PROFILES, exactText } from '../../../src/export/reports/profile.ts';
import { columnsOf, rendered } from '../../../src/export/reports/render.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { filesIn, makeWorld, october } from '../world.ts';
import { LOOK_ALIKES } from './look-alikes.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const CASES: readonly Exclude<ProfileName, 'machine'>[] = ['excel-es', 'excel-de', 'excel-en'];

describe.each(CASES)('%s', (name) => {
  const profile = EXCEL_PROFILES[name];

  test.each(['2026-10', '2026-Q4', '2026', '2026-10-01..2026-10-15'])(
    '%s has the figures of the machine profile',
    async (period) => {
      const ask = { ...october(books.pool), period };
      const machine = await exportReports(ask);
      const excel = await exportReports({ ...ask, outDir: `${ask.outDir}-excel`, profile: name });
      for (const [position, file] of machine.files.entries()) {
        if (!file.name.endsWith('.csv')) continue; // the page has no profile
        const written = excel.files[position];
        const text = readFileSync(join(excel.dir, file.name), 'utf8');
        expect(text.startsWith('\ufeff')).toBe(true);
        expect([text.endsWith('\r\n'), text.indexOf('\n') - text.indexOf('\r\n')]).toEqual([true, 1]);
        const [head = [], ...rows] = ownRows(text, profile.separator);
        expect(head).toEqual(written?.headings);
        expect(written?.columns.slice(0, file.columns.length)).toEqual(file.columns);
        expect(rows.length).toBe(file.rows);
        const columns = columnsOf(file.name.replace('.csv', ''), file.columns);
        const plain = ownRows(readFileSync(join(machine.dir, file.name), 'utf8')).slice(1);
        for (const [r, row] of plain.entries()) {
          const [figures, theirs] = [columns, columns].map((all, side) =>
            all.flatMap((column, c) => (isFigure(column) ? [(side ? rows[r] : row)?.[c]] : [])),
          );
          expect(theirs?.map((figure) => figure?.replace(profile.decimal, '.'))).toEqual(figures);
          const from = columns.length;
          expect(
            rows[r]?.slice(from).map((it) => it.replace(/^.* /, '').replace(profile.decimal, '.')),
          ).toEqual(figures);
        }
      }
    },
  );

  test('of one entity', async () => {
    const { manifest } = await exportReports({ ...october(books.pool), profile: name, entities: ['Zeta'] });
    expect(manifest).toMatchObject({ profile: name, entities: ['Zeta'] });
  });

  test('the trial balance has this text', async () => {
    const { dir } = await exportReports({ ...october(books.pool), profile: name });
    const files = filesIn(dir);
    for (const file of ['trial_balance.csv', 'journal.csv', 'trades.csv'])
      await expect(files[file]).toMatchFileSnapshot(`../golden/${name}/${file}`);
  });
});

test.each(CASES)(
  '%s: a text too long for a cell is cut between two characters, and marked; the machine has it whole',
  (name) => {
    const [column = assert.fail()] = columnsOf('rejects', ['payload']);
    const write = cellWriter(EXCEL_PROFILES[name], column, 'UTC');
    const longest = 'a'.repeat(32_767);
    expect(write(longest)).toBe(longest);
    for (const text of [`${longest}a`, '\u{1f600}'.repeat(20_000), ` =${longest}`, '1'.repeat(40_000)]) {
      const cell = write(text);
      expect(cell.length).toBeGreaterThan(32_700);
      expect(cell.length).toBeLessThanOrEqual(32_767);
      expect(cell).toMatch(/ \(cut: the CSV of the machine profile has all of it\)$/);
      expect(Buffer.from(cell).toString()).toBe(cell); // no half of a pair
    }
  },
);

test.each(LOOK_ALIKES)('the text %j would be read as a figure, and gets an apostrophe', (text) => {
  expect(asLiteral(text)).toBe(`'${text}`);
});

test.each([
  '2026-10',
  '7',
  '0',
  '123456789012345',
  'main',
  '0x1f',
  'a1.5',
  '12ab',
  '1e',
  '',
  'BTC 0.5',
  "'1.5",
  'May',
  'Mario 2',
  'T-1',
  'e2e',
  '1st',
  'Q4 2026',
  'A1',
  '1inch',
  '#5',
  '-',
])('the text %j loses nothing', (text) => {
  expect(asLiteral(text)).toBe(text);
});

test('an exact text that would be a date stays text', async () => {
  const pieces = async function* () {
    yield { text: '', rows: 0, columns: ['currency', 'amount'] };
    yield { text: 'OCT,26\nBTC,26\n', rows: 2 };
  };
  const options = { profile: EXCEL_PROFILES['excel-en'], timezone: 'UTC', currency: 'EUR' };
  const texts: string[] = [];
  for await (const { text } of rendered('journal', pieces(), options)) texts.push(text);
  expect(texts[1]).toBe("OCT,26,'OCT 26\r\nBTC,26,BTC 26\r\n");
});

test('a unit that begins a formula is guarded with its figure', () => {
  expect(exactText(EXCEL_PROFILES['excel-es'], '-0.5', 'BTC')).toBe('BTC -0,5');
  expect(exactText(EXCEL_PROFILES['excel-es'], '0.5', '=A1')).toBe("'=A1 0,5");
});

test.each([
  ['2026-10-25T00:59:59.999Z', 'Europe/Madrid', '2026-10-25 02:59:59'],
  ['2026-10-25T01:00:00.000Z', 'Europe/Madrid', '2026-10-25 02:00:00'],
  ['2026-12-31T23:30:00.000001Z', 'Asia/Kathmandu', '2027-01-01 05:15:00'],
  ['1969-12-31T23:59:59.500Z', 'UTC', '1969-12-31 23:59:59'],
])('%s is in %s %s', (instant, timezone, expected) => {
  const local = localOf(instant, timezone);
  expect(`${local?.day} ${local?.time}`).toBe(expected);
});

test('text that is not an instant has no local time', () => {
  expect([localOf('infinity', 'UTC'), localOf('', 'UTC')]).toEqual([null, null]);
});

test('a journal has no profile', async () => {
  await expect(
    exportReports({ ...october(books.pool), format: 'hledger', profile: 'excel-es' }),
  ).rejects.toMatchObject({ exitCode: 64, message: expect.stringContaining('remove --profile') });
});
