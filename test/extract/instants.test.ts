// An instant with more movements than one answer: split by the filters, and proved only if they prove it.
import { describe, expect, test } from 'vitest';
import { drain, instant, isInside, joined } from './drain.ts';
import { burst, type Movement, movement, movementList, RefusedFilter, walking } from './movement-list.ts';

const NOW = instant(3_600_000);
const FULL = instant(5_000);

/** Two movements above the instant and two below it. */
const around: Movement[] = [3_000, 4_000, 6_000, 7_000].map((ms) => movement(`at ${ms}`, instant(ms)));

const kinds = (nth: number): Partial<Movement> => ({ kind: nth % 2 === 0 ? 'deposit' : 'withdrawal' });
const coins = (nth: number): Partial<Movement> =>
  nth % 2 === 0 ? { coin: 'EUR', wallet: 'w-EUR' } : { coin: 'BTC', wallet: 'w-BTC' };

const walkedOver = (rows: readonly Movement[], ask: Parameters<typeof walking>[1] = {}) =>
  drain(walking(movementList([...around, ...rows]).fetch, ask));

describe('an instant that fills a page', () => {
  for (const size of [99, 100, 101, 150]) {
    test(`with ${size} movements is split by their type, and proved`, async () => {
      const walked = await walkedOver(burst(size, FULL, kinds));
      expect(walked.ids.size).toBe(size + 4);
      expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
      expect(walked.troubles).toEqual([]);
    });
  }

  test('with 400 movements is split by type, then by origin, then by currency', async () => {
    const rows = burst(400, FULL, (nth) => ({
      ...kinds(nth >> 2),
      origin: nth % 4 < 2 ? 'wallet' : 'bot',
      ...coins(nth),
    }));
    const walked = await walkedOver(rows);
    expect(walked.ids.size).toBe(404);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('at one microsecond is split together with its millisecond', async () => {
    const walked = await walkedOver(burst(150, instant(5_000, 250), kinds));
    expect(walked.ids.size).toBe(154);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('among finer times is split once, and the walk continues', async () => {
    const fine = [1, 2, 3].map((nth) => movement(`fine ${nth}`, instant(4_999, nth * 100)));
    const bits = (nth: number) => ({ ...kinds(nth), ...coins(nth >> 1) });
    const newer = burst(100, instant(5_000, 700), bits);
    const walked = await walkedOver([...fine, ...burst(150, FULL, bits), ...newer], { pagesMax: 50 });
    expect(walked.ids.size).toBe(257);
    expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
  });

  test('later than the clock covers nothing in the future', async () => {
    const walked = await walkedOver(burst(150, FULL, kinds), { now: instant(4_500) });
    expect(walked.ids.size).toBe(154);
    expect(joined(walked.covers)).toEqual([`the beginning to ${instant(4_500)}`]);
  });
});

describe('a millisecond of 250 movements at different microseconds', () => {
  const fine = Array.from({ length: 250 }, (_, nth) => movement(`fine ${nth}`, instant(5_000, nth * 4)));
  const walkedBy = async (bound: (to: string) => string, rows = fine) => {
    const list = movementList([...around, ...rows]);
    const fetch: typeof list.fetch = (query) => list.fetch({ ...query, to: query.to && bound(query.to) });
    const walked = await drain(walking(fetch, { pagesMax: 50 }));
    const lost = [...around, ...rows].filter(
      ({ id, at: time }) => !walked.ids.has(id) && isInside(time, walked.covers),
    );
    const subjects = walked.troubles.map(({ subject }) => subject);
    return {
      found: walked.ids.size,
      lost,
      subjects,
      covers: joined(walked.covers),
      requests: list.asked.length,
    };
  };

  test('is read by bounds as fine as its times, if the gateway compares so finely', async () => {
    const { requests, ...walked } = await walkedBy((to) => to);
    expect(walked).toEqual({ found: 254, lost: [], subjects: [], covers: [`the beginning to ${NOW}`] });
    expect(requests).toBeLessThanOrEqual(6);
  });

  test.each([
    ['cuts a bound to the millisecond', (to: string) => to.replace(/(\.\d{3})\d{3}Z/, '$1Z')],
    ['rounds a bound up to the millisecond', (to: string) => to.replace(/\.\d{3}\d{3}Z/, '.001Z')],
    ['rounds a bound up to ten microseconds', (to: string) => to.replace(/\d(?=Z)/, '9')],
    ['cuts a bound to a hundred microseconds', (to: string) => to.replace(/(\.\d{4})\d{2}Z/, '$100Z')],
  ])('is a gap at a gateway that %s, and nothing is claimed', async (_, bound) => {
    const { lost, subjects } = await walkedBy((to) => (/\.\d{6}Z/.test(to) ? bound(to) : to));
    expect([lost, subjects]).toEqual([[], ['gap']]);
  });

  test('is a gap if one microsecond of it fills a page', async () => {
    const rows = [...fine.slice(0, 120), ...burst(110, instant(5_000, 999))];
    const { lost, subjects } = await walkedBy((to) => to, rows);
    expect([lost, subjects]).toEqual([[], ['gap']]);
  });
});

describe('an instant that stays full', () => {
  const alike = burst(150, FULL);

  test('under every filter is a gap and a finding, and nothing else is lost', async () => {
    const walked = await walkedOver(alike);
    expect(walked.troubles).toEqual([
      {
        subject: 'gap',
        detail: `${instant(4_999)} to ${FULL}: at least 100 records, more than one page can return, even with every filter; completeness cannot be proved here`,
      },
    ]);
    expect(isInside(FULL, walked.covers)).toBe(false);
    for (const { id, at: time } of around) {
      expect(walked.ids).toContain(id);
      expect(isInside(time, walked.covers)).toBe(true);
    }
  });

  test('has a gap of exactly its millisecond', async () => {
    const walked = await walkedOver(alike);
    expect(joined(walked.covers)).toEqual([
      `${instant(5_000, 1)} to ${NOW}`,
      `the beginning to ${instant(4_999)}`,
    ]);
  });
});

describe('incomplete sets of filter words', () => {
  test('a movement with an unknown origin, which no cell shows, leaves the instant unproved', async () => {
    const rows = burst(101, FULL, (nth) => ({ ...kinds(nth), ...(nth === 7 ? { origin: 'lottery' } : {}) }));
    const many = burst(220, FULL, (nth) => ({ ...kinds(nth), origin: nth % 3 === 0 ? 'lottery' : 'wallet' }));
    expect((await walkedOver(rows)).troubles).toEqual([]); // the type alone splits it: the origin is not needed
    expect((await walkedOver(many)).troubles.map(({ subject }) => subject)).toEqual(['gap']);
  });

  test('without any known wallet the instant stays unproved', async () => {
    const walked = await walkedOver(burst(150, FULL, coins), { words: { coin: [], wallet: [] } });
    expect(walked.troubles.map(({ subject }) => subject)).toEqual(['gap']);
    expect(isInside(FULL, walked.covers)).toBe(false);
  });

  test('an unknown currency leaves the instant unproved, even if another one is complete', async () => {
    const rows = burst(160, FULL, (nth) => (nth < 90 ? coins(0) : { coin: 'XYZ', wallet: 'w-XYZ' }));
    const walked = await walkedOver(rows);
    expect(walked.troubles.map(({ subject }) => subject)).toEqual(['gap']);
  });
});

describe('a gateway that refuses a filter', () => {
  const rows = burst(190, FULL, (nth) => ({ ...kinds(nth >> 1), ...coins(nth) }));
  const walkedWithout = (isRefused: (filters: Readonly<Record<string, string>>) => boolean) => {
    const { fetch } = movementList([...around, ...rows]);
    return drain(
      walking(async (query) => {
        if (isRefused(query.filters)) throw new RefusedFilter();
        return fetch(query);
      }),
    );
  };

  test('still proves a full instant by the filters that it knows', async () => {
    for (const refused of ['kind', 'origin', 'coin']) {
      const walked = await walkedWithout((filters) => refused in filters);
      expect([walked.ids.size, walked.troubles]).toEqual([194, []]);
      expect(joined(walked.covers)).toEqual([`the beginning to ${NOW}`]);
    }
  });

  test('still proves it by the wallets if it does not know one of the currencies', async () => {
    const walked = await walkedWithout(({ kind, coin }) => kind !== undefined || coin === 'BTC');
    expect([walked.ids.size, walked.troubles]).toEqual([194, []]);
  });

  test('as it does every other one leaves a gap and a finding, and the walk continues', async () => {
    const walked = await walkedWithout((filters) => Object.keys(filters).length > 0);
    expect(walked.troubles.map(({ subject }) => subject)).toEqual(['gap']);
    expect(isInside(FULL, walked.covers)).toBe(false);
    for (const { at: time } of around) expect(isInside(time, walked.covers)).toBe(true);
  });
});
