// Pages of a list by offset that are on their way at once: the gateway serves them in any order, some only after a retry, and the
// list changes before each of them. A reading that proves the list has every record that was in it all the time.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { order } from '../../src/base/time.ts';
import { walkOffset } from '../../src/extract/offset.ts';
import type { OffsetPage } from '../../src/extract/offset-pages.ts';
import { type Dice, dice } from '../normalize/records.ts';
import { drain, instant, type Row } from './drain.ts';

const HISTORIES = 3_000;

/** A list that changes, and the ids that were in it all the time. */
const changingList = (d: Dice, count: number) => {
  const rows: Row[] = [];
  const away: Row[] = [];
  let made = 0;
  const add = (ms: number) => rows.push({ id: `t${made++}`, at: instant(ms, d.below(1_000)) });
  while (made < count) add(1_000 * made);
  const always = new Set(rows.map(({ id }) => id));
  const remove = (): Row[] => {
    const gone = rows.length === 0 ? [] : rows.splice(d.below(rows.length), 1);
    for (const { id } of gone) always.delete(id);
    return gone;
  };
  const addNew = () => add(1_000 * made);
  const addLate = () => add(d.below(1_000 * made + 1));
  const ways = [
    addNew,
    addLate,
    () => void remove(),
    () => {
      remove();
      d.of([addNew, addLate])();
    },
    () => void (away.length > 0 ? rows.push(...away.splice(0, 1)) : away.push(...remove())), // the same record again
  ];
  const chosen = d.below(2) === 0 ? [d.of(ways)] : ways;
  return { rows, always, change: () => d.of(chosen)() };
};

type Request = { readonly offset: number; readonly answer: (page: OffsetPage<Row, null>) => void };

/** Takes the first item, or any. */
const takeOne = <Item>(d: Dice, items: Item[]): Item =>
  items.splice(d.of([0, d.below(items.length)]), 1)[0] as Item;

const walkedFrom = async (seed: number) => {
  const d = dice(seed);
  const pageLimit = d.of([2, 3, 5, 8]);
  const list = changingList(d, d.below(pageLimit * 8));
  const [restless, isNewestFirst, isFull] = [d.of([1, 3, 8]), d.below(3) === 0, d.below(2) === 0];
  let [changes, most, isDone] = [d.of([5, 20, 60]), 0, false];
  const [requests, answers]: [Request[], (() => void)[]] = [[], []];
  const fetch = (offset: number) =>
    new Promise<OffsetPage<Row, null>>((answer) => {
      most = Math.max(most, requests.push({ offset, answer }));
    });
  const serve = ({ offset, answer }: Request) => {
    for (; changes > 0 && d.below(10) < restless; changes -= 1) list.change();
    const sorted = list.rows.toSorted((a, b) => order(a.at, b.at));
    if (isNewestFirst) sorted.reverse();
    const page = { rows: sorted.slice(offset, offset + pageLimit), total: sorted.length, proof: null };
    answers.push(() => answer(page));
  };
  const facts = {
    idOf: ({ id }: Row) => id,
    timeOf: (row: Row) => row.at,
    now: () => instant(0),
    newest: null,
  };
  const walk = drain(walkOffset({ ...facts, fetch, known: 0, gone: 0, isFull, pageLimit })).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await setImmediate();
    const isServed = requests.length > 0 && (answers.length === 0 || d.below(2) === 0);
    if (isServed && d.below(10) === 0) requests.push(takeOne(d, requests)); // a retry, which reads another state
    if (isServed) serve(takeOne(d, requests));
    else if (answers.length > 0) takeOne(d, answers)();
  }
  const { covers, troubles, ids } = await walk;
  const lost = [...list.always].filter((id) => !ids.has(id));
  return { seed, isProved: covers.length > 0, troubles, lost, most };
};

const histories: Awaited<ReturnType<typeof walkedFrom>>[] = [];
for (let seed = 1; seed <= HISTORIES; seed += 1) histories.push(await walkedFrom(seed));

test('a list that is proved has lost nothing, and one that is not proved says so', () => {
  const wrong = histories.filter(({ isProved, lost, troubles }) =>
    isProved ? lost.length > 0 : troubles.length === 0,
  );
  expect(wrong).toEqual([]);
});

test('most of them are proved, and pages are on their way at once', () => {
  expect(histories.filter(({ isProved }) => isProved).length).toBeGreaterThan(0.8 * HISTORIES);
  expect(histories.filter(({ most }) => most === 3).length).toBeGreaterThan(HISTORIES / 3);
});
