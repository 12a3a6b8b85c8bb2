// What sealing a month reads, over months of different size: the work must be of the size of the month.
import { expect, test } from 'vitest';
import { booksOf, planOf, workOf } from './growing-books.ts';

/** The larger month has six times as many entries in as many days. */
const TIMES = 6;
const ENTRIES = 1_000;
const GROWTH_MAX = 1.5;

/** A lot for every other entry, and some that no entry brought. */
const LOTS = `
  insert into value.lots (entity_id, lot_id, taxpayer, pool, currency, entry_id, leg, period, acquired_at, units, cost, origin, seq, method)
  select entity_id, 'lot of ' || entry_id, entity_id, 'held', 'BTC', case when entry_number % 50 > 0 then entry_id end, 1, period, effective_at, 1, 1,
    'exchange', entry_number, 'fifo'
  from ledger.entries where entry_number % 2 = 0`;

/** As a close stores them, and a proof compares them. */
const LEAVES = `select subject, leaf from books_internal.value_leaves where entity_id = $1 and period = $2`;
/** A condition that no index serves: every lot of the month for each entry. */
const EACH_LOT = `
  select e.entry_id, (select count(*) from value.lots l where l.entity_id = e.entity_id and l.lot_id like '%' || e.entry_id)
  from ledger.entries e where e.entity_id = $1 and e.period = $2`;

const worksOf = async (entries: number): Promise<{ readonly leaves: number; readonly eachLot: number }> => {
  const books = await booksOf({ entries, days: 20, nights: 2 });
  try {
    await books.pool.query(LOTS);
    await books.pool.query('vacuum analyze');
    const month = ['e1', '2026-12'];
    return {
      leaves: workOf(await planOf(books, LEAVES, month)),
      eachLot: workOf(await planOf(books, EACH_LOT, month)),
    };
  } finally {
    await books.close();
  }
};

test('sealing the values of a month is linear in its entries', async () => {
  const [small, large] = [await worksOf(ENTRIES), await worksOf(ENTRIES * TIMES)];
  expect(large.leaves / small.leaves).toBeLessThan(TIMES * GROWTH_MAX);
  expect(large.eachLot / small.eachLot, 'the rule cannot fail').toBeGreaterThan(TIMES * GROWTH_MAX);
});
