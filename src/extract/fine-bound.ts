// An instant that fills a page, of a list whose times are finer than a millisecond: read back by bounds as fine as those times. That the
// gateway compares so finely is not assumed: each page must begin at its bound, with a record of the page before.
import { order } from '../base/time.ts';
import { placed, type Splitter } from './split.ts';
import { isNewestFirst, type Page, type WalkStep } from './step.ts';

type FineWalk<Row, Proof> = Pick<Splitter<Row, Proof>, 'fetch' | 'idOf' | 'isRefusal' | 'limit'> & {
  readonly timeOf: (row: Row) => string | null;
};

/** Reads from a full page down to `from`, the whole millisecond of its oldest record. Returns whether all of that is proved. */
export async function* readFinely<Row, Proof>(
  walk: FineWalk<Row, Proof>,
  full: Page<Row, Proof>,
  from: string,
): AsyncGenerator<WalkStep<Row, Proof>, boolean, unknown> {
  let above = full;
  for (let to = oldestOf(walk, above); to !== null; ) {
    const page = await finePage(walk, { from, to });
    if (page === null) return false;
    yield { page };
    if (!followsExactly(walk, page, { above, to })) return false;
    if (!page.isFull) return true;
    const oldest = oldestOf(walk, page);
    if (oldest === null || order(oldest, to) >= 0) return false; // one instant of the finest time fills a page
    [above, to] = [page, oldest];
  }
  return false;
}

/** Null if the gateway refuses so fine a bound. */
const finePage = async <Row, Proof>(
  walk: FineWalk<Row, Proof>,
  bounds: { readonly from: string; readonly to: string },
) => {
  try {
    return placed(await walk.fetch({ ...bounds, filters: {} }), walk.limit);
  } catch (error) {
    if (walk.isRefusal(error)) return null;
    throw error;
  }
};

/** The time of the last record, which is the oldest of a page that is newest first. */
const oldestOf = <Row>({ timeOf }: Pick<FineWalk<Row, unknown>, 'timeOf'>, { rows }: Page<Row, unknown>) => {
  const last = rows.at(-1);
  return last === undefined ? null : timeOf(last);
};

/** Whether a page is newest first, shows nothing later than its bound, and repeats a record at the bound. */
const followsExactly = <Row>(
  { timeOf, idOf }: Pick<FineWalk<Row, unknown>, 'timeOf' | 'idOf'>,
  { rows }: Page<Row, unknown>,
  { above, to }: { readonly above: Page<Row, unknown>; readonly to: string },
): boolean => {
  const times = rows.map(timeOf).filter((time) => time !== null);
  const atBound = new Set(above.rows.filter((row) => timeOf(row) === to).map(idOf));
  return (
    times.length === rows.length &&
    times[0] === to &&
    isNewestFirst(times) &&
    rows.some((row) => atBound.has(idOf(row)))
  );
};
