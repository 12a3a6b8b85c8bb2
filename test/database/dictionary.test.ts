// Every object of schema books has a comment, and sql/README.md shows these comments and the schema's foreign keys.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { type DictionaryObject, firstSentence, readDictionary } from '../../src/database/dictionary.ts';
import { loadSql } from '../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { diagramText, dictionaryText, type ForeignKey, withPart } from './dictionary.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books?.close());

const withoutComment = (objects: readonly DictionaryObject[]): string[] =>
  objects.flatMap(({ name, kind, comment, columns }) => [
    ...(comment === '' ? [name] : []),
    ...columns
      .filter((column) => kind === 'view' && column.comment === '')
      .map((column) => `${name}.${column.name}`),
  ]);

test('every view, column and function of books has a comment', async () => {
  const objects = await readDictionary(books);
  expect(objects.length).toBeGreaterThan(50);
  expect(withoutComment(objects)).toEqual([]);
  await books.pool.query(`
    create schema hidden; alter view books.runs set schema hidden;
    create view books.runs as select 1 as n; create function books.two() returns int language sql return 2`);
  expect(withoutComment(await readDictionary(books))).toEqual(['runs', 'runs.n', 'two']);
  await books.pool.query(
    'drop view books.runs; alter view hidden.runs set schema books; drop function books.two()',
  );
});

test('a comment consists of whole sentences that begin with a capital letter or a fixed word', async () => {
  for (const { name, comment, columns } of await readDictionary(books))
    for (const text of [comment, ...columns.map((column) => column.comment)].filter(Boolean))
      expect(text, name).toMatch(/^[^\s].*[^.]\.$/s);
});

test('books_internal is left out: it promises nothing', async () => {
  const { rows } = await books.pool.query(
    "select viewname from pg_views where schemaname = 'books_internal'",
  );
  const names = (await readDictionary(books)).map(({ name }) => name);
  expect(rows.filter(({ viewname }) => names.includes(viewname))).toEqual([]);
});

// `npm run types:db` runs this test with --update, which rewrites the file.
test('the dictionary and the diagram in sql/README.md are current: otherwise run npm run types:db', async () => {
  const path = join(packageRoot, 'sql', 'README.md');
  const { rows } = await books.pool.query<ForeignKey>(loadSql('dictionary/foreign_keys.sql'));
  expect(rows.length).toBeGreaterThan(20);
  const dictionary = dictionaryText(await readDictionary(books));
  const document = withPart(readFileSync(path, 'utf8'), 'dictionary', dictionary);
  await expect(withPart(document, 'diagram', diagramText(rows))).toMatchFileSnapshot(path);
});

test('the first sentence of a comment ends with its full stop', () => {
  expect(firstSentence('One row per run: v1.2 of it. And more.')).toBe('One row per run: v1.2 of it.');
  expect(firstSentence('One row per fill. More.')).toBe('One row per fill.');
  expect(firstSentence('no stop')).toBe('no stop');
});
