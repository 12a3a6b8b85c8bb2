// CSV files that people import: what is read, and one clear refusal with its line for everything else.
import { expect, test } from 'vitest';
import { ownRows, parseCsv, readCsvFile } from '../../src/base/csv-file.ts';

const read = (text: string | Uint8Array) =>
  parseCsv('a.csv', typeof text === 'string' ? Buffer.from(text) : text, ['one', 'two']);

const ROWS = [{ line: 2, cells: { one: '1', two: 'x, y' } }];

test.each([
  ['commas', 'one,two\n1,"x, y"\n'],
  ['semicolons', 'one;two\n1;x, y\n'],
  ['a byte order mark', '\ufeffone,two\n1,"x, y"'],
  ['the line ends of Windows, and blanks', 'one , two\r\n 1 ,"x, y"\r\n\r\n'],
  ['columns in another order', 'two,one\n"x, y",1\n'],
])('%s', (_, text) => {
  expect(read(text)).toEqual(ROWS);
});

test('line numbers are those of the file, whatever a cell contains', () => {
  expect(read('one,two\n\n1,"x\ny"\n2,z\n').map(({ line }) => line)).toEqual([4, 5]);
});

test.each([
  ['', 'a.csv: is empty: its first line must be one,two'],
  ['one,two\n', 'a.csv: has a header and no rows'],
  ['one\n1\n', 'a.csv: line 1 names one: its first line must be one,two'],
  ['one,two,three\n1,2,3\n', 'line 1 names one,two,three: its first line must be one,two'],
  ['one,one\n1,2\n', 'line 1 names one,one'],
  ['One,two\n1,2\n', 'line 1 names One,two'],
  [
    'one,two\n1,2\n1,2,3\n',
    'line 3 has a different number of columns than the first line: check for decimal commas',
  ],
  ['one,two\n1,"2\n', 'has an unclosed or misplaced quote'],
  [Uint8Array.of(0xff, 0xfe, 0x6f), 'is not UTF-8: save it as "CSV UTF-8"'],
])('%j is refused', (text, message) => {
  expect(() => read(text)).toThrow(message);
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
