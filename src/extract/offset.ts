// The walk by offset, for lists that report their total and may shift during the reading. Advances by the rows received,
// never by the requested limit. A count proves the list complete: as many distinct ids landed as the gateway reports.
import { order } from '../base/time.ts';
import { fetchedAhead } from './ahead.ts';
import {
  type Count,
  checkOverlap,
  type Fetched,
  fetchPage,
  type OffsetPlace,
  type OffsetReading,
  type OffsetWalk,
  pagesOn,
  see,
} from './offset-pages.ts';
import { noLongerListed, unproved } from './offset-troubles.ts';
import type { Landed, Walk, WalkStep } from './step.ts';

/** How often a list that moves while it is read is read again from its start. */
const WALKS_MAX = 3;

/**
 * Walks a list to its end. An unchanged total costs one request, also if landed records are no longer listed: only another number
 * of them is proved by reading the whole list again, and more of them are reported. A reading of everything begins with what is new,
 * because its time may be over before it comes there; then it goes on where its time was over in an earlier night.
 */
export async function* walkOffset<Row, Proof>(walk: OffsetWalk<Row, Proof>): Walk<Row, Proof> {
  const count: Count = {
    landed: walk.known,
    gone: walk.gone,
    total: null,
    newestTotal: null,
    pages: 0,
    isStill: true,
    hasMoved: false,
    isExceeded: false,
  };
  const isOnePage = listedIn(count) < walk.pageLimit;
  const isShort = walk.gone > 0 && isOnePage; // its end alone may be its oldest part
  if (walk.isFull && !isOnePage) yield* readOn(walk, count, { offset: listedIn(count) - 1, isWhole: false });
  let after = walk.isFull ? readOffsetPlace(walk.place) : null;
  for (let walks = WALKS_MAX, isWhole = walk.isFull || isShort; walks > 0; walks -= 1) {
    const since = walk.now();
    count.hasMoved = false;
    count.isExceeded = false;
    if (count.landed > 0 && !isWhole) yield* settle(walk, count);
    const isProved = isSteady(count) && listedIn(count) === count.total;
    const distinct =
      isProved && !isWhole
        ? listedIn(count)
        : (yield* readOn(walk, count, { offset: after?.offset ?? 0, isWhole: true, after })).distinct;
    const isStable = isSteady(count) && !count.hasMoved;
    if (isStable && distinct === count.total && count.landed >= count.total) {
      yield { covers: { from: null, to: since, proof: 'list', total: count.total }, ...ended(walk) };
      if (count.landed - count.total > walk.gone)
        yield { trouble: noLongerListed(count.landed, count.total) };
      return;
    }
    if (walks === 1) yield { trouble: unproved(count, distinct), ...ended(walk) };
    // What came late into a part that was read before is missing in the count alone.
    isWhole = count.hasMoved || distinct !== listedIn(count) || (isStable && after === null);
    after = null;
  }
}

/** Nothing is left to go on with. */
const ended = ({ isFull, place }: Pick<OffsetWalk<unknown, unknown>, 'isFull' | 'place'>) =>
  isFull || (place ?? null) !== null ? { resume: null } : {};

const readOffsetPlace = (token: string | null = null): OffsetPlace | null =>
  token === null ? null : (JSON.parse(token) as OffsetPlace);

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

async function* landPage<Row, Proof>(
  count: Count,
  page: Fetched<Row, Proof>,
  resume?: string | null,
): OffsetPart<Row, Proof> {
  count.landed += (yield { page, ...(resume !== undefined && { resume }) }).fresh;
}

/** What to store of a reading of everything: no place once the list has moved, because a record may have moved past it. */
const resumeAt = (count: Count, place: OffsetPlace | null): string | null | undefined => {
  if (count.hasMoved) return null;
  return place === null ? undefined : JSON.stringify(place);
};

/** Of a whole list, so many pages are fetched before they land: the limit of a second passes, whatever the database has to do. */
const PAGES_AHEAD = 3;

/** Reads on to the end. Returns the number of distinct records, and the rows of the first page. */
async function* readOn<Row, Proof>(
  walk: OffsetWalk<Row, Proof>,
  count: Count,
  reading: OffsetReading,
): OffsetPart<Row, Proof, { readonly distinct: number; readonly rows: readonly Row[] }> {
  const pages = pagesOn(walk, count, reading);
  let [first, distinct]: [readonly Row[] | null, number] = [null, 0];
  for await (const page of reading.isWhole ? fetchedAhead(pages, PAGES_AHEAD) : pages) {
    yield* landPage(count, page, walk.isFull && reading.isWhole ? resumeAt(count, page.place) : undefined);
    first ??= page.rows;
    distinct = page.distinct;
    if (reading.offset === 0 && !reading.isWhole && !isMissing(count)) break;
  }
  return { distinct, rows: first ?? [] };
}

const isDescending = (times: readonly (string | null)[]): boolean => {
  const [first, last] = [times.at(0) ?? null, times.at(-1) ?? null];
  return first !== null && last !== null && order(first, last) > 0;
};
