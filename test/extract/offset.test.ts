// The walk by offset over lists in memory that count, clamp and shift: complete by the count, or reported.
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { walkOffset } from '../../src/extract/offset.ts';
import { drain, instant, type Row } from './drain.ts';
import { LIMIT, type TradeList, tradeList, tradesApart, walkList } from './trade-list.ts';

const idsOf = (rows: readonly Row[]) => new Set(rows.map(({ id }) => id));
const add = (list: TradeList, id: string, ms: number) => list.rows.push({ id, at: instant(ms) });
const take = (list: TradeList, id: string) => {
  list.rows = list.rows.filter((row) => row.id !== id);
};

describe('a first walk', () => {
  for (const [count, offsets] of [
    [0, [0]],
    [1, [0, 1]],
    [49, [0, 48]],
    [50, [0, 49]],
    [51, [0, 49]],
    [100, [0, 49, 98]],
    [101, [0, 49, 98]],
  ] as const) {
    test(`over ${count} trades reads each page from the last row of the one before and covers everything before now`, async () => {
      const walked = await walkList(tradeList(tradesApart(count)));
      expect(walked.ids.size).toBe(count);
      expect(walked.offsets).toEqual(offsets);
      expect(walked.isCovered).toBe(true);
      expect(walked.covers[0]).toMatchObject({ proof: 'list', total: count });
      expect(walked.subjects).toEqual([]);
    });
  }

  for (const clamp of [50, 20, 7]) {
    test(`advances by the rows received, less the one that links pages, if the server clamps the limit to ${clamp}`, async () => {
      const walked = await walkList(tradeList(tradesApart(101), { clamp }));
      expect(walked.ids.size).toBe(101);
      expect(walked.offsets.slice(0, 3)).toEqual([0, clamp - 1, 2 * (clamp - 1)]);
      expect(walked.isCovered).toBe(true);
    });
  }

  test('reads a list that is newest first although oldest first was requested', async () => {
    const walked = await walkList(tradeList(tradesApart(130), { isNewestFirst: true }));
    expect(walked.ids.size).toBe(130);
    expect(walked.isCovered).toBe(true);
  });

  test('fetches five pages before the last one has landed, and no further', async () => {
    const fetched: number[] = [];
    const walk = walkOffset<Row, null>({
      fetch: async (offset) => {
        fetched.push(offset);
        if (fetched.length > 7) throw new Error('gone');
        return { rows: tradesApart(offset + LIMIT).slice(offset), total: 1_000, proof: null };
      },
      idOf: ({ id }) => id,
      timeOf: (row) => row.at,
      known: 0,
      gone: 0,
      newest: null,
      isFull: false,
      now: () => instant(0),
      pageLimit: LIMIT,
    });
    const offsets = (pages: number) => Array.from({ length: pages }, (_, nth) => nth * (LIMIT - 1));
    await walk.next({ fresh: 0 });
    await setImmediate();
    expect(fetched).toEqual(offsets(6));
    await walk.next({ fresh: LIMIT });
    await setImmediate();
    expect(fetched).toEqual(offsets(7));
    await walk.next({ fresh: LIMIT - 1 }); // a page asked for by now fails, and nobody awaits it
    await walk.return();
    await setImmediate();
    expect(fetched).toEqual(offsets(8));
  });

  test('that was killed resumes at the last landed trade', async () => {
    const trades = tradeList(tradesApart(240));
    const killed = await walkList(trades, new Set(), { killedAfter: 2 });
    expect(killed.isCovered).toBe(false);
    const resumed = await walkList(trades, killed.landed);
    expect(resumed.offsets).toEqual([98, 147, 196]);
    expect(resumed.landed.size).toBe(240);
    expect(resumed.isCovered).toBe(true);
  });

  test('that needs more pages than the limit fails instead of running for ever', async () => {
    const walk = walkList(tradeList(tradesApart(250)), new Set(), { pagesMax: 3 });
    await expect(walk).rejects.toThrow('an offset walk of more than 3 pages');
  });
});

describe('a later walk', () => {
  const later = (rows: readonly Row[], known: readonly Row[], habits: Partial<TradeList> = {}) =>
    walkList(tradeList(rows, habits), idsOf(known));

  test('over a list with the same total costs exactly one request', async () => {
    const walked = await later(tradesApart(101), tradesApart(101));
    expect(walked.pages).toBe(1);
    expect(walked.isCovered).toBe(true);
  });

  test('reads additions at the end, from the last known trade', async () => {
    const walked = await later(tradesApart(160), tradesApart(101));
    expect(walked.offsets).toEqual([100, 149]);
    expect(walked.landed.size).toBe(160);
    expect(walked.isCovered).toBe(true);
  });

  test('finds an added trade with an older time', async () => {
    const backDated = { id: 'late', at: instant(500) };
    const walked = await later([...tradesApart(120), backDated], tradesApart(120));
    expect(walked.landed).toContain('late');
    expect(walked.isCovered).toBe(true);
  });

  test('finds new trades at the front of a list that is newest first', async () => {
    const walked = await later(tradesApart(123), tradesApart(120), { isNewestFirst: true });
    expect(walked.landed.size).toBe(123);
    expect(walked.isCovered).toBe(true);
    expect(walked.pages).toBeLessThanOrEqual(3);
  });

  test('reports landed records that are no longer listed; they stay landed', async () => {
    const walked = await later(tradesApart(117), tradesApart(120));
    expect(walked.troubles).toEqual([
      {
        subject: 'disappeared',
        detail: '3 of 120 landed records are no longer listed; they stay in the books',
      },
    ]);
    expect(walked.landed.size).toBe(120);
  });

  test('detects at no cost that one trade disappeared and another was added at the end', async () => {
    const rows = [...tradesApart(101).slice(1), { id: 'newer', at: instant(200_000) }];
    const walked = await later(rows, tradesApart(101));
    expect(walked.landed).toContain('newer');
    expect(walked.subjects).toEqual(['disappeared']);
  });

  test('detects that one trade disappeared and another was added at the front of a list that is newest first', async () => {
    const rows = [
      ...tradesApart(101).filter(({ id }) => id !== 't40'),
      { id: 'newer', at: instant(200_000) },
    ];
    const walked = await later(rows, tradesApart(101), { isNewestFirst: true });
    expect(walked.landed).toContain('newer');
    expect(walked.subjects).toEqual(['disappeared']);
    expect(walked.isCovered).toBe(true);
  });

  test('over a list that is newest first, with the same total, costs two requests', async () => {
    const walked = await later(tradesApart(101), tradesApart(101), { isNewestFirst: true });
    expect([walked.offsets, walked.isCovered]).toEqual([[100, 0], true]);
  });

  test('that reads everything again finds a trade that replaced another', async () => {
    const rows = [...tradesApart(99), { id: 'other', at: instant(99_500) }];
    const walked = await walkList(tradeList(rows), idsOf(tradesApart(100)), { isFull: true });
    expect(walked.landed).toContain('other');
    expect(walked.subjects).toEqual(['disappeared']);
  });
});

describe('a list that shifts while it is read', () => {
  /** Every possible change before the nth request of a first walk over 120 trades. */
  const shifted = (happens: (list: TradeList) => void, nth: number) => {
    const trades = tradeList(tradesApart(120), { before: (now, list) => now === nth && happens(list) });
    return walkList(trades).then((walked) => ({ ...walked, listed: trades.list.rows }));
  };
  const happenings: Record<string, (list: TradeList) => void> = {
    'a trade at the end': (list) => add(list, 'new', 500_000),
    'sixty trades at the end': (list) => list.rows.push(...tradesApart(60, 1_000)),
    'a trade with an older time': (list) => add(list, 'late', 1_500),
    'a trade with the oldest time of all': (list) => add(list, 'first', -1),
    'a trade that goes from the front': (list) => take(list, 't1'),
    'a trade that goes from the end': (list) => take(list, 't118'),
  };

  for (const [what, happens] of Object.entries(happenings)) {
    for (const nth of [1, 2, 3]) {
      test(`loses nothing: ${what}, before request ${nth}`, async () => {
        const walked = await shifted(happens, nth);
        for (const { id } of walked.listed) expect(walked.landed).toContain(id);
        expect(walked.isCovered).toBe(true);
      });
    }
  }

  test('at every request, for ever, is not covered', async () => {
    const before = (nth: number, list: TradeList) => add(list, `late${nth}`, -nth);
    const walked = await walkList(tradeList(tradesApart(120), { before }));
    expect(walked.isCovered).toBe(false);
    expect(walked.subjects).toEqual(['total']);
  });
});

describe('a wrong count', () => {
  const ofThePage = (_: number, page: readonly Row[]) => page.length;

  for (const clamp of [LIMIT, 20]) {
    test(`equal to the page length, ${clamp} rows, is detected: all is read, and nothing is covered`, async () => {
      const walked = await walkList(tradeList(tradesApart(130), { clamp, totalOf: ofThePage }));
      expect(walked.ids.size).toBe(130);
      expect(walked.isCovered).toBe(false);
      expect(walked.subjects).toEqual(['total']);
    });
  }

  test('above the number of listed records is reported', async () => {
    const walked = await walkList(tradeList(tradesApart(60), { totalOf: (listed) => listed + 1 }));
    expect(walked.troubles).toEqual([
      {
        subject: 'total',
        detail: 'the gateway counts 61 records and lists 60 distinct ones, in every reading of the list',
      },
    ]);
    expect(walked.isCovered).toBe(false);
  });

  test('with an ignored offset does not loop for ever', async () => {
    const { fetch } = tradeList(tradesApart(130), { totalOf: () => 10 });
    const trades = { ...tradeList([]), fetch: () => fetch(0) };
    const walked = await walkList(trades, new Set(), { pagesMax: 50 });
    expect(walked.isCovered).toBe(false);
    expect(walked.subjects).toEqual(['total']);
  });
});

test('an ever growing total over a list that repeats itself ends with a finding', async () => {
  const rows = tradesApart(50);
  let pages = 0;
  const fetch = async () => {
    pages += 1;
    return { rows, total: 999_999_999, proof: null };
  };
  const facts = { idOf: (row: Row) => row.id, timeOf: (row: Row) => row.at, now: () => instant(0) };
  const { covers, troubles } = await drain(
    walkOffset({
      fetch,
      ...facts,
      known: 0,
      gone: 0,
      newest: null,
      isFull: false,
      pageLimit: LIMIT,
      pagesMax: 100,
    }),
  );
  expect([covers, troubles.map(({ subject }) => subject)]).toEqual([[], ['total']]);
  expect(pages).toBeLessThan(100);
});
