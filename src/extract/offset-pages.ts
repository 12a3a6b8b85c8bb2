// The pages of a list by offset: what each shows of the list, its total and whether it moved. Each page begins with the last row of the
// one before.
import { strict as assert } from 'node:assert';
import { foreseeing } from './ahead.ts';
import { PAGES_MAX, type Page } from './step.ts';

export type OffsetPage<Row, Proof> = Page<Row, Proof> & { readonly total: number };

export type OffsetWalk<Row, Proof> = {
  /** Requests the list oldest first; a list in another order is still read whole. */
  readonly fetch: (offset: number) => Promise<OffsetPage<Row, Proof>>;
  readonly idOf: (row: Row) => string;
  readonly timeOf: (row: Row) => string | null;
  /** The number of distinct records of this list that are landed already. */
  readonly known: number;
  /** How many of these the last reading that proved the list showed to be no longer listed. */
  readonly gone: number;
  /** The time of the newest of these; null if none has one. */
  readonly newest: string | null;
  /** Reads everything again. */
  readonly isFull: boolean;
  /** Where an earlier reading of everything was interrupted, as a step stored it. */
  readonly place?: string | null;
  readonly now: () => string;
  readonly pageLimit: number;
  readonly pagesMax?: number;
};

/** The progress of a reading. */
export type Count = {
  /** The number of distinct landed records, and how many of them are known to be no longer listed. */
  landed: number;
  readonly gone: number;
  /** The total that the gateway last reported, and whether it reported the same before. */
  total: number | null;
  isStill: boolean;
  /** That of the page that was answered last, whichever its place. */
  newestTotal: number | null;
  /** Rows have moved: one may have moved past the place that was read next. */
  hasMoved: boolean;
  /** A page showed rows after the end of the total: a total that is too low cannot prove anything. */
  isExceeded: boolean;
  pages: number;
};

/** The place of a reading in its list: the last row shown, its offset, and the number of distinct rows up to there. */
export type OffsetPlace = { readonly offset: number; readonly edge: string; readonly distinct: number };

export type Fetched<Row, Proof> = OffsetPage<Row, Proof> & {
  readonly offset: number;
  readonly isFull: boolean;
  /** The newest total when it was requested. */
  readonly totalBefore: number | null;
};

export const fetchPage = async <Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  offset: number,
): Promise<Fetched<Row, Proof>> => {
  count.pages += 1;
  const pagesMax = walk.pagesMax ?? PAGES_MAX;
  assert(count.pages <= pagesMax, `an offset walk of more than ${pagesMax} pages`);
  const { newestTotal: totalBefore } = count;
  const page = await walk.fetch(offset);
  count.newestTotal = page.total;
  return { ...page, offset, totalBefore, isFull: page.rows.length >= walk.pageLimit };
};

/** Compares the total of a page with those of the pages before it, and with what was known when it was requested. */
export const see = (count: Count, { total, totalBefore, offset, rows }: Fetched<unknown, unknown>): void => {
  count.hasMoved ||= totalBefore !== null && total < totalBefore; // a record disappeared: those after it moved up
  count.isStill = count.total === null || total === count.total;
  count.isExceeded ||= rows.length > 0 && offset + rows.length > total;
  count.total = total;
};

/** A row of the page before must show again: otherwise the list moved, and a record may have been missed. */
export const checkOverlap = (count: Count, edge: readonly string[], shown: readonly string[]): void => {
  count.hasMoved ||= !edge.every((id) => shown.includes(id));
};

/** After this many consecutive pages without a new record, the reading ends, whatever the total is. */
const REPEATS_MAX = 5;

/** So many pages are requested along with one of a whole list: two last longer than a fifth of a second, the pace of trades. */
const FORESEEN_MAX = 2;

export type OffsetReading = Pick<OffsetPlace, 'offset'> & {
  /** Where it goes on, if it does not begin here. */
  readonly after?: OffsetPlace | null;
  /** Reads to the end; otherwise only until nothing is missing. */
  readonly isWhole: boolean;
};

type ShownPage<Row, Proof> = Fetched<Row, Proof> & {
  /** The number of distinct records up to here. */
  readonly distinct: number;
  /** Where the next page begins; null if this page has no other row that it could begin with. */
  readonly place: OffsetPlace | null;
};

/**
 * Fetches the pages to the end. Each begins with the last row of the one before, which shows whether the list moved although its total
 * did not change.
 */
export async function* pagesOn<Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  { offset: start, isWhole, after = null }: OffsetReading,
): AsyncGenerator<ShownPage<Row, Proof>, void> {
  const pageAt = foreseeing((place: number) => fetchPage(walk, count, place));
  const ids = new Set<string>();
  const earlier = after?.distinct ?? 0;
  let [offset, longest, repeats] = [start, isWhole ? 0 : walk.pageLimit, 0];
  let edge = after === null ? [] : [after.edge];
  let foreseen: readonly number[] = [];
  for (;;) {
    const before = ids.size;
    const page = await pageAt(offset, foreseen);
    see(count, page);
    const { rows } = page;
    const shown = rows.map(walk.idOf);
    checkOverlap(count, edge, shown);
    for (const id of newIn(shown, offset === start ? after : null)) ids.add(id);
    const distinct = earlier + ids.size;
    repeats = ids.size > before ? 0 : repeats + 1;
    longest = Math.max(longest, rows.length);
    // A full page is never the last one, whatever the total: a count of the page alone would look the same. A total below
    // the number of rows seen is ignored as long as there are more rows.
    const isFull = rows.length >= longest;
    const isDoubtful = ids.size > before && (isFull || distinct > (count.total ?? 0));
    const isPast = offset + rows.length >= (count.total ?? 0) && !isDoubtful;
    const isEnd = rows.length <= edge.length || repeats >= REPEATS_MAX || isPast;
    if (offset === start) longest = rows.length;
    edge = rows.length > 1 ? shown.slice(-1) : [];
    const next = offset + rows.length - edge.length;
    const [last = null] = edge;
    yield { ...page, distinct, place: last === null ? null : { offset: next, edge: last, distinct } };
    if (isEnd) return;
    foreseen = isWhole && isFull ? foreseenFrom(next, next - offset, count) : [];
    offset = next;
  }
}

/** Where the pages after the one at `next` begin, as far as the list is known to reach, if all are as long as the one before. */
const foreseenFrom = (next: number, step: number, { total }: Count): readonly number[] =>
  Array.from({ length: FORESEEN_MAX }, (_, nth) => next + (nth + 1) * step).filter(
    (offset) => step > 0 && offset + 1 < (total ?? 0),
  );

/** Of the first page after a place, only what follows the last row shown there: a list that has grown before it shows earlier rows again. */
const newIn = (shown: readonly string[], after: OffsetPlace | null): readonly string[] =>
  after === null ? shown : shown.slice(shown.indexOf(after.edge) + 1);
