// The walk by offset, for lists that report their total and may shift during the reading. Advances by the rows received,
// never by the requested limit. A count proves the list complete: as many distinct ids landed as the gateway reports.
import { strict as assert } from 'node:assert';
import { order } from '../base/time.ts';
import { noLongerListed, unproved } from './offset-troubles.ts';
import { type Landed, PAGES_MAX, type Page, type Walk, type WalkStep } from './step.ts';

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
  readonly now: () => string;
  readonly pageLimit: number;
  readonly pagesMax?: number;
};

/** How often a list that moves while it is read is read again from its start. */
const WALKS_MAX = 3;

/**
 * Walks a list to its end. An unchanged total costs one request, also if landed records are no longer listed: only another number
 * of them is proved by reading the whole list again, and more of them are reported.
 */
export async function* walkOffset<Row, Proof>(walk: OffsetWalk<Row, Proof>): Walk<Row, Proof> {
  const count: Count = {
    landed: walk.known,
    gone: walk.gone,
    total: null,
    pages: 0,
    isStill: true,
    hasMoved: false,
    isExceeded: false,
  };
  const isShort = walk.gone > 0 && walk.known - walk.gone < walk.pageLimit; // its end alone may be its oldest part
  for (let walks = WALKS_MAX, isWhole = walk.isFull || isShort; walks > 0; walks -= 1) {
    const since = walk.now();
    count.hasMoved = false;
    count.isExceeded = false;
    if (count.landed > 0 && !isWhole) yield* settle(walk, count);
    const isProved = isSteady(count) && listedIn(count) === count.total;
    const distinct =
      isProved && !isWhole
        ? listedIn(count)
        : (yield* readOn(walk, count, { offset: 0, isWhole: true })).distinct;
    const isStable = isSteady(count) && !count.hasMoved;
    if (isStable && distinct === count.total && count.landed >= count.total) {
      yield { covers: { from: null, to: since, proof: 'list', total: count.total } };
      if (count.landed - count.total > walk.gone)
        yield { trouble: noLongerListed(count.landed, count.total) };
      return;
    }
    if (walks === 1) yield { trouble: unproved(count, distinct) };
    isWhole = count.hasMoved || isStable;
  }
}

/** The progress of a reading. */
type Count = {
  /** The number of distinct landed records, and how many of them are known to be no longer listed. */
  landed: number;
  readonly gone: number;
  /** The total that the gateway last reported, and whether it reported the same before. */
  total: number | null;
  isStill: boolean;
  /** Rows have moved: one may have moved past the place that was read next. */
  hasMoved: boolean;
  /** A page showed rows after the end of the total: a total that is too low cannot prove anything. */
  isExceeded: boolean;
  pages: number;
};

/** How many landed records are listed, as far as is known. */
const listedIn = ({ landed, gone }: Pick<Count, 'landed' | 'gone'>): number => landed - gone;

const isSteady = ({ isStill, isExceeded }: Count): boolean => isStill && !isExceeded;

/** If a list grows while its end is read, the end is read again at most this often before the whole list is. */
const SETTLE_MAX = 8;

/** Reads new records until all counted ones are landed and the total is stable, or this way of reading cannot get there. */
async function* settle<Row, Proof>(walk: OffsetWalk<Row, Proof>, count: Count): OffsetPart<Row, Proof> {
  for (let walks = 0; walks < SETTLE_MAX; walks += 1) {
    yield* walkNew(walk, count);
    if (count.isStill || listedIn(count) !== count.total) return;
  }
}

type OffsetPart<Row, Proof, Result = void> = AsyncGenerator<WalkStep<Row, Proof>, Result, Landed>;

/**
 * Reads new records: first from the last known one, where a list in time order grows (and where a list that lost a record
 * and got another shows an unknown one); then, while the count shows that records are missing, backwards from there for
 * records added with an older time, or from the front if the list turns out to be newest first.
 */
async function* walkNew<Row, Proof>(walk: OffsetWalk<Row, Proof>, count: Count): OffsetPart<Row, Proof> {
  const known = Math.max(0, listedIn(count) - 1);
  const { rows } = yield* readOn(walk, count, { offset: known, isWhole: false });
  if (listedIn(count) === count.total && known > 0 && !hasNewest(walk, rows)) yield* readPage(walk, count, 0);
  if (!isMissing(count)) return;
  if (isDescending(rows.map(walk.timeOf))) yield* readOn(walk, count, { offset: 0, isWhole: false });
  else yield* readBack(walk, count, { offset: known, rows });
}

/**
 * Whether the end of the list is its newest part, as in a list in time order, where a record that took the place of another
 * shows. Otherwise the front must show that it has no such record either.
 */
const hasNewest = <Row>(
  { newest, timeOf }: Pick<OffsetWalk<Row, unknown>, 'newest' | 'timeOf'>,
  rows: readonly Row[],
): boolean =>
  newest === null ||
  rows.some((row) => {
    const time = timeOf(row);
    return time !== null && order(time, newest) >= 0;
  });

const isMissing = (count: Count): boolean => listedIn(count) < (count.total ?? 0);

type OffsetStart<Row> = { readonly offset: number; readonly rows: readonly Row[] };

/** Reads backwards from a page, until nothing is missing. Each page ends with the first row of the one before. */
async function* readBack<Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  from: OffsetStart<Row>,
): OffsetPart<Row, Proof> {
  let { offset, rows } = from;
  while (isMissing(count) && offset > 0 && !count.hasMoved) {
    const first = rows.slice(0, 1).map(walk.idOf);
    offset = Math.max(0, offset - Math.max(1, walk.pageLimit - 1));
    rows = yield* readPage(walk, count, offset);
    checkOverlap(count, first, rows.map(walk.idOf));
  }
}

/** A row of the page before must show again: otherwise the list moved, and a record may have been missed. */
const checkOverlap = (count: Count, edge: readonly string[], shown: readonly string[]): void => {
  count.hasMoved ||= !edge.every((id) => shown.includes(id));
};

type Fetched<Row, Proof> = OffsetPage<Row, Proof> & { readonly offset: number; readonly isFull: boolean };

/** Fetches and yields one page. */
async function* readPage<Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  offset: number,
): OffsetPart<Row, Proof, readonly Row[]> {
  const page = await fetchPage(walk, count, offset);
  see(count, page);
  yield* landPage(count, page);
  return page.rows;
}

const fetchPage = async <Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  offset: number,
): Promise<Fetched<Row, Proof>> => {
  count.pages += 1;
  const pagesMax = walk.pagesMax ?? PAGES_MAX;
  assert(count.pages <= pagesMax, `an offset walk of more than ${pagesMax} pages`);
  const page = await walk.fetch(offset);
  return { ...page, offset, isFull: page.rows.length >= walk.pageLimit };
};

/** Compares the total of a page with those of the pages before it. */
const see = (count: Count, { total, offset, rows }: Fetched<unknown, unknown>): void => {
  count.hasMoved ||= count.total !== null && total < count.total; // a record disappeared: those after it moved up
  count.isStill = count.total === null || total === count.total;
  count.isExceeded ||= rows.length > 0 && offset + rows.length > total;
  count.total = total;
};

async function* landPage<Row, Proof>(count: Count, page: Fetched<Row, Proof>): OffsetPart<Row, Proof> {
  count.landed += (yield { page }).fresh;
}

/** After this many consecutive pages without a new record, the reading ends, whatever the total is. */
const REPEATS_MAX = 5;

type OffsetReading = {
  readonly offset: number;
  /** Reads to the end; otherwise only until nothing is missing. */
  readonly isWhole: boolean;
};

/**
 * Reads on to the end, where a whole list is read the next page while this one lands. Each page begins with the last row of the one before, which shows whether the list moved although its
 * total did not change. Returns the number of distinct records, and the rows of the first page.
 */
async function* readOn<Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  { offset: start, isWhole }: OffsetReading,
): OffsetPart<Row, Proof, { readonly distinct: number; readonly rows: readonly Row[] }> {
  const ids = new Set<string>();
  let [offset, longest, repeats, edge] = [start, 0, 0, [] as string[]];
  let firstRows: readonly Row[] | null = null;
  let next = fetchPage(walk, count, offset);
  for (;;) {
    const before = ids.size;
    const page = await next;
    see(count, page);
    const { rows } = page;
    const shown = rows.map(walk.idOf);
    checkOverlap(count, edge, shown);
    for (const id of shown) ids.add(id);
    longest = Math.max(longest, rows.length);
    repeats = ids.size > before ? 0 : repeats + 1;
    // A full page is never the last one, whatever the total: a count of the page alone would look the same. A total below
    // the number of rows seen is ignored as long as there are more rows.
    const isFull = rows.length >= (firstRows === null && !isWhole ? walk.pageLimit : longest);
    const isDoubtful = ids.size > before && (isFull || ids.size > (count.total ?? 0));
    const isPast = offset + rows.length >= (count.total ?? 0) && !isDoubtful;
    const isEnd = rows.length <= edge.length || repeats >= REPEATS_MAX || isPast;
    firstRows ??= rows;
    edge = rows.length > 1 ? shown.slice(-1) : [];
    offset += rows.length - edge.length;
    if (isWhole && !isEnd) next = ahead(fetchPage(walk, count, offset));
    yield* landPage(count, page);
    if (isEnd || (start === 0 && !isWhole && !isMissing(count)))
      return { distinct: ids.size, rows: firstRows };
    if (!isWhole) next = fetchPage(walk, count, offset);
  }
}

/** A page that nobody may await, if the one before it does not land: then its own failure does not matter. */
const ahead = <T>(page: Promise<T>): Promise<T> => {
  page.catch(() => {});
  return page;
};

const isDescending = (times: readonly (string | null)[]): boolean => {
  const [first, last] = [times.at(0) ?? null, times.at(-1) ?? null];
  return first !== null && last !== null && order(first, last) > 0;
};
