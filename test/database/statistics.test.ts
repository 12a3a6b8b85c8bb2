// The planner's statistics: a table that a rebuild has emptied is about to be filled again, and a list may land after they were renewed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { loadSql } from '../../src/database/sql.ts';
import { renewBefore, renewStatistics } from '../../src/database/statistics.ts';
import { forget } from '../../src/normalize/normalize.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { makeWorld } from '../export/world.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const LEDGER = ['entries', 'transfers', 'daily', 'outcomes'];

/** The rows that the planner believes the tables to have. */
const rowsKnown = async (): Promise<Record<string, number>> => {
  const { rows } = await books.pool.query<{ relname: string; reltuples: number }>(
    `select relname, reltuples from pg_class where relnamespace = 'ledger'::regnamespace and relname = any($1)`,
    [LEDGER],
  );
  return Object.fromEntries(rows.map(({ relname, reltuples }) => [relname, reltuples]));
};

test('statistics renewed while a rebuild has emptied the ledger still know its size', async () => {
  await books.pool.query('select ledger.renew_statistics()');
  const known = await rowsKnown();
  for (const table of LEDGER) expect(known[table]).toBeGreaterThan(0);
  await forget(books.db);
  const { rows } = await books.pool.query('select from ledger.entries');
  expect(rows.length).toBeLessThan(Number(known.entries));
  await books.pool.query('select ledger.renew_statistics()');
  expect(await rowsKnown()).toEqual(known);
});

test('statistics that another process is renewing are not waited for', async () => {
  const other = openDatabase(books.url);
  const hasty = openDatabase(books.url, { settings: ['lock_timeout=500'] });
  await other.db.transaction().execute(async (tx) => {
    for (const schema of ['ledger', 'value'] as const) await renewStatistics(tx, schema, 1_000_000);
    for (const schema of ['ledger', 'value'] as const) await renewStatistics(hasty.db, schema, 1_000_000);
    await renewBefore(hasty.db, 1_000_000);
    await expect(hasty.pool.query('select ledger.renew_statistics()')).rejects.toThrow('lock timeout');
  });
  await renewStatistics(hasty.db, 'ledger', 1_000_000);
  await Promise.all([other.close(), hasty.close()]);
});

const landed = (stream: string, records: number, payload: string) => `
  insert into land.records (entity_id, stream, record_id, version, digest, payload, landed_at, request_id)
  select 'main', '${stream}', nth, 1, '', ${payload}, now(), 1 from generate_series(1, ${records}) as nth`;

test('an address is looked up by its index, also while the statistics know no address book', async () => {
  await books.pool.query(landed('trades', 40_000, "'{}'"));
  await books.pool.query('analyze land.records');
  await books.pool.query(landed('address-book', 3_000, "json_build_object('address', 'address ' || nth)"));
  const { text, values } = loadSql('valuation/counterparty_marks.sql', {
    entities: '{main}',
    periods: '{2026-10}',
  });
  const { rows } = await books.pool.query(`explain ${text}`, [...values]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using records_by_address on records');
});
