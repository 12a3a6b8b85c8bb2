// The time limit of one list: a walk that needs another page after it ends with a fault, and the next reading resumes.
import { expect, test } from 'vitest';
import { foreseeing } from '../../src/extract/ahead.ts';
import { readPlace, walkCursor } from '../../src/extract/cursor.ts';
import { walkOffset } from '../../src/extract/offset.ts';
import type { Walk } from '../../src/extract/step.ts';
import { listTime } from '../../src/extract/time-limit.ts';
import { drain, instant, isInside, joined, type Row } from './drain.ts';
import { movement, movementList, walking } from './movement-list.ts';
import { LIMIT, NOW, tradeList, tradesApart } from './trade-list.ts';

const PAGE_MS = 60_000;

/** A list of trades of which nothing is known. */
const TRADES = {
  idOf: (row: Row) => row.id,
  timeOf: (row: Row) => row.at,
  known: 0,
  gone: 0,
  newest: null,
  isFull: false,
  now: () => NOW,
  pageLimit: LIMIT,
};

/** A list's time on a clock that every page advances by a minute. */
const timeOf = (list: string, minutes: number) => {
  let nowMs = 0;
  const time = listTime({ list, limitMs: minutes * PAGE_MS, clockMs: () => nowMs, advice: 'do this' });
  const timed =
    <Query, Page>(fetch: (query: Query) => Promise<Page>) =>
    (query: Query): Promise<Page> =>
      time.fetch(async () => {
        nowMs += PAGE_MS;
        return fetch(query);
      });
  return { time, timed };
};

const ended = (list: string, pages: number, minutes: number) => [
  {
    subject: 'time',
    detail:
      `${list}: ${pages} pages read in ${minutes} minutes, the time limit of one list, without reaching its end: ` +
      'landed records are stored, the rest is not proved, and the next run continues there; do this',
  },
];

test('an endless cursor list: what was read stays, nothing is proved, the next reading resumes there', async () => {
  const cursors: (string | null)[] = [];
  const fetch = async (cursor: string | null) => {
    const nth = cursors.push(cursor);
    const rows: Row[] = [{ id: `w${cursor}`, at: instant(1_000_000 - nth) }];
    return { rows, next: `c${Number(cursor?.slice(1) ?? 0) + 1}`, hasNextPage: true, proof: null };
  };
  const read = (place: string | null) => {
    const { time, timed } = timeOf('wallet-transactions of main', 4);
    const walk = walkCursor({
      fetch: timed(fetch),
      timeOf: (row: Row) => row.at,
      idOf: (row: Row) => row.id,
      isSendable: () => true,
      place: readPlace(place),
      until: null,
      now: () => NOW,
    });
    return drain(time.within(walk)).then((drained) => ({ ...drained, isOver: time.isOver() }));
  };
  const first = await read(null);
  expect(first).toMatchObject({ pages: 4, covers: [], isOver: true });
  expect(first.troubles).toEqual(ended('wallet-transactions of main', 4, 4));
  await read(first.resume);
  expect(cursors).toEqual([null, 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7']);
});

test('a window is proved as far as it was read, and the rest by the next reading', async () => {
  const rows = Array.from({ length: 450 }, (_, nth) => movement(`m${nth}`, instant(nth * 1_000)));
  const { fetch } = movementList(rows);
  const { time, timed } = timeOf('movements of main', 2);
  const first = await drain(time.within(walking(timed(fetch))));
  expect(first.troubles).toEqual(ended('movements of main', 2, 2));
  expect(first.covers.length).toBeGreaterThan(0);
  for (const { id, at: createdAt } of rows)
    if (isInside(createdAt, first.covers)) expect(first.ids).toContain(id);
  const to = first.covers.at(-1)?.from ?? null;
  expect(to).not.toBe(null);
  const second = await drain(walking(fetch, { window: { from: null, to } }));
  expect(joined([...first.covers, ...second.covers])).toEqual([`the beginning to ${instant(3_600_000)}`]);
  expect(new Set([...first.ids, ...second.ids]).size).toBe(450);
});

test('a list by offset resumes after the landed records', async () => {
  const { fetch, asked: offsets } = tradeList(tradesApart(LIMIT * 5));
  const landed = new Set<string>();
  const read = (minutes: number) => {
    const { time, timed } = timeOf('trades of main', minutes);
    const walk = walkOffset({
      fetch: timed(fetch),
      ...TRADES,
      known: landed.size,
    });
    return drain(time.within(walk), landed);
  };
  expect(await read(2)).toMatchObject({ covers: [], troubles: ended('trades of main', 2, 2) });
  const pages = offsets.length;
  expect((await read(60)).covers).toHaveLength(1);
  expect(Math.min(...offsets.slice(pages))).toBeGreaterThanOrEqual(LIMIT);
  expect(landed.size).toBe(LIMIT * 5);
});

test('a list whose last page used up its time is complete, though others were requested before their turn', async () => {
  const { fetch } = tradeList(tradesApart(LIMIT));
  const { time, timed } = timeOf('trades of main', 1);
  const pageAt = foreseeing(timed(fetch));
  const onePage = async function* (): Walk<Row, null> {
    const page = await pageAt(0, []);
    const next = pageAt(LIMIT, []);
    yield { page: { ...page, isFull: false } };
    await expect(next).rejects.toThrow();
  };
  expect((await drain(time.within(onePage()))).troubles).toEqual([]);
  expect(time.isOver()).toBe(false);
});

test('a list that ends with the page that used up its time is complete, and one page is always read', async () => {
  const { fetch, asked: requests } = movementList([movement('m1', instant(1_000))]);
  const { time, timed } = timeOf('movements of main', 1);
  const drained = await drain(time.within(walking(timed(fetch))));
  expect(drained).toMatchObject({ troubles: [], covers: [{ from: null, proof: 'window' }] });
  expect([requests.length, time.isOver()]).toEqual([1, false]);
});

test('other failures are unchanged', async () => {
  const { time } = timeOf('trades of main', 1);
  const walk = walkOffset({
    fetch: () => time.fetch(() => Promise.reject(new Error('weather'))),
    ...TRADES,
  });
  await expect(drain(time.within(walk))).rejects.toThrow('weather');
  expect(time.isOver()).toBe(false);
});
