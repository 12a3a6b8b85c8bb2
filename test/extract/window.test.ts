// The walk by window over lists in memory: nothing is lost, and its coverage is correct.
import { describe, expect, test } from 'vitest';
import { drain, instant, isInside, joined } from './drain.ts';
import { type Movement, movement, movementList, walking } from './movement-list.ts';

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
