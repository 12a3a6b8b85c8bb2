// The example in the header of every file under sql/ that is one statement: its values fit the parameters and their types.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, readSql, sqlPaths } from '../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { filesIn } from '../tidy/source.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

const folders = [...new Set(filesIn('sql').flatMap((path) => path.split('/').slice(1, -1)))];
const paths = folders.filter((folder) => folder !== 'views').flatMap(sqlPaths);

const RUN = '00000000-0000-4000-8000-000000000001';

/** The values of an example: -v entity=main -v days='{2026-10-01}' -v run=<run_id>. */
const exampleOf = (path: string): Record<string, string> => {
  const [line = ''] = /^-- {3}psql .*/m.exec(readSql(path).text) ?? [];
  const values = [...line.matchAll(/ -v (\w+)=(?:'([^']*)'|(\S*))/g)];
  return Object.fromEntries(
    values.map(([, name, quoted, bare]) => [name, (quoted ?? bare ?? '').replace('<run_id>', RUN)]),
  );
};

test.each(paths)('%s runs with the values of its example', async (path) => {
  expect((await books.pool.query(loadSql(path, exampleOf(path)))).command).toMatch(/^(SELECT|DO)$/);
});

test('an example without one of the parameters fails', () => {
  const { from: _, ...others } = exampleOf('reports/journal.sql');
  expect(() => loadSql('reports/journal.sql', others)).toThrow('needs the parameter from');
});
