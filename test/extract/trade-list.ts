// A list of trades in memory, with the gateway's habits: a total, an offset, a limit that is reduced without an error; and a
// list that shifts between any two requests.

import { order } from '../../src/base/time.ts';
import { walkOffset } from '../../src/extract/offset.ts';
import type { OffsetPage, OffsetWalk } from '../../src/extract/offset-pages.ts';
import { drain, instant, type Row } from './drain.ts';

export const LIMIT = 50;
export const NOW = instant(3_600_000);

/** Trades one second apart, oldest first. */
export const tradesApart = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, nth) => ({ id: `t${from + nth}`, at: instant((from + nth) * 1_000) }));

export type TradeList = {
  /** The current list; change it as the world does. */
  rows: Row[];
  /** The most rows of an answer. */
  clamp: number;
  isNewestFirst: boolean;
  /** The total in the envelope. */
  totalOf: (listed: number, page: readonly Row[]) => number;
  /** Runs before the answer to the nth request, from 1. */
  before: (nth: number, list: TradeList) => void;
};

export const tradeList = (rows: readonly Row[], habits: Partial<TradeList> = {}) => {
  const usual = { clamp: LIMIT, isNewestFirst: false, totalOf: (listed: number) => listed, before: () => {} };
  const list: TradeList = { rows: [...rows], ...usual, ...habits };
  const offsets: number[] = [];
  const fetch = async (offset: number): Promise<OffsetPage<Row, null>> => {
    list.before(offsets.push(offset), list);
    const sorted = [...list.rows].sort((a, b) => order(a.at, b.at) || (a.id < b.id ? -1 : 1));
    if (list.isNewestFirst) sorted.reverse();
    const page = sorted.slice(offset, offset + list.clamp);
    return { rows: page, total: list.totalOf(sorted.length, page), proof: null };
  };
  return { list, fetch, asked: offsets };
};

const newestOf = (rows: readonly Row[]): string | null =>
  rows.reduce<string | null>(
    (newest, row) => (newest !== null && order(row.at, newest) < 0 ? newest : row.at),
    null,
  );

/** Walks a list into what is landed, and returns the result. */
export const walkList = async (
  { list, fetch, asked: offsets }: ReturnType<typeof tradeList>,
  landed: Set<string> = new Set(),
  ask: Partial<OffsetWalk<Row, null>> & { readonly killedAfter?: number } = {},
) => {
  const { killedAfter, ...rest } = ask;
  const [before, known] = [offsets.length, landed.size];
  const walk = walkOffset({
    fetch,
    known,
    gone: 0,
    newest: newestOf(list.rows.filter(({ id }) => landed.has(id))),
    isFull: false,
    pageLimit: LIMIT,
    now: () => NOW,
    idOf: (row) => row.id,
    timeOf: (row) => row.at,
    ...rest,
  });
  const walked = await drain(walk, landed, killedAfter);
  return {
    ...walked,
    landed,
    offsets: offsets.slice(before),
    isCovered: walked.covers.some(({ from, to }) => from === null && to === NOW),
    subjects: walked.troubles.map(({ subject }) => subject),
  };
};
