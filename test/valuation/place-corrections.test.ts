// Late corrections in the month in which each place gets lots of its own: what is corrected may lie with another entity by then.
import { expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  closeBoth,
  gains,
  left,
  reversed,
  sell,
  twoEntities,
  withBooks,
} from './month-stand.ts';

withBooks(twoEntities);

/** Corrects a purchase of the closed month; both count at the start of the next one. */
const corrected = async (purchase: Awaited<ReturnType<typeof booked>>, euro: string): Promise<void> => {
  const { entity, recordId: name, effectiveAt } = purchase;
  const day = effectiveAt.slice(0, 'YYYY-MM-DD'.length);
  await reversed(purchase, day, '2026-02');
  await booked({ day, period: '2026-02', name, entity }, buy('1', euro));
};

test.each(['fifo', 'hifo'])(
  'a purchase that is corrected leaves the places of another entity that got its lot (%s)',
  async (method) => {
    await books.pool.query(
      "update decide.profiles set cost_method = $1, lot_rules = 'wallets-from:2026-02-01'",
      [method],
    );
    const small = await booked({ day: '2026-01-03', name: 'early', entity: 'a' }, buy('1', '45000'));
    await booked({ day: '2026-01-05', name: 'first', entity: 'a' }, buy('1', '30000'));
    const purchase = await booked({ day: '2026-01-10', name: 'second' }, buy('1', '40000'));
    await derive(books.db, BOOKS);
    await closeBoth('2026-01');
    await corrected(purchase, '44000');
    await corrected(small, '46000');
    expect(await left()).toEqual(['here 3 120000']);
    expect(await gains()).toBeNull();
  },
);

test('a purchase that is corrected leaves the place that got back its units from a sale which is corrected, too', async () => {
  await books.pool.query(
    "update decide.profiles set cost_method = 'hifo', lot_rules = 'wallets-from:2026-02-01'",
  );
  const purchase = await booked({ day: '2026-01-10', name: 'purchase' }, buy('1', '40000'));
  const sale = await booked({ day: '2026-01-20', name: 'sale' }, sell('0.4', '20000'));
  await booked({ day: '2026-01-25', name: 'other' }, buy('1', '10000'));
  await derive(books.db, BOOKS);
  await closeBoth('2026-01');
  await reversed(sale, '2026-01-20', '2026-02');
  await booked({ day: '2026-01-20', period: '2026-02', name: 'sale' }, sell('0.4', '24000'));
  await corrected(purchase, '44000');
  expect(await left()).toEqual(['here 1.6 36400']);
  expect(await gains()).toBe('6400');
});
