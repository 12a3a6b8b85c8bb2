// The walk by offset over pages that are requested before those in front of them have been answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { instant } from './drain.ts';
import { LIMIT, type TradeList, tradeList, tradesApart, walkList } from './trade-list.ts';

/** Walks 240 trades of whose pages each second one is answered after the next; the list changes before the first of these answers. */
const walkInPairs = (change: (list: TradeList) => void) => {
  const trades = tradeList(tradesApart(240));
  let isChanged = false;
  const fetch = async (offset: number) => {
    const isLate = (offset / (LIMIT - 1)) % 2 === 1;
    if (isLate) await sleep(20);
    if (isLate && !isChanged) change(trades.list);
    isChanged ||= isLate;
    return trades.fetch(offset);
  };
  return walkList(trades, new Set(), { fetch });
};

test('a list whose pages are answered in another order goes on although the list grows', async () => {
  const walked = await walkInPairs((list) => list.rows.push({ id: 'late', at: instant(500_000) }));
  expect(walked.landed.size).toBe(241);
  expect(walked.isCovered).toBe(true);
  expect(walked.offsets.filter((offset) => offset === 0)).toEqual([0]);
  expect(walked.offsets).not.toEqual(walked.offsets.toSorted((a, b) => a - b));
});

test('a list whose pages are answered in another order is read again once a record has disappeared', async () => {
  const walked = await walkInPairs((list) => list.rows.shift());
  expect(walked.ids.size).toBe(240);
  expect(walked.covers).toMatchObject([{ proof: 'list', total: 239 }]);
  expect(walked.offsets.filter((offset) => offset === 0)).toEqual([0, 0]);
});
