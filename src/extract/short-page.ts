// A page that is shorter than requested: whether it may be full, because the gateway has reduced the limit without an error.
import { order } from '../base/time.ts';
import { edgeOf, later } from './edge.ts';
import { isRound } from './round-number.ts';
import { placed, type Splitter } from './split.ts';
import type { Page, ShownRow, WalkStep } from './step.ts';
import type { WindowQuery } from './window-query.ts';

type ShortPageWalk<Row, Proof> = Pick<Splitter<Row, Proof>, 'fetch' | 'idOf' | 'limit'> & {
  readonly timeOf: (row: Row) => string | null;
  readonly below?: readonly ShownRow[] | undefined;
};

/**
 * Whether such a page may be full. A suspected one is worth another request, for its oldest instant and what is older. The page may be
 * full if that answer has a row that the page lacks, or repeats none of it (the gateway's bound excludes that instant). If the answer
 * repeats all of it, it is of one instant. A page of a round number of rows that is out of order, or has no readable time, may be full.
 */
export async function* mayBeCut<Row, Proof>(
  walk: ShortPageWalk<Row, Proof>,
  page: Page<Row, Proof>,
  from: string | null,
): AsyncGenerator<WalkStep<Row, Proof>, boolean, unknown> {
  const shown = new Set(page.rows.map(walk.idOf));
  const edge = edgeOf(page.rows.map(walk.timeOf), false);
  if (edge === null || !edge.isOrdered) return isRound(page.rows.length);
  const to = later(edge.floor, 1);
  if (!isSuspected(walk.below, shown) || (from !== null && order(to, from) < 0)) return false;
  const older = placed(await walk.fetch({ from, to, filters: {} }), walk.limit);
  yield { page: older };
  const again = older.rows.filter((row) => shown.has(walk.idOf(row))).length;
  if (again === 0 || again < older.rows.length) return true;
  if (again < shown.size) return false;
  return yield* mayInstantBeCut(walk, shown, { from, to: later(edge.floor, -1) });
}

/**
 * Whether a page of one instant may be full: if there is a row before that instant, which the page lacks; or if it has a round number of
 * rows, unless the gateway's newest page, of any time, is longer.
 */
async function* mayInstantBeCut<Row, Proof>(
  walk: ShortPageWalk<Row, Proof>,
  shown: ReadonlySet<string>,
  before: Pick<WindowQuery, 'from'> & { readonly to: string },
): AsyncGenerator<WalkStep<Row, Proof>, boolean, unknown> {
  if (before.from === null || order(before.to, before.from) >= 0) {
    const older = placed(await walk.fetch({ ...before, filters: {} }), walk.limit);
    yield { page: older };
    if (older.rows.some((row) => !shown.has(walk.idOf(row)))) return true;
  }
  if (!isRound(shown.size)) return false;
  const newest = placed(await walk.fetch({ from: null, to: null, filters: {} }), walk.limit);
  yield { page: newest };
  return newest.rows.length <= shown.size;
}

/** A page that shows a record from below its window reaches down to there. Of other pages the number of rows must tell, if those are unknown. */
const isSuspected = (below: readonly ShownRow[] | undefined, shown: ReadonlySet<string>): boolean =>
  below === undefined ? isRound(shown.size) : !below.some(({ id }) => shown.has(id));
