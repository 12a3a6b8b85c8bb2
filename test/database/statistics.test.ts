// The planner's statistics: a table that a rebuild has emptied is about to be filled again, and a list may land after they were renewed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/connection.ts';
import { loadSql } from '../../src/database/sql.ts';
import { renewStatistics } from '../../src/database/statistics.ts';
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
  await books.pool.query(`analyze ${LEDGER.map((table) => `ledger.${table}`).join(', ')}`);
  const known = await rowsKnown();
  for (const table of LEDGER) expect(known[table]).toBeGreaterThan(0);
  await forget(books.db);
  const { rows } = await books.pool.query('select from ledger.entries');
  expect(rows.length).toBeLessThan(Number(known.entries));
  await renewStatistics(books.db, 'ledger');
  expect(await rowsKnown()).toEqual(known);
});

const land = (stream: string, records: number, payload = "repeat('x', 700)") =>
  books.pool.query(`
    insert into land.records (entity_id, stream, record_id, version, digest, payload, landed_at, request_id)
    select 'main', '${stream}', nth, 1, '', ${payload}, now(), 1 from generate_series(1, ${records}) as nth`);

test('the statistics of a table are renewed once it has grown by a tenth, or twofold', async () => {
  const pagesKnown = async (): Promise<number> => {
    const { rows } = await books.pool.query(
      "select relpages from pg_class where oid = 'land.records'::regclass",
    );
    return rows[0].relpages;
  };
  await land('0', 2_000);
  await renewStatistics(books.db, 'ledger');
  const first = await pagesKnown();
  expect(first).toBeGreaterThan(100);
  await land('1', 100);
  await renewStatistics(books.db, 'ledger');
  expect(await pagesKnown()).toBe(first);
  await land('2', 1_000);
  await renewStatistics(books.db, 'ledger', 'twofold');
  expect(await pagesKnown()).toBe(first);
  await renewStatistics(books.db, 'ledger');
  const second = await pagesKnown();
  expect(second).toBeGreaterThan(first);
  await land('3', 4_000);
  await renewStatistics(books.db, 'ledger', 'twofold');
  expect(await pagesKnown()).toBeGreaterThan(2 * second);
});

test('statistics that another process is renewing are not waited for', async () => {
  const other = openDatabase(books.url);
  const hasty = openDatabase(books.url, { settings: ['lock_timeout=500'] });
  await other.db.transaction().execute(async (tx) => {
    await land('waiting', 1_000);
    await renewStatistics(tx, 'ledger');
    await land('more', 10_000);
    await renewStatistics(hasty.db, 'ledger');
    await expect(hasty.pool.query('select ledger.renew_statistics(0.1)')).rejects.toThrow('lock timeout');
  });
  await Promise.all([other.close(), hasty.close()]);
});

test('an address is looked up by its index, also while the statistics know no address book', async () => {
  await land('trades', 40_000, "'{}'");
  await books.pool.query('analyze land.records');
  await land('address-book', 3_000, "json_build_object('address', 'address ' || nth)");
  const { text, values } = loadSql('valuation/counterparty_marks.sql', {
    entities: '{main}',
    periods: '{2026-10}',
  });
  const { rows } = await books.pool.query(`explain ${text}`, [...values]);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using records_by_address on records');
});
