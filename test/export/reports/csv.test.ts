// CSV: no text cell that a spreadsheet would run, no changed amount.
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import type { Cell } from '../../../src/database/database.ts';
import { csvHeader, csvRows, csvText, type Dialect, guarded } from '../../../src/export/reports/csv.ts';

const TEXT = 25;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const cell = (typeId: number, value: Cell): string =>
  csvRows([{ name: 'x', typeId }], [[value]]).slice(0, -1);

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '  =1',
  '\u00a0-1',
  '\u200b=1',
  '\ufeff=1',
  '\u0000=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '\u3000＝1',
])('%j is guarded', (text) => {
  expect(guarded(text)).toBe(`'${text}`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x,=1+1', "x,'=1+1"],
  ['x\t-1', "x\t'-1"],
  ['x\n@SUM(A1)', "x\n'@SUM(A1)"],
  ['x\r\n=1', "x\r\n'=1"],
  ['x;"=1+1', `x;"'=1+1`],
  ['=1;=1', "'=1;'=1"],
  ['\t=1', "'\t'=1"],
  ['\n=1', "'\n'=1"],
])('%j is guarded where another country separates cells', (text, written) => {
  expect(guarded(text)).toBe(written);
  expect(guarded(written), 'a guarded text is not guarded again').toBe(written);
});

test.each([
  ['\u202egnp.exe', '⟨U+202E⟩gnp.exe'],
  ['\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['a\u200bb\u0007c\u2028d', 'a⟨U+200B⟩b⟨U+0007⟩c⟨U+2028⟩d'],
])('%j shows what cannot be seen', (text, written) => {
  expect(cell(TEXT, text)).toBe(written);
});

test.each(['', 'a=1', '1', "'", '(=1)', 'ünï – 漢字', '2026-10-01', 'a; -1', 'a, =b'])(
  '%j is unchanged',
  (text) => {
    expect(guarded(text)).toBe(text);
  },
);

test.each([
  '-1.5',
  '-0.000000000000000001',
  '123456789012345678901234567890.123456789012345678',
  '0',
  '-123456789012345678901234567890',
])('the amount %s is never touched', (amount) => {
  expect(cell(NUMERIC, amount)).toBe(amount);
});

test('the same digits as text are text', () => {
  expect(cell(TEXT, '-1.5')).toBe("'-1.5");
});

test.each([
  ['a comma', 'a,b', '"a,b"'],
  ['a quote', 'a "b"', '"a ""b"""'],
  ['a line feed', 'a\nb', '"a\nb"'],
  ['a carriage return', 'a\rb', '"a\rb"'],
  ['a semicolon', 'a;b', '"a;b"'],
  ['a tab', 'a\tb', '"a\tb"'],
  ['a formula with a comma', '=f(1,2)', `"'=f(1,2)"`],
])('%s is quoted', (_what, text, written) => {
  expect(cell(TEXT, text)).toBe(written);
});

test('null is empty, an instant is UTC with three or six decimals, a boolean is a word', () => {
  expect(cell(TEXT, null)).toBe('');
  expect(cell(TIMESTAMPTZ, '2026-11-03 10:00:00+00')).toBe('2026-11-03T10:00:00.000Z');
  expect(cell(TIMESTAMPTZ, '2026-11-03 10:00:00.120034+00')).toBe('2026-11-03T10:00:00.120034Z');
  expect([cell(16, 't'), cell(16, 'f')]).toEqual(['true', 'false']);
});

test('a header and rows, LF after each', () => {
  const columns = [
    { name: 'entity_id', typeId: TEXT },
    { name: 'amount', typeId: NUMERIC },
  ];
  expect(csvHeader(columns)).toBe('entity_id,amount\n');
  expect(
    csvRows(columns, [
      ['main', '-1'],
      [null, null],
    ]),
  ).toBe('main,-1\n,\n');
});

/** All rows of one to three of these cells. */
const rowsOfCells = (): string[][] => {
  const cells = ['', ' ', 'a', 'a,b', 'a;b', 'a "b"', '"', 'a\nb', 'a\tb', '\r', '\ufeffx', "'=1", '-1.5'];
  const longer = (rows: string[][]) => rows.flatMap((row) => cells.map((cell) => [...row, cell]));
  const ones = cells.map((cell) => [cell]);
  return [...ones, ...longer(ones), ...longer(longer(ones))];
};

test.each<Dialect>([
  { separator: ',', lineEnd: '\n', mark: '' },
  { separator: ';', lineEnd: '\r\n', mark: '\ufeff' },
])('rows have the bytes of the library: separator %j', (dialect) => {
  const [rows, { separator, lineEnd }] = [rowsOfCells(), dialect];
  const options = { delimiter: separator, record_delimiter: lineEnd, quoted_match: /[;\t\r\n]/ };
  expect(csvText(rows, dialect)).toBe(stringify(rows, options));
});
