// What the next export to a package reads after a large one: the lines of a batch have no statistics right after they were
// written, so the work must be of the size of the lines whatever the planner expects.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import type { TestDatabase } from '../database.ts';
import { booksOf, planOf, workOf } from './growing-books.ts';

/** Lines for each line of value: without statistics, an index that finds the whole batch looks best only if it is large. */
const TIMES = 30;
/** Rows and blocks for each line. An index that finds the batch for each entry handles hundreds of times as many. */
const WORK_MAX = 30;

/** All values of an entity as one batch, which nothing has counted. */
const BATCH = `
  alter table decide.batches set (autovacuum_enabled = false);
  alter table decide.batch_lines set (autovacuum_enabled = false);
  insert into decide.batches (entity_id, year, batch_number, package, period, currency, timezone, map_sha256, settings, facts, entries, lines, by_name, at)
  values ('e1', 2026, 1, 'xero', '2026', 'EUR', 'UTC', repeat('0', 64), '{}', '{}', 1, 1, 'Ada', now());
  insert into decide.batch_lines (entity_id, year, batch_number, line, ordinal, entry_id, day, kind, stream, record_id, account, currency, counterparty_type,
    units, value, code, name, tax, dimension1, dimension2)
  select entity_id, 2026, 1, row_number() over (order by entry_id, line, nth), 1, entry_id, posted_at::date, 'new', stream, record_id,
    account || ':' || nth, currency, '', units, round(value, 2), '1', 'one', '', '', ''
  from books.value_postings, generate_series(1, ${TIMES}) as nth where entity_id = 'e1' and round(value, 2) <> 0`;

let books: TestDatabase;
beforeAll(async () => {
  books = await booksOf({ entries: 1_500, days: 500, nights: 30 });
  await books.pool.query(BATCH);
});
afterAll(() => books.close());

const count = async (sql: string): Promise<number> => (await books.pool.query(sql)).rows[0].count;

const SPAN = { from: '1990-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', timezone: 'UTC' };

test('the work is of the size of the lines', async () => {
  const lines = await count('select count(*)::int as count from decide.batch_lines');
  expect(lines).toBeGreaterThan(50_000);
  expect(
    await count("select reltuples::int as count from pg_class where oid = 'decide.batch_lines'::regclass"),
  ).toBeLessThanOrEqual(0);
  const { text, values } = loadSql('export/value_lines.sql', { entity: 'e1', package: 'xero', ...SPAN });
  expect(workOf(await planOf(books, text, values))).toBeLessThan(lines * WORK_MAX);
});

test('a statement that reads the whole batch for each entry is found', async () => {
  const each = `select count(*) from (select * from ledger.entries where entity_id = 'e1' limit 100) as e
    cross join lateral (select b.line from books.batch_lines b where b.entity_id = e.entity_id and b.entry_id::text = e.entry_id::text and b.package = $1 offset 0) as l`;
  const lines = await count('select count(*)::int as count from decide.batch_lines');
  expect(workOf(await planOf(books, each, ['xero']))).toBeGreaterThan(lines * WORK_MAX);
});
