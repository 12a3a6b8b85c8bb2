// The walk by window over lists in memory: nothing is lost, and its coverage is correct.
import { describe, expect, test } from 'vitest';
import type { Interval } from '../../src/extract/step.ts';
import { drain, instant, isInside, joined } from './drain.ts';
import { burst, type Movement, movement, movementList, walking } from './movement-list.ts';

const NOW = instant(3_600_000);

/** Movements one second apart, oldest first. */
const apart = (count: number): Movement[] =>
  Array.from({ length: count }, (_, nth) => movement(`m${nth}`, instant(nth * 1_000)));

describe('a first walk', () => {
  for (const [count, requests] of [
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 2],
    [101, 2],
    [250, 3],
  ] as const) {
    test(`over ${count} movements yields all of them and covers everything before now`, async () => {
      const list = movementList(apart(count));
      const walked = await drain(walking(list.fetch));
      expect(walked.ids.size).toBe(count);
      expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
      expect(walked.troubles).toEqual([]);
      expect(list.asked).toHaveLength(requests);
    });
  }

  test('reads the instant at the edge of a page again, so that its other movements are not lost', async () => {
    const edge = [1, 2, 3, 4].map((nth) => movement(`edge${nth}`, instant(0)));
    const above = apart(99).map((row, nth) => ({
      ...row,
      at: instant(1_000 + nth),
      shown: instant(1_000 + nth),
    }));
    const walked = await drain(walking(movementList([...edge, ...above]).fetch));
    expect([...walked.ids].filter((id) => id.startsWith('edge'))).toHaveLength(4);
    expect(walked.ids.size).toBe(103);
  });

  test('that is killed before the second page keeps what the first proved', async () => {
    const list = movementList(apart(250));
    const walked = await drain(walking(list.fetch), new Set(), 1);
    expect(walked.covers.map(({ from, to }) => [from, to])).toEqual([[instant(150_000, 1), NOW]]);
  });

  test('that needs more pages than the limit fails instead of running for ever', async () => {
    const walk = walking(movementList(apart(250)).fetch, { pagesMax: 2 });
    await expect(drain(walk)).rejects.toThrow('a window walk of more than 2 pages');
  });
});

describe('a walk of a window with both bounds', () => {
  const window = { from: instant(20_000), to: instant(180_000) };

  test('requests nothing outside it, and covers it exactly', async () => {
    const list = movementList(apart(250));
    const walked = await drain(walking(list.fetch, { window }));
    expect(joined(walked.covers)).toEqual([`${window.from} to ${window.to}`]);
    expect(list.asked.every(({ from }) => from === window.from)).toBe(true);
    for (const { id, at: time } of apart(250)) if (isInside(time, [window])) expect(walked.ids).toContain(id);
  });

  test('with bounds finer than a millisecond requests the milliseconds around them', async () => {
    const fine = { from: instant(20_000, 400), to: instant(180_000, 700) };
    const list = movementList(apart(250));
    const walked = await drain(walking(list.fetch, { window: fine }));
    expect(list.asked[0]).toMatchObject({ from: instant(20_000), to: instant(180_001) });
    expect(joined(walked.covers)).toEqual([`${fine.from} to ${fine.to}`]);
  });
});

describe('a clock behind the records', () => {
  test('covers nothing later than itself', async () => {
    const walked = await drain(walking(movementList(apart(250)).fetch, { now: instant(100_500) }));
    expect(walked.ids.size).toBe(250);
    expect(joined(walked.covers)).toEqual([`the beginning to ${instant(100_500)}`]);
  });

  test('that is before the window covers nothing', async () => {
    const window = { from: instant(50_000), to: null };
    const walked = await drain(walking(movementList(apart(10)).fetch, { window, now: instant(0) }));
    expect(walked.covers).toEqual([]);
  });
});

describe('times finer than a millisecond', () => {
  /** 250 movements, 0.3 ms apart. */
  const fine = Array.from({ length: 250 }, (_, nth) => {
    const micros = nth * 300;
    return movement(`f${nth}`, instant(Math.floor(micros / 1_000), micros % 1_000));
  });

  test('are walked without a loss', async () => {
    const walked = await drain(walking(movementList(fine).fetch));
    expect(walked.ids.size).toBe(250);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('that the gateway compares but does not show are detected, and nothing is lost', async () => {
    const rows = fine.map((row) => ({ ...row, shown: row.at.replace(/(\.\d{3})\d*Z/, '$1Z') }));
    const walked = await drain(walking(movementList(rows).fetch));
    expect(walked.ids.size).toBe(250);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });
});

describe('a gateway that compares the upper bound', () => {
  /** 350 movements, 0.13 s apart. */
  const dense = Array.from({ length: 350 }, (_, nth) => movement(`d${nth}`, instant(nth * 130)));
  /** A walk over rows, and the ids that the coverage claims and the walk did not yield. */
  const walkedBy = async (rows: readonly Movement[], bound: (to: string) => string) => {
    const list = movementList(rows);
    const walk = walking((query) => list.fetch({ ...query, to: query.to && bound(query.to) }), {
      pagesMax: 50,
    });
    const walked = await drain(walk);
    const lost = rows.filter(({ id, at: time }) => !walked.ids.has(id) && isInside(time, walked.covers));
    return { ...walked, lost, subjects: walked.troubles.map(({ subject }) => subject) };
  };

  test('in whole seconds loses nothing', async () => {
    const walked = await walkedBy(dense, (to) => to.replace(/\.\d+Z$/, '.000Z'));
    expect([walked.ids.size, walked.troubles]).toEqual([350, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('in whole minutes loses nothing where a page is longer than a minute', async () => {
    const rows = apart(350).map((row, nth) => movement(row.id, instant(nth * 3_700)));
    const walked = await walkedBy(rows, (to) => to.replace(/:\d\d\.\d+Z$/, ':00.000Z'));
    expect([walked.ids.size, walked.troubles]).toEqual([350, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('in whole minutes is a finding where a page is shorter, and what it skips is not covered', async () => {
    const walked = await walkedBy(dense, (to) => to.replace(/:\d\d\.\d+Z$/, ':00.000Z'));
    expect([walked.lost, walked.subjects]).toEqual([[], ['window']]);
    expect(walked.troubles[0]?.detail).toMatch(/^asked for records up to .*Z, the gateway left out those/);
  });

  test('in whole seconds, with more movements in one than a page holds, is a finding and ends', async () => {
    const rows = Array.from({ length: 350 }, (_, nth) => movement(`d${nth}`, instant(200 + nth)));
    const walked = await walkedBy(rows, (to) => to.replace(/\.\d+Z$/, '.000Z'));
    expect([walked.lost, walked.subjects]).toEqual([[], ['window']]);
  });

  test('as it should is not suspected because a movement at the bound is gone', async () => {
    const lists = [apart(250), apart(250).filter(({ id }) => id !== 'm150')].map(movementList);
    const walk = walking((query) => (lists[query.to === null ? 0 : 1] as (typeof lists)[0]).fetch(query));
    const walked = await drain(walk);
    expect([walked.ids.size, walked.troubles]).toEqual([250, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });
});

describe('a gateway that reduces the limit without an error', () => {
  const reducedTo = (most: number, rows: readonly Movement[], window?: Interval) => {
    const list = movementList(rows);
    const fetch: typeof list.fetch = async (query) => {
      const page = await list.fetch(query);
      return { ...page, rows: page.rows.slice(0, most) };
    };
    return drain(walking(fetch, { pagesMax: 100, ...(window && { window }) }));
  };

  for (const most of [10, 16, 20, 25, 50, 64])
    test(`to ${most} is noticed, and nothing is lost`, async () => {
      const walked = await reducedTo(most, apart(350));
      expect([walked.ids.size, walked.troubles]).toEqual([350, []]);
      expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
    });

  test('is noticed in a window too, and requests nothing before it', async () => {
    const window = { from: instant(200_000), to: instant(300_000) };
    const walked = await reducedTo(50, apart(350), window);
    expect(joined(walked.covers)).toEqual([`${window.from} to ${window.to}`]);
    expect(walked.ids.size).toBe(101);
  });

  test('splits an instant that fills such a page', async () => {
    const words = (nth: number) => ({ kind: nth % 2 === 0 ? 'deposit' : 'withdrawal' });
    const walked = await reducedTo(50, [...apart(5), ...burst(70, instant(100_000), words)]);
    expect([walked.ids.size, walked.troubles]).toEqual([75, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('is ruled out by one request if a whole window has a round number of movements', async () => {
    for (const [count, requests] of [
      [20, 2],
      [21, 1],
      [5, 1],
    ] as const) {
      const list = movementList([...apart(count), ...burst(30, instant(-10_000))]);
      const walk = walking(list.fetch, { window: { from: instant(-5_000), to: null } });
      expect(joined((await drain(walk)).covers)).toEqual([`${instant(-5_000)} to ${NOW}`]);
      expect(list.asked).toHaveLength(requests);
    }
  });
});

describe('a gateway that violates its contract', () => {
  test('that lists oldest first is detected, and proves nothing', async () => {
    const rows = apart(250);
    const fetch = async () => ({ rows: rows.slice(0, 100), proof: null });
    const walked = await drain(walking(fetch));
    expect(walked.covers).toEqual([]);
    expect(walked.troubles[0]?.subject).toBe('order');
  });

  test('that ignores the upper bound is detected, and the walk ends', async () => {
    const newest = apart(250).reverse().slice(0, 100);
    const fetch = async () => ({ rows: newest, proof: null });
    const walked = await drain(walking(fetch, { pagesMax: 500 }));
    expect(walked.troubles.map(({ subject }) => subject)).toContain('window');
    expect(joined(walked.covers)).toEqual([`${instant(150_000, 1)} to ${NOW}`]);
  });

  test('that sends a full page without a readable time leaves a gap, and the page is landed', async () => {
    const fetch = async () => ({
      rows: apart(100).map((row) => ({ ...row, shown: null as unknown as string })),
      proof: null,
    });
    const walked = await drain(walking(fetch));
    expect(walked.ids.size).toBe(100);
    expect(walked.covers).toEqual([]);
    expect(walked.troubles.map(({ subject }) => subject)).toEqual(['gap']);
  });
});
