// Values as received: SQL types what the booking rules read, and nothing that they refuse as malformed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAmount } from '../../src/base/money.ts';
import { readInstant } from '../../src/base/time.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books?.close());

const typedAs = async (call: string, value: string): Promise<string | null> => {
  const { rows } = await books.pool.query(`select (${call})::text as typed`, [value]);
  return rows[0]?.typed ?? null;
};

test.each([
  '007',
  '0001e2',
  '1e+2',
  '-0',
  '0e400',
  '1E0',
  '10e-19',
  '12345678901234567890.123456789012345678',
  `0.${'0'.repeat(17)}1${'0'.repeat(980)}`,
  `0.${'0'.repeat(17)}1${'0'.repeat(4_000)}`,
  `${'0'.repeat(998)}1`,
  `${'0'.repeat(999)}1`,
  '',
  '1e',
  '1e0002',
  '.5',
  '5.',
  '+1',
  '0x10',
  '1,5',
  'NaN',
  'Infinity',
  ' 1',
  '1\n',
])('the amount %j', async (value) => {
  const read = readAmount(value);
  const typed = await typedAs('trim_scale(books_internal.amount_of($1))', value);
  expect(typed).toBe('amount' in read ? read.amount : null);
});

test.each([
  '2026-10-31T23:59:59Z',
  '2026-10-31T23:59:59.999999Z',
  '2026-10-31T23:59:59.9999999Z',
  '2026-10-31T23:59:59.123456789+05:45',
  '2026-10-31T23:59:60Z',
  '2026-10-31T24:00:00Z',
  '2026-10-31T23:60:00Z',
  '2026-02-30T10:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-10-31T10:00:00',
  '2026-10-31T10:00:00+0545',
  '2026-10-31T10:00:00.5-05',
  '2026-10-31T10:00Z',
  '2026-10-31T10:00+0560',
  '2026-10-31T10:00.5Z',
  '2026-10-31T23:59:59,1234569Z',
  '2026-10-31T23:59:59.999999999999Z',
  `2026-10-31T23:59:59.${'0'.repeat(31)}Z`,
  '2026-10-31t10:00:00z',
  '2026-10-31T10Z',
  '20261031T100000Z',
  '2026-10-31',
])('the instant %j', async (value) => {
  const microseconds = readInstant(value)?.slice(0, -1).padEnd(26, '0') ?? null;
  const typed = await typedAs(
    `to_char(books_internal.instant_of($1) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
    value,
  );
  expect(typed).toBe(microseconds);
});
