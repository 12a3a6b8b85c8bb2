// The planner's statistics: a table that a rebuild has emptied is about to be filled again.
import { afterAll, beforeAll, expect, test } from 'vitest';
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
