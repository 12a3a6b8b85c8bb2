// The as-of of an export: null unless each list of the entity is proved from its beginning.
import { beforeEach, expect, test } from 'vitest';
import { loadSql } from '../../src/database/database.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeEach(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.entities (entity_id, name, first_seen_at) values ('main', 'main', now());
    insert into land.coverage (entity_id, stream, scope, covered) values
      ('main', 'movements', '', '{[-infinity,2026-11-03)}'), ('main', 'wallet-transactions', '', '{[-infinity,2026-11-04)}')`);
  return () => books.close();
});

const asOf = async (): Promise<string | null> => {
  const query = loadSql('export/as_of.sql', { to: '2026-12-01T00:00:00Z', entity: '', last_run: '' });
  const { rows } = await books.pool.query<{ as_of: string | null }>(query);
  return rows[0]?.as_of ?? null;
};

test.each([
  ['{[-infinity,2026-11-02),[2026-11-05,2026-11-06)}', '2026-11-02T00:00:00.000Z'],
  ['{[-infinity,2027-01-01)}', '2026-11-03T00:00:00.000Z'],
  ['{[2026-10-01,2026-11-02)}', null],
  ['{}', null],
])('with trades proved in %s it is %s', async (covered, expected) => {
  const trades =
    "insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'trades', '', $1)";
  await books.pool.query(trades, [covered]);
  expect(await asOf()).toBe(expected);
});

test('a list that was never begun is not proved, unless the gateway does not offer it', async () => {
  expect(await asOf()).toBe(null);
  const answered = (severity: string, detail: string) =>
    books.pool.query(
      `with run as (insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'nightly', now()) returning run_id)
       insert into run.findings (entity_id, run_id, severity, subject, detail) select 'main', run_id, $1, 'trades', $2 from run`,
      [severity, detail],
    );
  await answered('note', 'not offered to this entity: trades answers 404');
  expect(await asOf()).toBe('2026-11-03T00:00:00.000Z');
  await answered('finding', 'refused, so none of its data is read, or not all');
  expect(await asOf()).toBe(null);
});
