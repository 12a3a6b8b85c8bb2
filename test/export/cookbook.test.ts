// The cookbook: every query for analysts runs, and gives these rows on the small world.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, sqlPaths } from '../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { makeQuestioned, QUESTIONS } from './questions.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeQuestioned(books);
});
afterAll(() => books.close());

test('every file of the cookbook has its expected rows here', () => {
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
