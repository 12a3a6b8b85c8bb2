// The walk by time window, for lists that are newest first, cut at a limit, without offset, bounds inclusive.
// Walks back from the newest, narrowing the upper bound to the oldest instant seen and reading that instant again:
// a full page says nothing about what lies at or before its oldest instant.
import { strict as assert } from 'node:assert';
import { earlier, isoOf, msOf, order } from '../time.ts';
import { placed, splitInstant } from './split.ts';
import { type Interval, PAGES_MAX, type Page, type Walk } from './step.ts';

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
  let to = walk.window.to && ceiling(walk.window.to);
  let top = walk.window.to ?? walk.now();
  let isFine = false;
  for (let pages = 0; pages < (walk.pagesMax ?? PAGES_MAX); pages += 1) {
    const page = placed(await walk.fetch({ from, to, filters: {} }), walk.limit);
    if (!page.isFull) {
      yield { page, covers: { from: walk.window.from, to: top, proof: 'window' } };
      return;
    }
    const edge = edgeOf(page.rows.map(walk.timeOf));
    isFine ||= edge.isFine;
    if (to === null || msOf(edge.ask) < msOf(to)) {
      yield order(edge.boundary, top) < 0
        ? { page, covers: { from: edge.boundary, to: top, proof: 'window' } }
        : { page };
      to = edge.ask;
      top = earlier(edge.boundary, top);
    } else {
      const whole = yield* splitInstant(walk, page, { from: edge.floor, to });
      yield whole
        ? { covers: { from: edge.floor, to: top, proof: 'split' } }
        : { trouble: saturated(edge.floor, to, page.rows.length) };
      // With finer times about, what lies just below this millisecond can only be asked for together with it.
      to = isFine ? edge.floor : isoOf(msOf(edge.floor) - 1);
      top = edge.floor;
    }
    if (from !== null && order(to, from) < 0) return;
  }
  assert.fail(`a window walk of more than ${walk.pagesMax ?? PAGES_MAX} pages`);
}

/**
 * How far down a full page reaches. `ask` is the next inclusive bound, `boundary` the instant from which on the page
 * is complete, `floor` the millisecond of its oldest record. A time finer than the filter's millisecond cannot be
 * asked for: the next whole millisecond is, and the page holds all from there on.
 */
type Edge = {
  readonly ask: string;
  readonly boundary: string;
  readonly floor: string;
  readonly isFine: boolean;
};

const edgeOf = (times: readonly (string | null)[]): Edge => {
  const known = times.filter((time) => time !== null);
  const oldest = known.reduce<string | null>(
    (least, time) => (least === null || order(time, least) < 0 ? time : least),
    null,
  );
  assert(oldest !== null, 'a full page without one readable time: the walk cannot go on');
  const floor = isoOf(msOf(oldest));
  const isFine = known.some((time) => isoOf(msOf(time)) !== time);
  if (floor === oldest) return { ask: oldest, boundary: afterMicrosecond(oldest), floor, isFine };
  return { ask: ceiling(oldest), boundary: ceiling(oldest), floor, isFine };
};

/** The first whole millisecond at or after an instant. */
const ceiling = (instant: string): string => {
  const floor = isoOf(msOf(instant));
  return order(floor, instant) < 0 ? isoOf(msOf(instant) + 1) : floor;
};

const afterMicrosecond = (instant: string): string => instant.replace(/Z$/, '001Z');

const saturated = (from: string, to: string, rows: number) => ({
  subject: 'gap',
  detail:
    `${from} to ${to}: at least ${rows} records, more than one answer holds under every filter; ` +
    'what lies there is not proved complete',
});
