// The query command is limited in rows, in bytes, and in memory for any answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { type AnswerLimits, queryBooks } from '../../src/cli/query.ts';
import { command } from '../bench/command.ts';
import { addressesOf } from '../database/roles/logins.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { typed } from './played.ts';
import { folder } from './tieout.ts';

let books: TestDatabase;
let analyst: string;
beforeAll(async () => {
  books = await freshDatabase();
  analyst = (await addressesOf(books.url)).analyst;
});
afterAll(() => books?.close());

const MANY = { rows: 1_000_000, bytes: 1_000_000_000 };
const rowsOf = async (sql: string, limits: AnswerLimits) => {
  let rows = 0;
  const answered = await queryBooks(
    analyst,
    { text: sql, values: [] },
    {
      limits,
      put: (page) => {
        rows += page.rows.length;
        return true;
      },
    },
  );
  expect(answered.rows).toBe(rows);
  return answered;
};

const series = (count: number) => `select n from generate_series(1, ${count}) n`;

test.each([199, 200, 201, 1000])(
  '%i rows are complete at a limit of as many, and cut at a lower one',
  async (count) => {
    expect(await rowsOf(series(count), { ...MANY, rows: count })).toEqual({ rows: count, cut: null });
    expect(await rowsOf(series(count), { ...MANY, rows: count - 1 })).toEqual({
      rows: count - 1,
      cut: 'rows',
    });
  },
);

test('an answer with too many bytes is cut', async () => {
  const answered = await rowsOf("select repeat('x', 1000) from generate_series(1, 10000)", {
    ...MANY,
    bytes: 500_000,
  });
  expect(answered).toEqual({ rows: 600, cut: 'bytes' });
});

test('a parameter without a value is a mistake in the statement, not a failure of the database', async () => {
  const refused = await rowsOf('select $1', MANY).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as Error).message).toMatch(/; write a value as :name, and add --set name=VALUE$/);
});

test('a value that is too large is refused before it is in memory', async () => {
  const refused = await rowsOf("select repeat('x', 100000000)", MANY).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as Error).message).toMatch(/more than 32 MB: omit the large column, or select part of it/);
});

test('as a program: an answer of 400 MB takes as much memory as one of 80 MB', async () => {
  const peakOf = async (rows: number) => {
    const sql = `select n, repeat('x', 2000) from generate_series(1, ${rows}) n`;
    const words = ['query', sql, '--format', 'csv', '--limit', String(rows)];
    return (await command({ home: folder, url: books.url, isOwn: false }, words)).peakMb;
  };
  const [few, many] = [await peakOf(40_000), await peakOf(200_000)];
  expect(many).toBeLessThan(400);
  expect(many / few).toBeLessThan(1.3);
});

test('rows are not fetched once the reader stops', async () => {
  const put = () => false;
  expect(await queryBooks(analyst, { text: series(1_000_000), values: [] }, { limits: MANY, put })).toEqual({
    rows: 200,
    cut: null,
  });
});

test('as a program: a table is cut at 10,000 rows with a warning and exit 1; with --limit it exits 0', async () => {
  const cut = await typed(['query', series(10_001)], { DATABASE_URL: books.url });
  expect(cut.exitCode).toBe(1);
  expect(cut.stdout).toMatch(/\n10000\n\(10000 rows\)\n$/);
  expect(cut.stderr).toBe(
    'tieout: printed only the first 10000 rows, the answer has more rows: raise --limit N, or narrow the query\n',
  );
  const few = await typed(['query', series(5), '--limit', '2', '--format', 'csv'], {
    DATABASE_URL: books.url,
  });
  expect([few.exitCode, few.stdout]).toEqual([0, 'n\n1\n2\n']);
  expect(few.stderr).toContain('printed only the first 2 rows');
  const wrong = await typed(['query', series(5), '--limit', '0'], { DATABASE_URL: books.url });
  expect([wrong.exitCode, wrong.stderr]).toEqual([64, 'tieout: --limit 0: write a number of rows, from 1\n']);
});
