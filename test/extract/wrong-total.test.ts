// A total that stays wrong proves nothing, and costs no more than reading the list as often as one that moves.
import { expect, test } from 'vitest';
import { tradeList, tradesApart, walkList } from './trade-list.ts';

for (const isNewestFirst of [false, true]) {
  test(`one above the number of listed trades is read three times, ${isNewestFirst ? 'newest' : 'oldest'} first`, async () => {
    const trades = tradeList(tradesApart(120), { totalOf: (listed) => listed + 1, isNewestFirst });
    const whole = [0, 49, 98, 119];
    const walked = await walkList(trades);
    expect([walked.offsets, walked.subjects]).toEqual([[...whole, ...whole, ...whole], ['total']]);
    expect([walked.isCovered, walked.landed.size]).toEqual([false, 120]);
  });
}

test('that becomes right between two readings proves the list', async () => {
  const trades = tradeList(tradesApart(120), {
    totalOf: (listed) => listed + (trades.asked.length < 5 ? 1 : 0),
  });
  const walked = await walkList(trades);
  expect([walked.isCovered, walked.subjects]).toEqual([true, []]);
});
