// What valuing reads of what it has just written: nothing has counted those rows, and a plan for a few of them would look up the entry
// of each line.
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { post } from '../../src/ledger/entries.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { BOOKS, books, buy, made, withBooks } from './month-stand.ts';

const ENTRIES = 3_000;

withBooks(async () => {
  await books.pool.query('alter table value.postings set (autovacuum_enabled = false)');
});

const count = async (from: string, what = 'count(*)'): Promise<number> =>
  (await books.pool.query(`select ${what}::int as n from ${from}`)).rows[0].n;

/** How often an entry was looked up. */
const lookups = (): Promise<number> =>
  count("pg_stat_user_indexes where indexrelname = 'entries_pkey'", 'idx_scan');

test('the lines of a first night are summed without a look at the entry of each', async () => {
  const entries = Array.from({ length: ENTRIES }, (_, nth) =>
    made({ day: `2026-01-${String(1 + (nth % 28)).padStart(2, '0')}`, name: `${nth}` }, buy('1', '100')),
  );
  await post(books.db, entries);
  await books.pool.query('analyze ledger.entries, ledger.transfers');
  const before = await lookups();
  const { db, close } = openDatabase(books.url, { name: 'tieout first' });
  expect(await derive(db, BOOKS)).toMatchObject([{ entries: ENTRIES }]);
  await close();
  await expect.poll(() => count("pg_stat_activity where application_name = 'tieout first'")).toBe(0); // ended: what they read is counted
  expect((await lookups()) - before).toBeLessThan(await count('value.postings'));
});
