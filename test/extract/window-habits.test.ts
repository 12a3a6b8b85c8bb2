// The walk by window over gateways with habits of their own: coarse bounds, reduced limits. Nothing is lost in silence.
import { describe, expect, test } from 'vitest';
import { drain, instant, isInside, joined } from './drain.ts';
import { burst, type Movement, movement, movementList, walking } from './movement-list.ts';

const NOW = instant(3_600_000);

/** Movements one second apart, oldest first. */
const apart = (count: number): Movement[] =>
  Array.from({ length: count }, (_, nth) => movement(`m${nth}`, instant(nth * 1_000)));

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

describe('a window below landed records', () => {
  const rows = Array.from({ length: 350 }, (_, nth) => movement(`d${nth}`, instant(nth * 130)));
  const window = { from: null, to: instant(200 * 130, 1) };
  const above = rows.slice(201, 251).map(({ id, at: time }) => ({ id, time }));
  const walkedTo = async (bound: (to: string) => string, known = above) => {
    const list = movementList(rows);
    const fetch: typeof list.fetch = (query) => list.fetch({ ...query, to: query.to && bound(query.to) });
    const walked = await drain(walking(fetch, { window, above: known, pagesMax: 50 }));
    const lost = rows.filter(({ id, at: time }) => !walked.ids.has(id) && isInside(time, walked.covers));
    const subjects = walked.troubles.map(({ subject }) => subject);
    return { lost, subjects, covers: joined(walked.covers), requests: list.asked.length };
  };
  const whole = { lost: [], subjects: [], covers: [`the beginning to ${window.to}`] };

  test('begins at the lowest of them, at no cost', async () => {
    expect(await walkedTo((to) => to)).toEqual({ ...whole, requests: 3 });
  });

  test('is covered up to its end only if the gateway includes it', async () => {
    expect(await walkedTo((to) => to.replace(/\.\d+Z$/, '.000Z'))).toMatchObject(whole);
    const { lost, subjects, covers } = await walkedTo((to) => to.replace(/:\d\d\.\d+Z$/, ':00.000Z'));
    expect([lost, subjects, covers]).toEqual([[], ['window'], []]);
  });

  test('is requested without a bound if there are none', async () => {
    expect(await walkedTo((to) => to, [])).toMatchObject(whole);
  });

  test('is read although the lowest of them is gone', async () => {
    const gone = [{ id: 'gone', time: instant(200 * 130, 500) }, ...above];
    expect(await walkedTo((to) => to, gone)).toMatchObject(whole);
  });
});

describe('a gateway that reduces the limit without an error', () => {
  const reducedTo = async (
    most: number,
    rows: readonly Movement[],
    ask: Parameters<typeof walking>[1] = {},
  ) => {
    const list = movementList(rows);
    const fetch: typeof list.fetch = async (query) => {
      const page = await list.fetch(query);
      return { ...page, rows: page.rows.slice(0, most) };
    };
    return { ...(await drain(walking(fetch, { pagesMax: 100, ...ask }))), requests: list.asked.length };
  };
  const shownBy = ({ id, at: time }: Movement) => ({ id, time });

  for (const most of [10, 16, 20, 25, 50, 64])
    test(`to ${most} is noticed, and nothing is lost`, async () => {
      const walked = await reducedTo(most, apart(350));
      expect([walked.ids.size, walked.troubles]).toEqual([350, []]);
      expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
    });

  for (const most of [7, 37, 99]) {
    test(`to ${most} is noticed by a first walk`, async () => {
      const walked = await reducedTo(most, apart(150), { below: [] });
      expect([walked.ids.size, walked.troubles]).toEqual([150, []]);
      expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
    });

    test(`to ${most} is noticed in a window, by a record below it that does not show`, async () => {
      const window = { from: instant(200_000), to: null };
      const rows = apart(350).filter((_, nth) => nth < 100 || nth > 200);
      const below = rows.slice(99, 100).map(shownBy);
      const walked = await reducedTo(most, rows, { window, below });
      expect(rows.slice(100).filter(({ id }) => !walked.ids.has(id))).toEqual([]);
      expect([joined(walked.covers).length, walked.troubles]).toEqual([1, []]);
    });
  }

  test('is ruled out at no cost by a record below the window that shows, whatever the number of rows', async () => {
    const window = { from: instant(200_500), to: null };
    for (const count of [201, 202, 211, 251]) {
      const rows = apart(count);
      const walked = await reducedTo(100, rows, { window, below: rows.slice(200, 201).map(shownBy) });
      expect([walked.requests, joined(walked.covers)]).toEqual([1, [`${window.from} to ${NOW}`]]);
    }
  });

  test('is ruled out by one request more if the record below the window is gone, or there is none', async () => {
    const window = { from: instant(200_500), to: null };
    for (const below of [[{ id: 'gone', time: instant(200_100) }], []]) {
      const walked = await reducedTo(100, apart(206), { window, below });
      expect([walked.requests, joined(walked.covers)]).toEqual([2, [`${window.from} to ${NOW}`]]);
    }
  });

  test('is noticed in a window too, and requests nothing before it', async () => {
    const window = { from: instant(200_000), to: instant(300_000) };
    const walked = await reducedTo(50, apart(350), { window });
    expect(joined(walked.covers)).toEqual([`${window.from} to ${window.to}`]);
    expect(walked.ids.size).toBe(101);
  });

  test('splits an instant that fills such a page', async () => {
    const words = (nth: number) => ({ kind: nth % 2 === 0 ? 'deposit' : 'withdrawal' });
    const walked = await reducedTo(50, [...apart(5), ...burst(70, instant(100_000), words)]);
    expect([walked.ids.size, walked.troubles]).toEqual([75, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test.each([0, 500])('splits such a page if nothing is older than its instant (%i µs)', async (micros) => {
    const words = (nth: number) => ({ kind: nth % 2 === 0 ? 'deposit' : 'withdrawal' });
    const rows = burst(70, instant(100_000, micros), words).map((row) => ({
      ...row,
      shown: instant(100_000),
    }));
    const walked = await reducedTo(50, rows);
    expect([walked.ids.size, walked.troubles]).toEqual([70, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('is ruled out for as many rows of one instant and kind, once the gateway has returned a longer page', async () => {
    const list = movementList([...burst(10, instant(500_000)), ...apart(20)]);
    const window = { from: instant(400_000), to: instant(600_000) };
    const walked = await drain(walking(list.fetch, { window }));
    expect([walked.troubles, joined(walked.covers)]).toEqual([[], [`${window.from} to ${window.to}`]]);
    const alone = await drain(walking(movementList(burst(10, instant(500_000))).fetch, { window }));
    expect(alone.troubles.map(({ subject }) => subject)).toEqual(['gap']);
  });

  for (const most of [1, 3, 17]) {
    const ofOneInstant = burst(most + 1, instant(300_000), (nth) => ({
      kind: nth === 0 ? 'deposit' : 'withdrawal',
    }));
    const rows = [...apart(20), ...ofOneInstant];

    test(`to ${most} is noticed by a first walk whose newest instant fills a page`, async () => {
      const walked = await reducedTo(most, rows, { below: [] });
      const lost = rows.filter(({ id, at: time }) => !walked.ids.has(id) && isInside(time, walked.covers));
      expect(lost).toEqual([]);
      expect(walked.ids.size > most).toBe(true);
    });

    test(`to ${most} is noticed in a window of one instant, by a record below it that does not show`, async () => {
      const window = { from: instant(250_000), to: null };
      const walked = await reducedTo(most, rows, { window, below: rows.slice(19, 20).map(shownBy) });
      const lost = ofOneInstant.filter(
        ({ id, at: time }) => !walked.ids.has(id) && isInside(time, walked.covers),
      );
      expect(lost).toEqual([]);
    });
  }

  test('is not suspected for a page of one instant with nothing before it', async () => {
    const walked = await reducedTo(100, burst(3, instant(500_000)), { below: [] });
    expect([walked.requests, walked.troubles]).toEqual([3, []]);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('is noticed if only the oldest instant of a page is cut', async () => {
    const rows = [...burst(30, instant(0)), ...apart(40).slice(1)];
    const walked = await reducedTo(50, rows);
    expect([walked.ids.size, walked.troubles]).toEqual([69, []]);
  });

  test('cannot be ruled out without a readable time, or in a list out of order: a finding', async () => {
    const timeless = apart(60).map((row) => ({ ...row, shown: null as unknown as string }));
    const walk = walking(async () => ({ rows: timeless.slice(0, 50), proof: null }), { pagesMax: 50 });
    const unreadable = await drain(walk);
    expect([unreadable.covers, unreadable.troubles.map(({ subject }) => subject)]).toEqual([[], ['gap']]);
    const oldestFirst = movementList(apart(120));
    const fetch: typeof oldestFirst.fetch = async (query) => {
      const { rows, proof } = await oldestFirst.fetch(query);
      return { rows: rows.toReversed().slice(0, 50), proof };
    };
    const walked = await drain(walking(fetch, { window: { from: null, to: instant(60_000) }, pagesMax: 50 }));
    expect([walked.covers, walked.troubles[0]?.subject]).toEqual([[], 'order']);
  });

  test('cannot be ruled out if the gateway ignores the bound too: a finding, and nothing is lost', async () => {
    const rows = apart(120);
    const newest = rows.toReversed().slice(0, 25);
    const walked = await drain(walking(async () => ({ rows: newest, proof: null }), { pagesMax: 50 }));
    const lost = rows.filter(({ id, at: time }) => !walked.ids.has(id) && isInside(time, walked.covers));
    expect(lost).toEqual([]);
    expect(walked.troubles.map(({ subject }) => subject)).toContain('window');
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
