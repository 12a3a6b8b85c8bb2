// The walk by cursor over lists in memory: newest first, each page leads to the next, and a killed walk can resume.
import { describe, expect, test } from 'vitest';
import { type CursorPage, type CursorWalk, readPlace, walkCursor } from '../../src/extract/cursor.ts';
import { isSendable } from '../../src/gateway/target.ts';
import { drain, instant, joined, type Row } from './drain.ts';

const NOW = instant(3_600_000);

/** Wallet transactions one second apart, newest first, in pages of five. */
const newestFirst = (count: number): Row[] =>
  Array.from({ length: count }, (_, nth) => ({ id: `w${nth}`, at: instant((count - nth) * 1_000) }));

type Pages = readonly {
  readonly rows: readonly Row[];
  readonly next: string | null;
  readonly hasNextPage?: boolean;
}[];

const pagesOf = (rows: readonly Row[], size = 5): Pages => {
  const count = Math.max(1, Math.ceil(rows.length / size));
  return Array.from({ length: count }, (_, nth) => ({
    rows: rows.slice(nth * size, (nth + 1) * size),
    next: nth + 1 < count ? `c${nth + 1}` : null,
  }));
};

type Ask = {
  place?: string | null;
  until?: string | null;
  killedAfter?: number;
  pagesMax?: number;
  now?: string;
};

/** Walks pages whose cursors contain their index: c1 leads to the second. */
const walked = async (
  pages: Pages,
  { place = null, until = null, killedAfter, now = NOW, ...rest }: Ask = {},
) => {
  const cursors: (string | null)[] = [];
  const fetch = async (cursor: string | null): Promise<CursorPage<Row, null>> => {
    cursors.push(cursor);
    const page = pages[cursor === null ? 0 : Number(cursor.slice(1))];
    if (!page) throw new Error(`no such cursor: ${cursor}`);
    return { ...page, proof: null };
  };
  const timeOf = (row: Row) => row.at;
  const facts = { timeOf, idOf: (row: Row) => row.id, isSendable };
  const walk = walkCursor({ fetch, ...facts, place: readPlace(place), until, now: () => now, ...rest });
  return { ...(await drain(walk, new Set(), killedAfter)), asked: cursors };
};

describe('a walk to the end', () => {
  for (const count of [0, 1, 5, 6, 23]) {
    test(`over ${count} records reads all and covers everything before it began`, async () => {
      const walk = await walked(pagesOf(newestFirst(count)));
      expect(walk.ids.size).toBe(count);
      expect(joined(walk.covers)).toEqual([`the beginning to ${NOW}`]);
      expect(walk.resume).toBe(null);
      expect(walk.troubles).toEqual([]);
    });
  }

  test('ends at a page without a cursor', async () => {
    const walk = await walked([{ rows: newestFirst(5), next: null }]);
    expect(walk.asked).toEqual([null]);
    expect(walk.covers).toHaveLength(1);
  });

  test('that needs more pages than the limit fails instead of running for ever', async () => {
    const walk = walked(pagesOf(newestFirst(23)), { pagesMax: 2 });
    await expect(walk).rejects.toThrow('a cursor walk of more than 2 pages');
  });
});

describe('a walk until an instant', () => {
  test('stops at the first page that passes it, and covers from there', async () => {
    const until = instant(12_500);
    const walk = await walked(pagesOf(newestFirst(23)), { until });
    expect(walk.asked).toHaveLength(3);
    expect(joined(walk.covers)).toEqual([`${until} to ${NOW}`]);
    expect(walk.resume).toBe(null);
  });

  test('continues if the last record is of that very instant, because there may be more', async () => {
    const walk = await walked(pagesOf(newestFirst(23)), { until: instant(14_000) });
    expect(walk.asked).toHaveLength(3);
  });

  test('reads to the end if the list is out of order, because an older time proves nothing', async () => {
    const rows = newestFirst(23);
    [rows[1], rows[7]] = [rows[7] as Row, rows[1] as Row];
    const walk = await walked(pagesOf(rows), { until: instant(20_500) });
    expect(walk.ids.size).toBe(23);
    expect(joined(walk.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('detects a list out of order across pages', async () => {
    const rowAt = (second: number): Row => ({ id: `w${second}`, at: instant(second * 1_000) });
    const rows = [10, 9, 8, 7, 6, 12, 11, 3, 2, 1, 5].map(rowAt);
    const walk = await walked(pagesOf(rows), { until: instant(5_500) });
    expect(walk.asked).toHaveLength(3);
    expect(joined(walk.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('goes on after an empty page that has a cursor', async () => {
    const rows = newestFirst(9);
    const [first, second, third] = [rows.slice(0, 4), rows.slice(4, 8), rows.slice(8)];
    const walk = await walked([
      { rows: first, next: 'c1' },
      { rows: [], next: 'c2' },
      { rows: second, next: 'c3' },
      { rows: [], next: 'c4' },
      { rows: third, next: null },
    ]);
    expect([walk.troubles, walk.ids.size]).toEqual([[], 9]);
    expect(joined(walk.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('later than the clock covers nothing', async () => {
    const walk = await walked(pagesOf(newestFirst(23)), { until: instant(20_500), now: instant(20_000) });
    expect(walk.covers).toEqual([]);
  });
});

describe('a gateway that violates its contract', () => {
  test('with a repeated cursor is detected: the list is not covered', async () => {
    const rows = newestFirst(15);
    const walk = await walked([
      { rows: rows.slice(0, 5), next: 'c1' },
      { rows: rows.slice(5, 10), next: 'c2' },
      { rows: rows.slice(10), next: 'c1' },
    ]);
    expect(walk.troubles).toEqual([
      { subject: 'cursor', detail: 'a cursor came back: the list was not read to its end' },
    ]);
    expect(walk.covers).toEqual([]);
    expect(walk.ids.size).toBe(15);
    expect(walk.resume).toBe(null);
  });

  test('that announces more without a cursor is detected', async () => {
    const walk = await walked([{ rows: newestFirst(5), next: null, hasNextPage: true }]);
    expect(walk.troubles[0]?.detail).toBe(
      'a page that promises more and gives no cursor: the list was not read to its end',
    );
    expect(walk.covers).toEqual([]);
  });

  test('that announces more after page after page without a record is detected', async () => {
    const empty = Array.from({ length: 5 }, (_, nth) => ({ rows: [], next: `c${nth + 2}` }));
    const walk = await walked([{ rows: newestFirst(5), next: 'c1' }, ...empty]);
    expect(walk.troubles).toEqual([
      {
        subject: 'cursor',
        detail:
          '5 pages in a row brought nothing that was not shown before: the list was not read to its end',
      },
    ]);
    expect(walk.covers).toEqual([]);
  });
});

describe('a walk that was killed', () => {
  test('resumes at the cursor of its last page, and covers up to its start', async () => {
    const pages = pagesOf(newestFirst(23));
    const killed = await walked(pages, { killedAfter: 2, now: instant(100_000) });
    expect(killed.covers).toEqual([]);
    const resumed = await walked(pages, { place: killed.resume });
    expect(resumed.asked).toEqual(['c2', 'c3', 'c4']);
    expect(new Set([...killed.ids, ...resumed.ids]).size).toBe(23);
    expect(joined(resumed.covers)).toEqual([`the beginning to ${instant(100_000)}`]);
  });

  test('proves nothing if its cursor leads to an empty end: the gateway may have forgotten it', async () => {
    const { resume } = await walked(pagesOf(newestFirst(23)), { killedAfter: 2 });
    const forgotten = pagesOf(newestFirst(23)).map((page, nth) =>
      nth === 2 ? { rows: [], next: null } : page,
    );
    const resumed = await walked(forgotten, { place: resume });
    expect([resumed.asked, resumed.covers, resumed.resume]).toEqual([['c2'], [], null]);
  });

  test('reads to the end if the list was out of order before', async () => {
    const rowAt = (second: number): Row => ({ id: `w${second}`, at: instant(second * 1_000) });
    const rows = [20, 3, 19, 18, 17, 16, 15, 14, 4, 2, 13, 12].map(rowAt);
    const { resume } = await walked(pagesOf(rows), { until: instant(5_500), killedAfter: 1 });
    const resumed = await walked(pagesOf(rows), { place: resume });
    expect(resumed.asked).toEqual(['c1', 'c2']);
    expect(joined(resumed.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('reads to the end if the list is out of order where it was killed', async () => {
    const rowAt = (second: number): Row => ({ id: `w${second}`, at: instant(second * 1_000) });
    const rows = [20, 19, 18, 17, 6, 15, 14, 13, 12, 5, 16, 4].map(rowAt);
    const { resume } = await walked(pagesOf(rows), { until: instant(5_500), killedAfter: 1 });
    const resumed = await walked(pagesOf(rows), { place: resume });
    expect(resumed.asked).toEqual(['c1', 'c2']);
    expect(joined(resumed.covers)).toEqual([`the beginning to ${NOW}`]);
  });
});

describe('an invalid cursor', () => {
  const endless = (rows: (nth: number) => Row[], next: (nth: number) => string): CursorWalk<Row, null> => {
    let nth = 0;
    return {
      fetch: async () => {
        nth += 1;
        return { rows: rows(nth), next: next(nth), proof: null };
      },
      timeOf: (row: Row) => row.at,
      idOf: (row: Row) => row.id,
      isSendable,
      place: null,
      until: null,
      now: () => NOW,
      pagesMax: 50,
    };
  };

  test('ends if page after page repeats earlier records of the walk', async () => {
    const same = newestFirst(3);
    const walk = await drain(
      walkCursor(
        endless(
          () => same,
          (nth) => `c${nth}`,
        ),
      ),
    );
    expect([walk.pages, walk.covers, walk.resume]).toEqual([6, [], null]);
    expect(walk.troubles).toEqual([
      {
        subject: 'cursor',
        detail: expect.stringMatching(
          /^5 pages in a row brought nothing that was not shown before: the list was not/,
        ),
      },
    ]);
  });

  test('records landed before do not count as repeated', async () => {
    const rows = newestFirst(23);
    const { troubles, covers } = await walked(pagesOf(rows));
    expect([troubles, covers.length]).toEqual([[], 1]);
  });

  test.each(['a\u0000b', 'half \ud800', 'x'.repeat(2_001)])('ends if it cannot be sent', async (cursor) => {
    const walk = await drain(
      walkCursor(
        endless(
          () => newestFirst(3),
          () => cursor,
        ),
      ),
    );
    expect([walk.pages, walk.covers]).toEqual([1, []]);
    expect(walk.troubles[0]?.detail).toMatch(/^a cursor that cannot be sent back: /);
  });
});
