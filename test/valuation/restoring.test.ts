// The state at the start of a month, restored from the lots and uses of earlier months, of which there may be very many.
import { expect, test } from 'vitest';
import { attoText } from '../../src/base/money.ts';
import { take } from '../../src/valuation/pool.ts';
import { stateAt } from '../../src/valuation/restoring.ts';
import { taxpayers } from '../../src/valuation/taxpayers.ts';
import { books, withBooks } from './month-stand.ts';

withBooks();

const LOTS = 3_500;

/** Lots of one unit at a cost of their number; every third is used up, every fifth to a half. */
const fill = async (): Promise<void> => {
  await books.pool.query(`
    insert into value.lots (entity_id, lot_id, taxpayer, pool, currency, period, acquired_at, units, cost, origin, seq, method)
    select 'main', 'lot ' || n, 'main', 'held', 'BTC', '2026-01', timestamptz '2026-01-01' + n * interval '1 minute', 1, n, 'exchange', n, 'fifo'
    from generate_series(1, ${LOTS}) as n`);
  await books.pool.query(`
    insert into value.uses (entity_id, use_id, taxpayer, pool, currency, entry_id, leg, period, used_at, kind, lot_entity_id, lot_id, units, cost, method)
    select 'main', 'use ' || n, 'main', 'held', 'BTC', gen_random_uuid(), 1, '2026-01', '2026-01-31', 'disposal', 'main', 'lot ' || n,
      case when n % 3 = 0 then 1 else 0.5 end, case when n % 3 = 0 then n else n / 2.0 end, 'fifo'
    from generate_series(1, ${LOTS}) as n where n % 3 = 0 or n % 5 = 0`);
  await books.pool.query(`insert into value.open_lots select * from value.lots_left('later')`);
};

test('lots are restored in their order with what is left of them, and most wait as bytes', async () => {
  await fill();
  const [taxpayer] = await taxpayers(books.db, 'EUR');
  if (!taxpayer) throw new Error('no taxpayer');
  const state = await books.db.transaction().execute((tx) => stateAt(tx, taxpayer, '2026-02'));
  const pool = state.pools.get('held BTC');
  if (!pool) throw new Error('no pool');
  expect(state.lots).toBe(LOTS);
  expect(pool.queue.open.size).toBeLessThan(1_000);
  const left = Array.from({ length: LOTS }, (_, i) => i + 1).filter((n) => n % 3 !== 0);
  expect(
    take(pool, pool.units).map(({ lot, units, cost }) => [lot?.id, attoText(units), attoText(cost ?? -1n)]),
  ).toEqual(left.map((n) => (n % 5 === 0 ? [`lot ${n}`, '0.5', `${n / 2}`] : [`lot ${n}`, '1', `${n}`])));
});
