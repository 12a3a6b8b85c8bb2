// The cookbook: every question of an analyst runs, and gives these answers about the small world.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, sqlPaths } from '../../src/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { makeWorld } from './world.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const october = { from: '2026-09-30T22:00:00Z', to: '2026-10-31T23:00:00Z' };
const QUESTIONS: Record<string, Record<string, string>> = {
  'cookbook/balance_as_known.sql': { as_of: '2026-11-01T00:00:00Z', known_at: '2026-10-31T02:00:10Z' },
  'cookbook/biggest_movements.sql': { ...october, most: '1' },
  'cookbook/break_ages.sql': { as_of: '2026-11-02T00:00:00Z' },
  'cookbook/card_purchases.sql': october,
  'cookbook/consolidated.sql': {},
  'cookbook/fees_by_month.sql': { timezone: 'Europe/Madrid' },
  'cookbook/in_transit.sql': { as_of: '2026-11-02T00:00:00Z' },
  'cookbook/record_history.sql': { entity: 'main', stream: 'trades', record: 't1' },
  'cookbook/trade_volume.sql': { timezone: 'Europe/Madrid' },
};

test('there is no question without its answer here', () => {
  expect(sqlPaths('cookbook')).toEqual(Object.keys(QUESTIONS));
});

test.each(Object.entries(QUESTIONS))('%s', async (path, values) => {
  const { rows } = await books.pool.query(loadSql(path, values));
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => value ?? '')
      .join(' | '),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${path.replace(/\.sql$/, '.txt')}`);
});
