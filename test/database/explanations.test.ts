// books.explanations reads the records once, also where the planner knows nothing of the lists beside them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyOf } from '../bench/history-sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { planOf, workOf } from './growing-books.ts';

const PAYMENTS = 2_000;
const ADDRESSES = 500;

const record = (stream: string, count: number, [id, payload]: readonly [string, string]): string => `
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
  select 'e0', '${stream}', ${id}, 1, '\\x00', ${payload}::text, '2026-05-01', '2026-05-01', 2 from generate_series(1, ${count}) as n`;

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(historyOf({ entries: 2_000, entities: 1, nights: 1 }));
  await books.pool.query(
    record('wallet-transactions', PAYMENTS, [
      `'c' || n`,
      `json_build_object('status', 'completed', 'origin', json_build_object('class', 'blockchain', 'addressNetwork', 'eth'),
        'destination', json_build_object('class', 'pocket', 'addressNetwork', 'eth', 'address', '0xAB' || n % 1000,
          'pocketId', case when n % 2 = 0 then 'P' || n % 1000 end))`,
    ]),
  );
  await books.pool.query('vacuum analyze');
  const address = `'address', '0xab' || n, 'network', 'ETH'`;
  await books.pool.query(
    record('address-book', ADDRESSES, [
      `'a' || n`,
      `json_build_object(${address}, 'walletOwnership', 'own')`,
    ]),
  );
  await books.pool.query(
    record('deposit-addresses', ADDRESSES, [
      `'d' || n`,
      `json_build_object(${address}, 'pocketId', 'p' || n)`,
    ]),
  );
});
afterAll(() => books.close());

const EXPLANATIONS =
  "select * from books.explanations where by_stream in ('address-book', 'deposit-addresses')";

test('every list explains its payments, and the payments are not read again for each row of one', async () => {
  const { rows } = await books.pool.query(
    `select what, count(*)::integer as records from (${EXPLANATIONS}) as x group by what order by what`,
  );
  expect(rows).toEqual([
    { what: 'own deposit address', records: 500 },
    { what: 'own wallet', records: 1_000 },
    { what: 'received on a deposit address', records: 500 },
  ]);
  expect(workOf(await planOf(books, EXPLANATIONS, []))).toBeLessThan(PAYMENTS * ADDRESSES * 2);
});
