// The walk by offset, for lists that tell their total and may shift while they are read. Advances by the rows
// received, never by the limit asked. What proves the list complete is a count: as many distinct ids landed as the
// gateway says there are.
import { strict as assert } from 'node:assert';
import { order } from '../time.ts';
import { type Landed, PAGES_MAX, type Page, type Step, type Trouble, type Walk } from './step.ts';

export type OffsetPage<Row, Proof> = Page<Row, Proof> & { readonly total: number };

export type OffsetWalk<Row, Proof> = {
  /** Asks for the list oldest first; a list that comes otherwise is still read whole. */
  readonly fetch: (offset: number) => Promise<OffsetPage<Row, Proof>>;
  readonly idOf: (row: Row) => string;
  readonly timeOf: (row: Row) => string | null;
  /** How many distinct records of this list are landed already. */
  readonly known: number;
  /** Read everything again, whatever is known. */
  readonly isFull: boolean;
  readonly now: () => string;
  readonly pageLimit: number;
  readonly pagesMax?: number;
  readonly walksMax?: number;
};

/** Walks a list to its end. An unchanged total costs one request. */
export async function* walkOffset<Row, Proof>(walk: OffsetWalk<Row, Proof>): Walk<Row, Proof> {
  const count: Count = {
    ...{ landed: walk.known, total: null, pages: 0 },
    ...{ isStill: true, hasShrunk: false, isExceeded: false },
  };
  for (let walks = walk.walksMax ?? 3, isWhole = walk.isFull; walks > 0; walks -= 1) {
    const since = walk.now();
    count.hasShrunk = false;
    count.isExceeded = false;
    if (count.landed > 0 && !isWhole) yield* settle(walk, count);
    const isProved = isSteady(count) && count.landed === count.total;
    const distinct = isProved && !isWhole ? count.landed : yield* walkWhole(walk, count);
    if (isSteady(count) && !count.hasShrunk && distinct === count.total) {
      yield { covers: { from: null, to: since, proof: 'list', total: count.total } };
      if (count.landed > count.total) yield { trouble: gone(count.landed, count.total) };
      return;
    }
    if (walks === 1) yield { trouble: unstable(count.total, distinct) };
    isWhole = count.hasShrunk;
  }
}

/** How far the reading of a list is. */
type Count = {
  /** How many distinct records are landed. */
  landed: number;
  /** How many the gateway last said there are, and whether it said so before. */
  total: number | null;
  isStill: boolean;
  /** The total went down: what was behind the record that went has moved up, perhaps past the place that is read next. */
  hasShrunk: boolean;
  /** A page showed rows behind the total's end: who counts too few cannot be asked whether all is landed. */
  isExceeded: boolean;
  pages: number;
};

const isSteady = ({ isStill, isExceeded }: Count): boolean => isStill && !isExceeded;

/** A list that grows while its new end is read is asked again, this often at most, before it is read whole. */
const SETTLE_MAX = 8;

/** Reads what was added since, until all that is counted is landed and the total stands still, or cannot be reached so. */
async function* settle<Row, Proof>(walk: OffsetWalk<Row, Proof>, count: Count): Part<Row, Proof> {
  for (let asked = 0; asked < SETTLE_MAX; asked += 1) {
    yield* walkNew(walk, count);
    if (count.isStill || count.landed !== count.total) return;
  }
}

const unstable = (total: number | null, distinct: number): Trouble => ({
  subject: 'total',
  detail: `the gateway counts ${total} records and lists ${distinct} distinct ones, each time the list was read`,
});

const gone = (landed: number, total: number): Trouble => ({
  subject: 'disappeared',
  detail: `${landed - total} of ${landed} records landed before are no longer listed; they are kept`,
});

type Part<Row, Proof, Result = void> = AsyncGenerator<Step<Row, Proof>, Result, Landed>;

/**
 * Reads what was added since: first from the last that is known, where a list in time order grows (and where one that
 * lost a record and got another shows an unknown one); then, while the count says that records are missing, backwards
 * from there for those added with an older time, or from the front where the list turned out to be newest first.
 */
async function* walkNew<Row, Proof>(walk: OffsetWalk<Row, Proof>, count: Count): Part<Row, Proof> {
  const known = count.landed - 1;
  const behind = yield* take(walk, count, known);
  let offset = known + behind.length;
  for (let rows = behind; rows.length > 0 && offset < (count.total ?? 0); offset += rows.length)
    rows = yield* take(walk, count, offset);
  const isNewestFirst = isDescending(behind.map(walk.timeOf));
  for (offset = isNewestFirst ? 0 : known; count.landed < (count.total ?? 0); ) {
    if (!isNewestFirst) offset = Math.max(0, offset - walk.pageLimit);
    const rows = yield* take(walk, count, offset);
    if (isNewestFirst) offset += rows.length;
    if (rows.length === 0 || offset === 0 || offset >= (count.total ?? 0)) return;
  }
}

/** Fetches and hands on one page. */
async function* take<Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  offset: number,
): Part<Row, Proof, readonly Row[]> {
  count.pages += 1;
  const pagesMax = walk.pagesMax ?? PAGES_MAX;
  assert(count.pages <= pagesMax, `an offset walk of more than ${pagesMax} pages`);
  const page = await walk.fetch(offset);
  count.hasShrunk ||= count.total !== null && page.total < count.total;
  count.isStill = count.total === null || page.total === count.total;
  count.isExceeded ||= page.rows.length > 0 && offset + page.rows.length > page.total;
  count.total = page.total;
  const isFull = page.rows.length >= walk.pageLimit;
  count.landed += (yield { page: { ...page, isFull, offset } }).fresh;
  return page.rows;
}

/** Reads the list from its start until the end has been seen. Returns how many distinct records it showed. */
async function* walkWhole<Row, Proof>(walk: OffsetWalk<Row, Proof>, count: Count): Part<Row, Proof, number> {
  const ids = new Set<string>();
  for (let offset = 0; ; ) {
    const before = ids.size;
    const rows = yield* take(walk, count, offset);
    for (const row of rows) ids.add(walk.idOf(row));
    // A list that ends with its first page is asked once more, since a count of the page looks the same as a total; and
    // a total that is less than what was seen is not believed, as long as more comes.
    const isDoubtful = offset === 0 || (ids.size > (count.total ?? 0) && ids.size > before);
    offset += rows.length;
    if (rows.length === 0 || (offset >= (count.total ?? 0) && !isDoubtful)) return ids.size;
  }
}

const isDescending = (times: readonly (string | null)[]): boolean => {
  const [first, last] = [times.at(0) ?? null, times.at(-1) ?? null];
  return first !== null && last !== null && order(first, last) > 0;
};
