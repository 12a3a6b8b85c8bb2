// A list of movements in memory, with the gateway's habits: newest first, cut at 100, no offset, both bounds inclusive.
import { order } from '../../src/base/time.ts';
import type { Interval, Page, ShownRow, Walk } from '../../src/extract/step.ts';
import { walkWindow } from '../../src/extract/window.ts';
import type { WindowQuery } from '../../src/extract/window-query.ts';
import { instant, type Row } from './drain.ts';

export type Movement = Row & {
  readonly kind: string;
  readonly origin: string;
  readonly coin: string;
  readonly wallet: string;
  /** The time that the gateway shows; `at` is what its filters compare. */
  readonly shown: string;
};

export const LIMIT = 100;

/** A movement at an instant; only the id differs by default. */
export const movement = (id: string, time: string, rest: Partial<Movement> = {}): Movement => ({
  id,
  at: time,
  shown: time,
  kind: 'deposit',
  origin: 'wallet',
  coin: 'EUR',
  wallet: 'w-EUR',
  ...rest,
});

/** Many movements at one instant; `words` gives the differences. */
export const burst = (
  size: number,
  time: string,
  words: (nth: number) => Partial<Movement> = () => ({}),
): Movement[] => Array.from({ length: size }, (_, nth) => movement(`${time}#${nth}`, time, words(nth)));

const FILTERS = ['kind', 'origin', 'coin', 'wallet'] as const;

const matches = (row: Movement, { from, to, filters }: WindowQuery): boolean =>
  (from === null || order(row.at, from) >= 0) &&
  (to === null || order(row.at, to) <= 0) &&
  FILTERS.every((name) => filters[name] === undefined || filters[name] === row[name]);

/** The words that the filters accept. */
export const WORDS = {
  kind: ['deposit', 'withdrawal'],
  origin: ['wallet', 'admin', 'working-capital', 'bot'],
  coin: ['EUR', 'BTC'],
  wallet: ['w-EUR', 'w-BTC'],
};

type Asked = WindowQuery & { readonly rows: number };

/** The list as a gateway that answers a window, and the requests to it. */
export const movementList = (rows: readonly Movement[]) => {
  const requests: Asked[] = [];
  const sorted = [...rows].sort((a, b) => order(b.at, a.at));
  const fetch = async (query: WindowQuery): Promise<Page<Movement, null>> => {
    const found = sorted.filter((row) => matches(row, query)).slice(0, LIMIT);
    requests.push({ ...query, rows: found.length });
    return { rows: found, proof: null };
  };
  return { fetch, asked: requests };
};

/** The error of a gateway that does not know a filter. */
export class RefusedFilter extends Error {}

type Walking = {
  readonly window?: Interval;
  readonly above?: readonly ShownRow[];
  readonly below?: readonly ShownRow[];
  readonly now?: string;
  readonly words?: Partial<typeof WORDS>;
  readonly pagesMax?: number;
};

/** A walk over such a list; the clock is an hour after the start by default. */
export const walking = (
  fetch: ReturnType<typeof movementList>['fetch'],
  { window = { from: null, to: null }, now = instant(3_600_000), words = {}, ...rest }: Walking = {},
): Walk<Movement, null> =>
  walkWindow({
    fetch,
    window,
    limit: LIMIT,
    ...rest,
    now: () => now,
    timeOf: (row) => row.shown,
    idOf: (row) => row.id,
    isRefusal: (error) => error instanceof RefusedFilter,
    cuts: () => FILTERS.map((filter) => ({ filter, words: { ...WORDS, ...words }[filter] })),
  });
