// The order of `breaks list`: highest severity first (a break without a price ranks above a small one), then the highest
// value, resolved breaks last.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { breaksIn } from '../../src/actions/breaks.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.runs (run_id, job, started_at)
    values ('00000000-0000-4000-8000-000000000001', 'reconcile', '2026-10-01')`);
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', '2026-10-01')`);
});
afterAll(() => books.close());

const add = (id: string, currency: string, difference: string, { status = 'open', days = 1 } = {}) =>
  books.pool.query(
    `insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, reported, booked, difference,
       status, reason, opened_at, since, run_id, resolved_at, resolved_by)
     values ('main', $1, 'trading_tie_out', $1, 'assets:trading', $2, $3, 0, $3, $4, 'why', now() - make_interval(days => $5::int),
       now() - make_interval(days => $5::int), '00000000-0000-4000-8000-000000000001',
       case when $4 = 'resolved' then now() end, case when $4 = 'resolved' then 'Ada' end)`,
    [id, currency, difference, status, days],
  );

test('highest severity first, then highest absolute value; breaks without a price are not last', async () => {
  await add('a-small', 'EUR', '1');
  await add('b-unpriced', 'NOPE', '1000000');
  await add('c-great', 'EUR', '-900000');
  await add('d-middle', 'EUR', '2');
  await add('e-resolved', 'EUR', '9000000', { status: 'resolved' });
  await add('f-less-great', 'EUR', '800000');
  const order = async (isAll: boolean) =>
    (await breaksIn(books.db, { isAll })).map(({ break_id }) => break_id);
  expect(await order(false)).toEqual(['c-great', 'f-less-great', 'b-unpriced', 'd-middle', 'a-small']);
  expect((await order(true)).at(-1)).toBe('e-resolved');
  await add('g-later', 'EUR', '3');
  expect((await order(false)).indexOf('g-later')).toBe(3);
});
