// A total that stays wrong proves nothing, and costs no more than reading the list as often as one that moves.
import { expect, test } from 'vitest';
import { walkOffset } from '../../src/extract/offset.ts';
import { drain, instant } from './drain.ts';
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

test('that is right, in a list that answers every offset with its first page, is a finding that says so', async () => {
  const trades = tradeList(tradesApart(6));
  const walk = walkOffset({
    fetch: async () => trades.fetch(0),
    known: 0,
    gone: 0,
    newest: null,
    isFull: false,
    pageLimit: 50,
    now: () => instant(3_600_000),
    idOf: (row) => row.id,
    timeOf: (row) => row.at,
  });
  const { covers, troubles } = await drain(walk);
  expect([covers, troubles.map(({ detail }) => detail)]).toEqual([
    [],
    ['the gateway counts 6 records and shows rows after the last of them, in every reading of the list'],
  ]);
});
