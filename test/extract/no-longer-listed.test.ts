// A list that has lost landed records: another number of them is proved once, by reading everything, and later nights cost what
// they did before. Nothing new is missed meanwhile.
import { expect, test } from 'vitest';
import { instant, type Row } from './drain.ts';
import { type TradeList, tradeList, tradesApart, walkList } from './trade-list.ts';

const LANDED = 120;

/** The trades of a list from which `gone` landed ones have disappeared, the oldest but one first. */
const without = (gone: number): Row[] => [
  ...tradesApart(LANDED).slice(0, 1),
  ...tradesApart(LANDED).slice(1 + gone),
];

/** A night that knows of `gone` records that are no longer listed. */
const night = (
  rows: readonly Row[],
  { gone = 3, isFull = false, ...habits }: Partial<TradeList> & { gone?: number; isFull?: boolean } = {},
) => walkList(tradeList(rows, habits), new Set(tradesApart(LANDED).map(({ id }) => id)), { gone, isFull });

test('is read whole once, and from then on costs one request, without another finding', async () => {
  const first = await night(without(3), { gone: 0 });
  expect(first.offsets).toEqual([119, 0, 49, 98]);
  expect(first.covers).toMatchObject([{ proof: 'list', total: 117 }]);
  expect(first.troubles.map(({ detail }) => detail)).toEqual([
    '3 of 120 landed records are no longer listed; they stay in the books',
  ]);
  const second = await night(without(3));
  expect([second.offsets, second.isCovered, second.subjects]).toEqual([[116], true, []]);
  expect(second.covers).toMatchObject([{ total: 117 }]);
});

test('costs two requests if it is newest first, as it did before', async () => {
  const { offsets, isCovered, subjects } = await night(without(3), { isNewestFirst: true });
  expect([offsets, isCovered, subjects]).toEqual([[116, 0], true, []]);
});

test('is read on from its last record', async () => {
  const walked = await night([...without(3), ...tradesApart(60, LANDED)]);
  expect([walked.offsets, walked.landed.size, walked.isCovered]).toEqual([[116, 165], 180, true]);
  expect(walked.subjects).toEqual([]);
});

test('shows an added trade with an older time', async () => {
  const walked = await night([...without(3), { id: 'late', at: instant(500) }]);
  expect(walked.landed).toContain('late');
  expect([walked.isCovered, walked.subjects]).toEqual([true, []]);
});

test('is read whole, and is a finding, if it loses another', async () => {
  const walked = await night(without(4));
  expect(walked.offsets).toEqual([116, 0, 49, 98]);
  expect(walked.troubles[0]?.detail).toBe(
    '4 of 120 landed records are no longer listed; they stay in the books',
  );
});

for (const isNewestFirst of [false, true]) {
  test(`shows a trade that came as another went, ${isNewestFirst ? 'newest' : 'oldest'} first`, async () => {
    const walked = await night([...without(4), { id: 'newer', at: instant(200_000) }], { isNewestFirst });
    expect(walked.landed).toContain('newer');
    expect([walked.isCovered, walked.subjects]).toEqual([true, ['disappeared']]);
  });
}

test('is read whole, without a finding, if it lists one of them again', async () => {
  const walked = await night(without(2));
  expect(walked.covers).toMatchObject([{ total: 118 }]);
  expect([walked.ids.size, walked.subjects]).toEqual([118, []]);
});

test('shows a new trade also if one of the others is listed again', async () => {
  const walked = await night([...without(2), { id: 'late', at: instant(500) }]);
  expect(walked.landed).toContain('late');
  expect([walked.isCovered, walked.subjects]).toEqual([true, []]);
});

test('costs one request if nothing is left of it', async () => {
  const { offsets, isCovered, subjects } = await night([], { gone: LANDED });
  expect([offsets, isCovered, subjects]).toEqual([[0], true, []]);
});

test('is no new finding of a full reading', async () => {
  const { offsets, isCovered, subjects } = await night(without(3), { isFull: true });
  expect([offsets, isCovered, subjects]).toEqual([[116, 0, 49, 98], true, []]); // what is new first
});

test('is read whole if a page may hold it: its end does not show whether it is newest first', async () => {
  const rows = [...tradesApart(LANDED).slice(-1), { id: 'newer', at: instant(200_000) }];
  const walked = await night(rows, { gone: LANDED - 2, isNewestFirst: true });
  expect(walked.landed).toContain('newer');
  expect([walked.offsets, walked.isCovered, walked.subjects]).toEqual([[0, 1], true, ['disappeared']]);
});
