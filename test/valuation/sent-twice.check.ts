// Departures that are corrected or cancelled, more than once, after their units arrived in a closed month: what is sent again is first what
// had arrived, so no lot lies in transit or in a wallet beside units without one.
import { beforeEach, describe, expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  chargedBy,
  closeBoth,
  gains,
  left,
  paired,
  withBooks,
} from './month-stand.ts';
import { type Made, PAIR, sideOf, taxedBy, WALLET, type Way } from './sides.ts';

withBooks();

/** Half of one coin for 40,000 is sent and arrives in January, which is closed; then another one is bought for 60,000. */
const transferred = async ({ outside, receiver }: Way) => {
  const account = `equity:external:${outside}`;
  const out = sideOf('main', ['sent', '2026-01-20'], (units) => `${account} <- assets:trading ${units} BTC`);
  const into = sideOf(
    receiver,
    ['back', '2026-01-25'],
    (units) => `assets:trading <- ${account} ${units} BTC`,
  );
  const pair = async (): Promise<void> => {
    const [from, to] = [out.standing(), into.standing()];
    if (outside === 'person' && from.entry && to.entry)
      await paired(from.entry, to.entry, [from.amount, to.amount]);
  };
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await out.send('0.5');
  await into.send('0.5');
  await pair();
  await booked({ day: '2026-01-28', name: 'dear' }, buy('1', '60000'));
  const closed = async (month: string): Promise<void> => {
    await pair();
    await derive(books.db, BOOKS);
    await closeBoth(month);
  };
  await closed('2026-01');
  return { out, into, pair, closed };
};

describe.each([
  ['fifo', ''],
  ['average', ''],
  ['hifo', ''],
  ['fifo', 'wallets-from:2026-02-01'],
])('with the method %s and the rules "%s"', (method, rules) => {
  beforeEach(() => taxedBy(method, rules));

  describe.each([
    ['an own wallet', WALLET],
    ['another own account', PAIR],
  ])('sent to %s', (_, way) => {
    test('a departure that is corrected, cancelled and sent again as it arrived', async () => {
      const { out, pair, closed } = await transferred(way);
      await out.correct('0.7', '2026-02');
      await closed('2026-02');
      await out.cancel('2026-03');
      await closed('2026-03');
      await out.send('0.5', '2026-04');
      await pair();
      expect(await left()).toEqual(['here 2 100000']);
      expect(await gains()).toBeNull();
    });

    test('a departure that is corrected to less than arrived, and then to what arrived', async () => {
      const { out, pair, closed } = await transferred(way);
      await out.correct('0.7', '2026-02');
      await closed('2026-02');
      await out.correct('0.4', '2026-03');
      await closed('2026-03');
      await out.correct('0.5', '2026-04');
      await pair();
      expect(await left()).toEqual(['here 2 100000']);
      expect(await gains()).toBeNull();
    });

    test('a departure of which a part is sent again, and then the rest', async () => {
      const { out, pair, closed } = await transferred(way);
      await out.cancel('2026-02');
      await closed('2026-02');
      await out.send('0.3', '2026-03');
      await closed('2026-03');
      await out.correct('0.5', '2026-04');
      await pair();
      expect(await left()).toEqual(['here 2 100000']);
    });

    test('an arrival that is corrected in the month in which the departure stands again', async () => {
      const { out, into, pair, closed } = await transferred(way);
      await out.cancel('2026-02');
      await closed('2026-02');
      await out.send('0.5', '2026-03');
      await into.correct('0.4', '2026-03');
      await pair();
      const parts = (await left()).map((line) => line.split(' '));
      expect(parts.map(([place, units]) => `${place} ${units}`).sort()).toEqual(
        [`${way.place} 0.1`, 'here 1.9'].sort(),
      );
      expect(parts.reduce((sum, [, , cost]) => sum + Number(cost), 0)).toBe(100000);
    });
  });
});

test.each(['2026-02', '2026-03'])(
  'a departure that is corrected to more than arrived in a closed month is a finding, until a fee is entered in %s',
  async (month) => {
    const found = async () =>
      (
        await books.pool.query(
          "select kind, units::text from books.value_findings where severity = 'finding'",
        )
      ).rows;
    await taxedBy('fifo', '');
    const { out, pair } = await transferred(PAIR);
    await out.correct('0.6', '2026-02');
    await pair();
    expect((await left()).map((line) => line.split(' ').slice(0, 2))).toEqual([
      ['here', '1.9'],
      ['in-transit', '0.1'],
    ]);
    expect(await found()).toEqual([{ kind: 'other-amount', units: '-0.1' }]);
    await chargedBy(out.standing().entry as Made, `${month}-05`, '0.1');
    expect((await left()).map((line) => line.split(' ').slice(0, 2))).toEqual([['here', '1.9']]);
    expect(await found()).toEqual([]);
  },
);
