// What the tables of a lake read: the time of a lake must grow with the rows, so no view may handle more rows or blocks for each of
// its rows because there are more of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { type LakeTable, tableSql, tablesOf } from '../../src/export/lake/tables.ts';
import type { TestDatabase } from '../database.ts';
import { booksOf, planOf, type Size, workOf } from './growing-books.ts';

/** The longer history has five times the rows; a loop within a loop handles 25 times as many. Another plan may cost twice as much a row. */
const TIMES = 5;
const [SHORT, LONG] = [1, TIMES].map((times) => ({
  entries: 2_000 * times,
  days: 500 * times,
  nights: 30 * times,
})) as [Size, Size];
const GROWTH_MAX = 2;
const MORE_WORK = 2_000;

let [short, long]: TestDatabase[] = [];
let tables: readonly LakeTable[] = [];
beforeAll(async () => {
  short = await booksOf(SHORT);
  long = await booksOf(LONG);
  tables = tablesOf((await short.pool.query(loadSql('export/lake_columns.sql').text)).rows);
});
afterAll(async () => {
  await short?.close();
  await long?.close();
});

/** All months, written as a choice of some: the planner then expects few rows, and may choose a loop within a loop. */
const EVERY_MONTH = { entities: null, months: { first: '0000-01', last: '9999-12' }, timezone: 'UTC' };

const isGrown = (before: number, after: number): boolean => after > before * TIMES * GROWTH_MAX + MORE_WORK;

/** The views whose work grows faster than the history, with both figures. */
const growthsOf = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const table of tables) {
    const { text, values } = tableSql(table, EVERY_MONTH);
    const [before, after] = [
      workOf(await planOf(short, text, values)),
      workOf(await planOf(long, text, values)),
    ];
    if (isGrown(before, after))
      found.push(`books.${table.name} handles ${before} and ${after} rows and blocks`);
  }
  return found;
};

test('no table of a lake handles more for each row because there are more', async () => {
  expect(tables.length).toBeGreaterThan(50);
  expect(await growthsOf()).toEqual([]);
});

test('a loop within a loop is found', async () => {
  const loop = `with few as materialized (select * from ledger.entries), others as materialized (select * from ledger.entries)
    select count(*) from few, others where few.entry_number % 50 = 0 and few.entry_id < others.entry_id`;
  const [before, after] = [workOf(await planOf(short, loop, [])), workOf(await planOf(long, loop, []))];
  expect(isGrown(before, after)).toBe(true);
});
