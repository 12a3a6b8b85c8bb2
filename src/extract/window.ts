// The walk by time window, for lists that are newest first, cut at a limit, without offset, bounds inclusive.
// Walks back from the newest record: lowers the upper bound to the oldest instant seen and reads that instant again, because
// a full page proves nothing at or before its oldest instant.
import { strict as assert } from 'node:assert';
import { earlier, isoOf, msOf, order } from '../base/time.ts';
import { ceiling, type Edge, edgeOf, later, wholeSecond } from './edge.ts';
import { readFinely } from './fine-bound.ts';
import { mayBeCut } from './short-page.ts';
import { placed, type Splitter, splitInstant } from './split.ts';
import {
  type Interval,
  PAGES_MAX,
  type Page,
  type RecordPlace,
  type ShownRow,
  type Trouble,
  type Walk,
  type WalkStep,
} from './step.ts';

type WindowWalk<Row, Proof> = Splitter<Row, Proof> & {
  readonly timeOf: (row: Row) => string | null;
  /** The interval to cover: `from` is null for a first walk, `to` is null for the newest. */
  readonly window: Interval;
  /**
   * Records landed at or above the window's end, oldest first: the first page must show one of them again, which proves that the
   * gateway includes all of the window. Without it, the end is taken to be included.
   */
  readonly above?: readonly ShownRow[] | undefined;
  /**
   * The newest records landed at or before the window's start, which the walk requests too: a page that shows one of them reaches down
   * to the start. Without it, the number of rows must tell.
   */
  readonly below?: readonly ShownRow[] | undefined;
  /** The gateway's clock: the upper bound of what a request without one proves. */
  readonly now: () => string;
  readonly pagesMax?: number;
};

/** Walks one window, newest page first. Yields the proved interval of each page, and a trouble for an instant that stays full. */
export async function* walkWindow<Row, Proof>(walk: WindowWalk<Row, Proof>): Walk<Row, Proof> {
  const from = startOf(walk);
  const stand = begin(walk);
  for (let pages = 0; pages < (walk.pagesMax ?? PAGES_MAX); pages += 1) {
    let page = placed(await walk.fetch({ from, to: stand.to, filters: {} }), stand.limit);
    if (!isContinued(stand, page.rows.map(walk.idOf))) {
      const bound = stand.raises.shift();
      yield bound === undefined ? { page, trouble: boundTooCoarse(stand.floor) } : { page };
      if (bound === undefined) return;
      [stand.to, stand.isFine] = [bound, true];
      continue;
    }
    if (!page.isFull && stand.isFirst && (yield* mayBeCut(walk, page, from))) {
      stand.limit = page.rows.length;
      page = placed(page, stand.limit);
    }
    if (!page.isFull) {
      yield { page, ...proved(stand, walk.window.from, 'window') };
      return;
    }
    const edge = edgeOf(page.rows.map(walk.timeOf), stand.isFine);
    const trouble = edge === null ? TIMELESS : faultOf(stand, edge);
    if (edge === null || trouble !== null) {
      yield { page, ...(trouble && { trouble }) };
      return;
    }
    stand.isFirst = false;
    if (stand.to === null || order(edge.ask, stand.to) < 0) {
      stand.isOrdered &&= edge.isOrdered;
      const covers = proved(stand, edge.boundary, 'window');
      yield { page, ...covers, ...(edge.isOrdered ? {} : { trouble: DISORDER }) };
      const rows = page.rows.map((row) => ({ id: walk.idOf(row), time: walk.timeOf(row) }));
      narrow(stand, edge, rows);
    } else {
      yield { page };
      const full = { page, floor: edge.floor, isFine: edge.isFine };
      yield* divideBelow({ ...walk, limit: stand.limit }, stand, full);
    }
    if (walk.window.from !== null && stand.to !== null && order(stand.to, walk.window.from) < 0) return;
  }
  assert.fail(`a window walk of more than ${walk.pagesMax ?? PAGES_MAX} pages`);
}

/** The inclusive lower bound to request: the window's start, or the lowest record below it that must show again. */
const startOf = ({ window, below = [] }: Pick<WindowStart, 'window' | 'below'>): string | null => {
  if (window.from === null) return null;
  const times = [window.from, ...below.flatMap(({ time }) => time ?? [])];
  return isoOf(msOf(times.reduce((least, time) => earlier(time, least))));
};

/** The state of a walk. */
type WalkState = {
  /** The next inclusive upper bound. */
  to: string | null;
  /** Everything from this instant on is proved, as far as possible. */
  top: string;
  /** The list has times finer than the filter's millisecond, shown or not. */
  isFine: boolean;
  /** The most rows that one answer has shown it may hold. */
  limit: number;
  /** No full page was read yet: the gateway may hold less in one answer than was requested. */
  isFirst: boolean;
  /** Every full page was newest first: one that was not proves nothing about the records that it omits. */
  isOrdered: boolean;
  /** The rows of the full page before: at least one of them, as those at the bound, must show again in the next page. */
  shown: ReadonlySet<string>;
  /** The millisecond of the oldest of these rows. */
  floor: string | null;
  /** Higher bounds to try in turn, if none of these rows shows again. */
  raises: string[];
};

type WindowStart = Pick<WindowWalk<unknown, unknown>, 'window' | 'above' | 'below' | 'now' | 'limit'>;

const NOTHING_SHOWN = { shown: new Set<string>(), floor: null, raises: [] };

const begin = ({ window, above, now, limit }: WindowStart): WalkState => ({
  limit,
  isFirst: true,
  to: window.to && ceiling(window.to),
  top: window.to ?? now(),
  isFine: false,
  isOrdered: true,
  ...NOTHING_SHOWN,
  ...(window.to && above && boundFrom(above)),
});

/** The first bound of a window from the records above it; none if there are none. */
const boundFrom = (rows: readonly ShownRow[]): Partial<WalkState> => {
  const lowest = rows[0]?.time ?? null;
  if (lowest === null) return { to: null };
  const [to, floor] = [ceiling(lowest), isoOf(msOf(lowest))];
  return { to, floor, shown: new Set(rows.map(({ id }) => id)), raises: raisesOf({ ask: to, floor }, rows) };
};

/** The interval proved from an instant on; none if the walk is out of order, or the clock is behind the records. */
const proved = (stand: WalkState, from: string | null, proof: 'window' | 'split') =>
  stand.isOrdered && (from === null || order(from, stand.top) < 0)
    ? { covers: { from, to: stand.top, proof } }
    : {};

/** The reason why a full page cannot be followed by another, or null. */
const faultOf = (stand: WalkState, edge: Edge): Trouble | null => {
  if (stand.to !== null && order(edge.floor, stand.to) > 0) return boundIgnored(stand.to);
  return isStuck(stand, edge) ? boundTooCoarse(stand.floor) : null;
};

/** Whether a page follows the one before without a gap; otherwise the gateway's bound excluded rows that it should include. */
const isContinued = ({ shown }: WalkState, ids: readonly string[]): boolean =>
  shown.size === 0 || ids.some((id) => shown.has(id));

/** A bound raised by more than the finer times need leads no further back than the one before. */
const isStuck = ({ to, floor }: WalkState, edge: Edge): boolean =>
  to !== null && floor !== null && order(to, later(floor, 1)) > 0 && order(edge.floor, floor) >= 0;

const narrow = (stand: WalkState, edge: Edge, rows: readonly ShownRow[]): void => {
  stand.isFine ||= edge.isFine;
  stand.to = edge.ask;
  stand.top = earlier(edge.boundary, stand.top);
  stand.shown = new Set(rows.map(({ id }) => id));
  stand.floor = edge.floor;
  stand.raises = raisesOf(edge, rows);
};

/**
 * The bounds to try if the gateway's filter excludes the rows at a bound: a millisecond later if it compares finer times than it
 * shows, a whole second if it compares whole seconds, and the middle of the page if those rows are gone or the filter is coarser.
 */
const raisesOf = ({ ask, floor }: Pick<Edge, 'ask' | 'floor'>, rows: readonly ShownRow[]): string[] => {
  const middle = rows[Math.floor(rows.length / 2)]?.time ?? floor;
  const bounds = [later(floor, 1), wholeSecond(floor), wholeSecond(middle)];
  return bounds.filter((bound, nth) => order(bound, bounds[nth - 1] ?? ask) > 0);
};

type Full<Row, Proof> = {
  readonly page: Page<Row, Proof> & RecordPlace;
  readonly floor: string;
  readonly isFine: boolean;
};

/**
 * Divides the instant that fills a page, by finer times if its records have them, or else by the filters, and continues at its lower
 * end. If that is the bound itself, the filters also divide the millisecond before it: if the gateway compares with finer times than it
 * shows, that millisecond cannot be requested alone.
 */
async function* divideBelow<Row, Proof>(
  walk: WindowWalk<Row, Proof>,
  stand: WalkState,
  { page, floor, isFine }: Full<Row, Proof>,
): AsyncGenerator<WalkStep<Row, Proof>, void, unknown> {
  const to = stand.to ?? floor;
  if (isFine && (yield* readFinely(walk, page, floor))) {
    yield proved(stand, floor, 'window');
    return goOnAt(stand, floor);
  }
  const from = floor === to ? later(floor, -1) : floor;
  const { isWhole, refused } = yield* splitInstant(walk, page, { from, to });
  if (isWhole) yield proved(stand, from, 'split');
  else yield { trouble: saturated({ from, to, rows: page.rows.length, refused }) };
  goOnAt(stand, from);
}

/** Continues at the lower end of an instant. */
const goOnAt = (stand: WalkState, from: string): void => {
  stand.to = from;
  stand.top = earlier(from, stand.top);
  Object.assign(stand, NOTHING_SHOWN);
};

type Saturated = {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  readonly refused: readonly string[];
};

const saturated = ({ from, to, rows, refused }: Saturated): Trouble => ({
  subject: 'gap',
  detail:
    `${from} to ${to}: at least ${rows} records, more than one page can return, even with every filter` +
    `${refused.length === 0 ? '' : ` that the gateway accepts (it refuses ${refused.join(', ')})`}; completeness cannot be proved here`,
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

const boundTooCoarse = (floor: string | null): Trouble => ({
  subject: 'window',
  detail: `asked for records up to ${floor}, the gateway left out those that it had shown at that time: the walk cannot continue`,
});

const boundIgnored = (to: string): Trouble => ({
  subject: 'window',
  detail: `asked for records up to ${to}, the gateway returned later records: the walk cannot continue`,
});
