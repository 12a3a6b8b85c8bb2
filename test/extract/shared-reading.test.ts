// A reading of everything by offset that takes longer than a night: the next one goes on where it stopped, and what is proved is true
// whatever the list does meanwhile.
import { expect, test } from 'vitest';
import { walkOffset } from '../../src/extract/offset.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { instant, type Row } from './drain.ts';
import { LIMIT, NOW, type TradeList, tradeList, tradesApart } from './trade-list.ts';

/** The books of one list, over nights. */
const booksOf = (landed: readonly Row[]) => ({
  landed: new Set(landed.map(({ id }) => id)),
  gone: 0,
  place: null as string | null,
  /** What the nights since the last complete reading have shown. */
  shown: new Set<string>(),
});

type Books = ReturnType<typeof booksOf>;

/** A full reading that is cut after so many pages; returns the offsets requested, and how it ended. */
const night = async (books: Books, rows: readonly Row[], habits: Partial<TradeList> & { pages?: number }) => {
  const { pages = 1_000, ...rest } = habits;
  const { fetch, asked: offsets } = tradeList(rows, rest);
  const { landed, gone, place } = books;
  const facts = { known: landed.size, gone, newest: null, isFull: true, place, pageLimit: LIMIT };
  const walk = walkOffset({
    fetch,
    ...facts,
    now: () => NOW,
    idOf: ({ id }: Row) => id,
    timeOf: (row: Row) => row.at,
  });
  let [read, end] = [0, 'cut'];
  for (let next = await walk.next({ fresh: 0 }); ; ) {
    if (next.done) return { offsets, end: end === 'cut' ? 'unproved' : end };
    const { page, covers, trouble, resume } = next.value;
    const before = landed.size;
    for (const { id } of page?.rows ?? []) {
      landed.add(id);
      books.shown.add(id);
    }
    if (resume !== undefined) books.place = resume;
    if (covers) books.gone = landed.size - (covers.total ?? 0);
    if (covers) end = 'proved';
    if (trouble) end += ` ${trouble.subject}`;
    read += page === undefined ? 0 : 1;
    if (read >= pages) return { offsets: offsets.slice(0, read), end };
    next = await walk.next({ fresh: landed.size - before });
  }
};

test('is completed by the next nights, each of which begins with what is new', async () => {
  const rows = tradesApart(300);
  const books = booksOf(rows);
  expect(await night(books, rows, { pages: 4 })).toEqual({ offsets: [299, 0, 49, 98], end: 'cut' });
  const more = [...rows, ...tradesApart(10, 300)];
  expect(await night(books, more, { pages: 3 })).toEqual({ offsets: [299, 147, 196], end: 'cut' });
  expect(await night(books, more, {})).toEqual({ offsets: [309, 245, 294], end: 'proved' });
  expect([books.shown.size, books.landed.size, books.place]).toEqual([310, 310, null]);
});

test('is completed also if records came late into the part that was read, or went from the part that was not', async () => {
  const rows = tradesApart(300);
  const books = booksOf(rows);
  await night(books, rows, { pages: 4 });
  const late = { id: 'late', at: instant(500) };
  const { end } = await night(books, [...rows, late], {});
  expect([end, books.landed.has('late')]).toEqual(['proved', true]);
  await night(books, [...rows, late], { pages: 4 });
  const left = [...rows, late].filter(({ id }) => id !== 't250');
  expect((await night(books, left, {})).end).toBe('proved disappeared');
  expect(books.gone).toBe(1);
});

test('begins anew if a record went from the part that was read', async () => {
  const rows = tradesApart(300);
  const books = booksOf(rows);
  await night(books, rows, { pages: 4 });
  const { offsets, end } = await night(books, rows.slice(1), {});
  expect([offsets.filter((offset) => offset === 0).length, end]).toEqual([1, 'proved disappeared']);
});

/** Histories of a list that loses, gets late or gets newer records between any two requests. */
const changing = (seed: number, kinds: readonly number[]) => {
  const { below } = randomOf(`a list that is read in several nights, ${seed}`);
  const list = { rows: tradesApart(60 + below(300)) };
  let added = 0;
  const change = () => {
    const [kind, one] = [below(15), below(list.rows.length)];
    added += 1;
    if (!kinds.includes(kind)) return;
    if (kind === LOSES) list.rows = list.rows.filter((_, nth) => nth !== one);
    else {
      const ms = kind === LATE ? below(300_000) : 1_000_000 + added;
      list.rows = [...list.rows, { id: `added${added}`, at: instant(ms) }];
    }
  };
  return { list, change, below };
};

const [LOSES, LATE, NEWER] = [0, 1, 2];

test.each([
  { kinds: [LATE, NEWER], pages: 5 },
  { kinds: [LOSES, NEWER], pages: 5 },
  { kinds: [LOSES, LATE, NEWER], pages: 1_000 }, // one loss and one late record between two nights leave no trace
])('of a list that changes at each request what is proved is landed: %o', async ({ kinds, pages }) => {
  let proofs = 0;
  for (let seed = 1; seed <= 200; seed += 1) {
    const { list, change, below } = changing(seed, kinds);
    const books = booksOf(list.rows);
    for (let nights = 0; nights < 12; nights += 1) {
      const before = (_: number, shown: TradeList) => {
        change();
        shown.rows = list.rows;
      };
      const { end } = await night(books, list.rows, { pages: pages - below(4), before });
      if (!end.startsWith('proved')) continue;
      proofs += 1;
      const missing = list.rows.filter(({ id }) => !books.landed.has(id));
      expect(missing, `seed ${seed}, night ${nights}`).toEqual([]);
    }
  }
  expect(proofs).toBeGreaterThan(300);
});
