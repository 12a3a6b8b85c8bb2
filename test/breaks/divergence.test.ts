// When today's books and the balances of past nights diverged.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { firstDivergence } from '../../src/breaks/divergence.ts';
import { instantAt } from '../land/stage.ts';
import { adjustment, type Nights, openNights, wallet } from '../reconcile/stage.ts';

const TRADING = { entity_id: 'main', account: 'assets:trading', currency: 'EUR' };
const DAY_S = 86_400;
const noonOf = (day: number) => instantAt(DAY_S * day + DAY_S / 2);

let books: Nights;
beforeEach(async () => {
  books = await openNights();
});
afterEach(() => books.close());

/** A night of a day that lands records and reads a balance at noon. */
const night = async (day: number, balance: number, ...movements: ReturnType<typeof adjustment>[]) => {
  await books.night({ records: { movements }, after: { trading: [wallet('w1', 'EUR', String(balance))] } });
  await books.rows('update reconcile.tie_outs set as_of = $1 where run_id = $2', [
    noonOf(day),
    books.run().id,
  ]);
};
const came = (id: string, amount: string, day: number) =>
  adjustment(id, amount, { createdAt: instantAt(DAY_S * day) });
const parted = () => firstDivergence(books.db, TRADING);

/** Nine nights, each with ten euro more, all of which tie. */
const nineNights = async () => {
  for (let day = 1; day <= 9; day += 1) await night(day, 10 * day, came(`m${day}`, '10', day));
};

test("is where today's difference begins, however late the wrong record was booked", async () => {
  await nineNights();
  expect(await parted()).toBeNull();
  await night(10, 90, came('doubled', '5', 4.6));
  const found = { after: noonOf(4), until: noonOf(5), records: 2 };
  expect(await parted()).toEqual({ ...found, record_names: ['movements m5', 'movements doubled'] });
});

test('is before the first reading if all readings have it, and null without readings', async () => {
  expect(await parted()).toBeNull();
  await night(1, 10, came('m1', '10', 1), came('doubled', '5', 0.2));
  const names = ['movements m1', 'movements doubled'];
  expect(await parted()).toEqual({ after: null, until: noonOf(1), records: 2, record_names: names });
});

test('of a missing record has nothing booked inside, or only unrelated records', async () => {
  await nineNights();
  await night(10, 97);
  expect(await parted()).toEqual({ after: noonOf(9), until: noonOf(10), records: 0, record_names: [] });
  await night(11, 107, came('m11', '10', 11));
  await night(12, 107, came('m10', '7', 9.9)); // read late
  expect(await parted()).toBeNull();
});

test('is that of the newest part if a difference arose in several', async () => {
  await nineNights();
  await night(10, 90, came('one', '5', 2.7));
  await night(11, 90, came('two', '3', 7.7));
  expect(await parted()).toMatchObject({ after: noonOf(7), until: noonOf(8), records: 2 });
});

test('is no later than the night that first saw all of it, even if records arrive late', async () => {
  await nineNights();
  await night(10, 95);
  await night(11, 105, came('late', '10', 9.9));
  expect(await parted()).toMatchObject({ after: noonOf(9), until: noonOf(10) });
});
