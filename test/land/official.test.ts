// Official rates: the bank's own format, stored by version, and every mistake reported with its line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ratesText, readOfficial } from '../../src/land/official.ts';
import { byBoth } from '../approvals/both.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

const folder = newFolder();
let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(async () => {
  await books.close();
});

const fileOf = (text: string): string => {
  const path = join(folder, 'eurofxref-hist.csv');
  writeFileSync(path, text);
  return path;
};
/** Whether a file has something new, which is then approved. */
const handIn = async (text: string) => {
  const rates = await ratesText(books.db, readOfficial(fileOf(text)));
  if (rates !== null) await byBoth(books.db, { action: 'rates', description: 'rates', ...rates });
  return rates !== null;
};
const rates = async () =>
  (
    await books.pool.query(
      'select currency, quote, applies_from, rate, source, record_id from books.rates order by applies_from, currency',
    )
  ).rows;

test('a file is stored once; a later one replaces its days, and both files stay', async () => {
  const text = 'Date,USD,CYP,\n2026-10-02,1.0855,N/A,\n2026-07-01,1.1012,0.58,\n';
  expect([await handIn(text), await handIn(text)]).toEqual([true, false]);
  const usd = { currency: 'USD', quote: 'EUR', source: 'ecb' };
  const july = { applies_from: '2026-07-01T14:00:00.000Z', record_id: 'ecb 2026-07-01' };
  expect(await rates()).toEqual([
    { ...usd, ...july, currency: 'CYP', rate: '0.58' },
    { ...usd, ...july, rate: '1.1012' },
    { ...usd, applies_from: '2026-10-02T14:00:00.000Z', rate: '1.0855', record_id: 'ecb 2026-10-02' },
  ]);
  expect(await handIn('Date,USD\n2026-10-02,1.09\n')).toBe(true);
  expect((await rates()).map(({ rate }) => rate)).toEqual(['0.58', '1.1012', '1.09']);
  const stored = await books.pool.query(
    `select f.name, f.by_name, count(*) as rates from land.official_files f join land.official_rates using (entity_id, file_id)
    group by f.entity_id, f.file_id order by f.file_id`,
  );
  expect(stored.rows).toEqual([
    { name: 'eurofxref-hist.csv', by_name: 'Ada', rates: '3' },
    { name: 'eurofxref-hist.csv', by_name: 'Ada', rates: '1' },
  ]);
});

test.each([
  ['', 'is empty'],
  ['Date,USD\n', 'has a header and no lines'],
  ['Day,USD\n2026-10-01,1\n', 'line 1 names Day,USD: its first line must be Date,USD'],
  ['Date,usd\n2026-10-01,1\n', 'line 1 names'],
  ['Date,USD,USD\n2026-10-01,1,1\n', 'line 1 names'],
  ['Date,EUR,GBP\n2026-10-01,0.85,0.74\n', 'line 1 names EUR, and the rates are units for one EUR'],
  ['Date,USD,JPY\n2026-10-01,1.17\n', 'line 2'],
  ['Date,USD,JPY\n2026-10-01,1,17,175,2\n', 'line 2'],
  ['Date,USD\n01.10.2026,1\n', 'line 2: "01.10.2026" is not a date'],
  ['Date,USD\n2026-02-31,1\n', 'line 2: "2026-02-31" is not a date'],
  ['Date;USD\n2026-10-01;1,08\n', 'line 2: USD is "1,08": write a positive number in digits'],
  [
    'Date;IDR\n2026-10-01;17.234\n',
    'line 2, column idr: without commas between cells, 17.234 may be 17234: write 17234, or 17.2340',
  ],
  ['Date,IDR\n2026-10-01,1.72E+04\n', 'line 2: IDR is "1.72E+04": write a positive number in digits'],
  ['Date,USD\n2026-10-01,0\n', 'line 2: USD is "0"'],
  ['Date,USD\n2026-10-01,1\n2026-10-01,2\n', 'line 3: 2026-10-01 appears twice'],
])('%j is refused: %s', (text, message) => {
  expect(() => readOfficial(fileOf(text))).toThrow(
    expect.objectContaining({ exitCode: 64, message: expect.stringContaining(message) }),
  );
});
