// What the books of one entity cost beside few other entities and beside many: what concerns one of them reads no other's. Months are
// closed entity by entity, so a report that read them all would take the square of their number.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, readSql, sqlPaths } from '../../src/database/sql.ts';
import type { TestDatabase } from '../database.ts';
import { FOR_ALL } from './entities-exceptions.ts';
import { exampleValues, PERIOD } from './example-values.ts';
import { booksOf, planOf, type Size, workOf } from './growing-books.ts';

/** Each entity has as long a history in both. */
const [FEW, MANY] = [3, 21].map((entities) => ({
  entities,
  entries: 2_000 * entities,
  days: 700,
  nights: 30,
})) as [Size, Size];
const LAST_RUN = '00000000-0000-4000-8000-000000000030';
const CHOSEN = { ...PERIOD, entity: 'e1', entities: '{e1}', run: LAST_RUN, entry_number: '0' };

/** The list of entities, and what each of their runs and rate lists adds. */
const MORE_WORK = 500;
const GROWTH_MAX = 1.3;

let [few, many]: TestDatabase[] = [];
beforeAll(async () => {
  few = await booksOf(FEW);
  many = await booksOf(MANY);
});
afterAll(async () => {
  await few?.close();
  await many?.close();
});

/** What a statement reads and handles, the second time: the first reads the catalogues for its functions too. */
const workIn = async (books: TestDatabase | undefined, text: string, values: readonly unknown[]) => {
  await planOf(books, text, values);
  return workOf(await planOf(books, text, values));
};

/** What a statement reads and handles in both, if it is more beside many. */
const growthOf = async (text: string, values: readonly unknown[] = []): Promise<string | null> => {
  const before = await workIn(few, text, values);
  const after = await workIn(many, text, values);
  return after > before * GROWTH_MAX + MORE_WORK ? `${Math.round(before)}, ${Math.round(after)}` : null;
};

test('views', async () => {
  const { rows } = (await few?.pool.query(
    `select table_schema || '.' || table_name as name from information_schema.columns
     where table_schema in ('books', 'books_internal') and column_name = 'entity_id' order by 1`,
  )) ?? { rows: [] };
  const grown: Record<string, string> = {};
  for (const { name } of rows) {
    const growth = await growthOf(`select * from ${name} where entity_id = 'e1'`);
    if (growth !== null && !(name in FOR_ALL)) grown[name] = growth;
  }
  expect(rows.length).toBeGreaterThan(100);
  expect(grown).toEqual({});
}, 300_000);

const FOLDERS = ['reports', 'page', 'close', 'seal', 'export', 'journals', 'valuation', 'references'];
const isOfEntity = (path: string) =>
  readSql(path).parameters.some((name) => name === 'entity' || name === 'entities');
const PATHS = FOLDERS.flatMap(sqlPaths).filter(isOfEntity);

test.each(PATHS)('%s', async (path) => {
  const { text, values } = loadSql(path, exampleValues(path, CHOSEN));
  const growth = await growthOf(text, values);
  if (path in FOR_ALL) expect(growth, `sql/${path} no longer grows: remove its exception`).not.toBeNull();
  else expect(growth).toBeNull();
});

test.each(sqlPaths('checks'))('%s, as a night runs it', async (path) => {
  const { text, values } = loadSql(path, { run: LAST_RUN });
  const growth = await growthOf(
    `select found.* from unnest('{e1}'::text[]) as wanted (entity_id) cross join lateral (
       select * from (${text}\n) as whole where whole.entity_id = wanted.entity_id offset 0) as found`,
    values,
  );
  if (path in FOR_ALL) expect(growth, `sql/${path} no longer grows: remove its exception`).not.toBeNull();
  else expect(growth).toBeNull();
});

test('a statement that reads the books of all entities is found', async () => {
  expect(await growthOf('select sum(amount) from ledger.transfers')).not.toBeNull();
});
