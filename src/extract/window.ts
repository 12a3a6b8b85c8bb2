// The walk by time window, for lists that are newest first, cut at a limit, without offset, bounds inclusive.
// Walks back from the newest, narrowing the upper bound to the oldest instant seen and reading that instant again:
// a full page says nothing about what lies at or before its oldest instant.
import { strict as assert } from 'node:assert';
import { earlier, isoOf, msOf, order } from '../base/time.ts';
import { ceiling, type Edge, edgeOf, later } from './edge.ts';
import { placed, splitInstant } from './split.ts';
import {
  type Interval,
  PAGES_MAX,
  type Page,
  type Place,
  type Step,
  type Trouble,
  type Walk,
} from './step.ts';

/** Bounds are inclusive instants of whole milliseconds; null is no bound. Filters narrow by a deciding word. */
export type WindowQuery = {
  readonly from: string | null;
  readonly to: string | null;
  readonly filters: Readonly<Record<string, string>>;
};

/** One way to split an instant: a filter and every word that it is known to take. */
export type Cut = { readonly filter: string; readonly words: readonly string[] };

export type WindowWalk<Row, Proof> = {
  readonly fetch: (query: WindowQuery) => Promise<Page<Row, Proof>>;
  readonly timeOf: (row: Row) => string | null;
  readonly idOf: (row: Row) => string;
  /** What to cover: `from` is null for a first walk, `to` is null for the newest. */
  readonly window: Interval;
  /** The gateway's clock, to bound what a request without an upper bound proves. */
  readonly now: () => string;
  readonly limit: number;
  readonly cuts: () => readonly Cut[];
  readonly pagesMax?: number;
};

/** Walks one window, newest page first. Yields what each page proves, and a trouble for an instant that stays full. */
export async function* walkWindow<Row, Proof>(walk: WindowWalk<Row, Proof>): Walk<Row, Proof> {
  const from = walk.window.from && isoOf(msOf(walk.window.from));
  const at = begin(walk.window, walk.now);
  for (let pages = 0; pages < (walk.pagesMax ?? PAGES_MAX); pages += 1) {
    const page = placed(await walk.fetch({ from, to: at.to, filters: {} }), walk.limit);
    if (isCutFiner(at, page.rows.map(walk.idOf))) {
      yield { page };
      lift(at);
      continue;
    }
    if (!page.isFull) {
      yield { page, ...proved(at, walk.window.from, 'window') };
      return;
    }
    const edge = edgeOf(page.rows.map(walk.timeOf), at.isFine);
    if (edge === null) {
      yield { page, trouble: TIMELESS };
      return;
    }
    if (at.to !== null && order(edge.floor, at.to) > 0) {
      yield { page, trouble: deaf(at.to) };
      return;
    }
    if (at.to === null || order(edge.ask, at.to) < 0) {
      at.isOrdered &&= edge.isOrdered;
      yield {
        page,
        ...proved(at, edge.boundary, 'window'),
        ...(edge.isOrdered ? {} : { trouble: DISORDER }),
      };
      const atBound = page.rows.filter((row) => edge.ask === edge.floor && walk.timeOf(row) === edge.ask);
      narrow(at, { ...edge, shown: new Set(atBound.map(walk.idOf)) });
    } else {
      yield* splitBelow(walk, at, { page, floor: edge.floor });
    }
    if (from !== null && at.to !== null && order(at.to, from) < 0) return;
  }
  assert.fail(`a window walk of more than ${walk.pagesMax ?? PAGES_MAX} pages`);
}

/** Where a walk stands. */
type Stand = {
  /** The next inclusive upper bound. */
  to: string | null;
  /** Everything from here on is proved, as far as it can be. */
  top: string;
  /** Times finer than the filter's millisecond are about, shown or not. */
  isFine: boolean;
  /** Every full page came newest first: one that did not says nothing about what it left out. */
  isOrdered: boolean;
  /** The rows seen at the bound: asked again, they must show again. */
  shown: ReadonlySet<string>;
};

const begin = (window: Interval, now: () => string): Stand => ({
  to: window.to && ceiling(window.to),
  top: window.to ?? now(),
  isFine: false,
  isOrdered: true,
  shown: new Set(),
});

/** What is proved from an instant on; nothing where the walk is out of order, or the clock is behind the records. */
const proved = (at: Stand, from: string | null, proof: 'window' | 'split') =>
  at.isOrdered && (from === null || order(from, at.top) < 0) ? { covers: { from, to: at.top, proof } } : {};

/** No row seen at the bound shows again: the gateway compares finer than it shows, so that the bound cut them off. */
const isCutFiner = ({ shown }: Stand, ids: readonly string[]): boolean =>
  shown.size > 0 && !ids.some((id) => shown.has(id));

/** Asks the next whole millisecond instead, which holds all that is shown with this one. */
const lift = (at: Stand): void => {
  at.isFine = true;
  at.to = at.to && later(at.to, 1);
  at.shown = new Set();
};

const narrow = (at: Stand, edge: Edge & { readonly shown: ReadonlySet<string> }): void => {
  at.isFine ||= edge.isFine;
  at.to = edge.ask;
  at.top = earlier(edge.boundary, at.top);
  at.shown = edge.shown;
};

type Full<Row, Proof> = { readonly page: Page<Row, Proof> & Place; readonly floor: string };

/**
 * Splits the instant that fills a page and goes on at its lower end. Where that is the bound itself, the millisecond
 * before it is split with it: should the gateway compare finer than it shows, its insides cannot be asked for alone.
 */
async function* splitBelow<Row, Proof>(
  walk: WindowWalk<Row, Proof>,
  at: Stand,
  { page, floor }: Full<Row, Proof>,
): AsyncGenerator<Step<Row, Proof>, void, unknown> {
  const to = at.to ?? floor;
  const from = floor === to ? later(floor, -1) : floor;
  const isWhole = yield* splitInstant(walk, page, { from, to });
  if (isWhole) yield proved(at, from, 'split');
  else yield { trouble: saturated(from, to, page.rows.length) };
  at.to = from;
  at.top = earlier(from, at.top);
  at.shown = new Set();
}

const saturated = (from: string, to: string, rows: number) => ({
  subject: 'gap',
  detail:
    `${from} to ${to}: at least ${rows} records, more than one page can return, even with every filter; ` +
    'completeness cannot be proved here',
});

const TIMELESS: Trouble = {
  subject: 'gap',
  detail: 'a full page has no readable time: older records cannot be requested and are not proved complete',
};

const DISORDER: Trouble = {
  subject: 'order',
  detail:
    'a full page is not sorted newest first: records may be missing, so nothing before it is proved complete',
};

const deaf = (to: string): Trouble => ({
  subject: 'window',
  detail: `asked for records up to ${to}, the gateway returned later records: the walk cannot continue`,
});
