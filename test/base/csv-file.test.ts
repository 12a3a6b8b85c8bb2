// CSV files that people import: what is read, and one clear refusal with its line for everything else.
import { expect, test } from 'vitest';
import { csvLines, ownRows, parseCsv, readCsvFile } from '../../src/base/csv-file.ts';

const read = (text: string | Uint8Array) =>
  parseCsv('a.csv', typeof text === 'string' ? Buffer.from(text) : text, ['one', 'two']);

const ROWS = [{ line: 2, cells: { one: '1', two: 'x, y' } }];

test.each([
  ['commas', 'one,two\n1,"x, y"\n'],
  ['semicolons', 'one;two\n1;x, y\n'],
  ['tabs', 'one\ttwo\n1\tx, y\n'],
  ['bars', 'one|two\n1|x, y\n'],
  ['a byte order mark', '\ufeffone,two\n1,"x, y"'],
  ['UTF-16, little end first', Buffer.from('\ufeffone\ttwo\r\n1\tx, y\r\n', 'utf16le')],
  ['UTF-16, big end first', Buffer.from('\ufeffone\ttwo\r\n1\tx, y\r\n', 'utf16le').swap16()],
  ['the line ends of Windows, and blanks', 'one , two\r\n 1 ,"x, y"\r\n\r\n'],
  ['lines of empty cells, as spreadsheets write them below a table', 'one;two\r\n1;x, y\r\n;\r\n ;;\r\n'],
  ['empty columns, as spreadsheets write them beside a table', 'one;two;;\r\n1;x, y;; \r\n'],
  ['columns in another order', 'two,one\n"x, y",1\n'],
])('%s', (_, text) => {
  expect(read(text)).toEqual(ROWS);
});

test.each([
  'sep=;\r\none;two\r\n1;x, y\r\n',
  '"sep=;"\none;two\n1;x, y\n',
  '\ufeffSEP=,\none,two\n1,"x, y"',
  'sep=;;;\none;two\n1;x, y\n',
  'sep=\t\none\ttwo\n1\tx, y\n',
  'sep=|\none|two\n1|x, y\n',
])('a first line for Excel: %j', (text) => {
  expect(read(text)).toEqual([{ ...ROWS[0], line: 3 }]);
});

test('the separator of that line counts, not one in a heading', () => {
  const [head] = csvLines('a.csv', Buffer.from('sep=,\n"one;1",two\n'));
  expect(head).toEqual({ line: 2, cells: ['one;1', 'two'] });
});

test.each(['"one;1",two\n', '"one\t1",two\n'])('a separator in a quoted heading is none: %j', (text) => {
  expect(csvLines('a.csv', Buffer.from(text))[0]?.cells[1]).toBe('two');
});

test('line numbers are those of the file, whatever a cell contains', () => {
  const text = 'one,two\n\n1,"x\ny\n"\n,\n2,z\n';
  for (const end of ['\n', '\r\n', '\r'])
    expect(read(text.replaceAll('\n', end)).map(({ line }) => line)).toEqual([5, 7]);
  expect(() => read(`${text}3\n`.replaceAll('\n', '\r\n'))).toThrow(
    'line 8 has a different number of columns',
  );
});

test.each([
  ['', 'a.csv: is empty: its first line must be one,two'],
  ['one,two\n', 'a.csv: has a header and no rows'],
  ['one\n1\n', 'a.csv: line 1 names one: its first line must be one,two'],
  ['one,two,three\n1,2,3\n', 'line 1 names one,two,three: its first line must be one,two'],
  ['one,two,\n1,2,3\n', 'line 1 names one,two,: its first line must be one,two'],
  ['one,one\n1,2\n', 'line 1 names one,one'],
  ['One,two\n1,2\n', 'line 1 names One,two'],
  [
    'one,two\n1,2\n1,2,3\n',
    'line 3 has a different number of columns than the first line: check for decimal commas',
  ],
  [
    'sep=:\none:two\n1:2\n',
    'line 1 states another separator than a comma, a semicolon, a tab or a bar: save it with one of them',
  ],
  ['sep=;\n', 'a.csv: is empty'],
  [`one,two\n1,2\n1,${'x'.repeat(2_001)}\n`, 'line 3, column two has 2001 characters: write at most 2000'],
  ['one,two\n1,"2\n', 'has an unclosed or misplaced quote'],
  [Uint8Array.of(0xff, 0xfe, 0x6f), 'begins as UTF-16 and is not complete: it was cut off'],
  [Uint8Array.of(0xff), 'is not UTF-8: save it as "CSV UTF-8"'],
  [Buffer.from('one,two\n1,2\n', 'utf16le'), 'is not UTF-8: save it as "CSV UTF-8"'],
])('%j is refused', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test.each(['30.000', '-1.500', '+999.999'])('%s between semicolons or tabs may be thousands', (figure) => {
  const readAmounts = (text: string) =>
    parseCsv('a.csv', Buffer.from(text), ['one', 'two'], { amounts: ['two'] });
  const whole = figure.replace('.', '');
  for (const separator of [';', '\t'])
    expect(() => readAmounts(`one;two\n1.500; ${figure}\n`.replaceAll(';', separator))).toThrow(
      `a.csv: line 2, column two: without commas between cells, ${figure} may be ${whole}: write ${whole}, or ${figure}0 if the point is a decimal one`,
    );
  for (const text of [`one,two\n1,${figure}\n`, `one;two\n1;${figure}0\n`, 'one;two\n1;0.125\n2;1234.567\n'])
    expect(() => readAmounts(text)).not.toThrow();
});

test('a file that does not exist is refused', () => {
  expect(() => readCsvFile('/no/such.csv', ['one'])).toThrow(
    '/no/such.csv: cannot be read (ENOENT): check its path',
  );
});

test.each(['', '\n', 'a\n', 'a,b\n1,2\n', '\ufeffa;b\r\n;\r\n', 'a\n\nb\n', 'no end', '\ufeff', ',\n,,\n'])(
  'our own rows %j are read the same with and without quotes',
  (text) => {
    const separator = text.includes(';') ? ';' : ',';
    const [, ...rest] = ownRows(`"q"\n${text.replace('\ufeff', '')}`, separator);
    expect(ownRows(text, separator)).toEqual(rest);
  },
);
