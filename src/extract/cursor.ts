// The walk by cursor, for lists without a total: newest first, an opaque cursor from page to page. The cursor is stored
// with its page, so that an interrupted walk resumes there.
import { strict as assert } from 'node:assert';
import { order } from '../base/time.ts';
import { isNewestFirst, PAGES_MAX, type Page, type RecordPlace, type Trouble, type Walk } from './step.ts';

export type CursorPage<Row, Proof> = Page<Row, Proof> & {
  /** null at the end of the list. */
  readonly next: string | null;
  /** Whether there are more pages, if the gateway says so besides the cursor. */
  readonly hasNextPage?: boolean;
};

/**
 * The place of a walk: `top` is the instant at which it began, `until` the instant to which it reads back, null if it reads to
 * the end, and `last` the time of its last record so far.
 */
type CursorPlace = {
  readonly cursor: string;
  readonly top: string;
  readonly until: string | null;
  readonly last: string | null;
};

export type CursorWalk<Row, Proof> = {
  readonly fetch: (cursor: string | null) => Promise<CursorPage<Row, Proof>>;
  readonly timeOf: (row: Row) => string | null;
  readonly idOf: (row: Row) => string;
  /** Whether a cursor can be sent back unchanged. */
  readonly isSendable: (cursor: string) => boolean;
  /** The place where an interrupted walk resumes. */
  readonly place: CursorPlace | null;
  /** Stop at a page that is all older than this; null reads to the end. */
  readonly until: string | null;
  readonly now: () => string;
  readonly pagesMax?: number;
};

/** Walks from the newest record (or from a stored place) to `until` or to the end of the list. */
export async function* walkCursor<Row, Proof>(walk: CursorWalk<Row, Proof>): Walk<Row, Proof> {
  const top = walk.place?.top ?? walk.now();
  let until = walk.place ? walk.place.until : walk.until;
  const trail = trailOf(walk);
  let cursor = walk.place?.cursor ?? null;
  let last = walk.place?.last ?? null;
  for (let pages = 0; pages < (walk.pagesMax ?? PAGES_MAX); pages += 1) {
    const fetched = await walk.fetch(cursor);
    const page = { ...fetched, isFull: fetched.next !== null, cursorIn: cursor, cursorOut: fetched.next };
    const times = page.rows.map(walk.timeOf).filter((time) => time !== null);
    if (!isNewestFirst(last === null ? times : [last, ...times])) until = null; // an older time proves nothing
    last = times.at(-1) ?? last;
    if (page.next === null && !page.hasNextPage) {
      const covers = { from: null, to: top, proof: 'cursor' } as const;
      yield { page, ...(isLapsed(walk, page) ? {} : { covers }), resume: null };
      return;
    }
    const isFarEnough = until !== null && last !== null && order(last, until) < 0;
    const trouble = isFarEnough ? null : trail.troubleOf(page);
    if (isFarEnough || trouble) {
      yield trouble ? { page, trouble, resume: null } : { page, ...reached(until, top), resume: null };
      return;
    }
    cursor = page.next as string; // a page that announces more but has no cursor is a trouble
    yield { page, resume: JSON.stringify({ cursor, top, until, last } satisfies CursorPlace) };
  }
  assert.fail(`a cursor walk of more than ${walk.pagesMax ?? PAGES_MAX} pages`);
}

/**
 * Whether a stored cursor led to nothing, although a page announced more there: a gateway that has forgotten a cursor may
 * answer so, and the end of the list proves nothing.
 */
const isLapsed = (
  { place }: Pick<CursorWalk<unknown, unknown>, 'place'>,
  { cursorIn, rows }: Pick<RecordPlace, 'cursorIn'> & Pick<Page<unknown, unknown>, 'rows'>,
): boolean => place !== null && cursorIn === place.cursor && rows.length === 0;

/** The interval that is proved back to an instant; none if the clock is before it. */
const reached = (from: string | null, to: string) =>
  from !== null && order(from, to) < 0 ? { covers: { from, to, proof: 'cursor' as const } } : {};

/** After this many consecutive pages without a record that this walk has not shown before, it stops. */
const REPEATS_MAX = 5;

/**
 * The cursors and records of a walk. A repeated cursor is a circle; a page that announces more without a cursor, and page after page
 * that brings nothing new end the walk. One empty page does not: a gateway that filters a page after it was cut leaves it empty.
 */
const trailOf = <Row>({ idOf, isSendable }: Pick<CursorWalk<Row, unknown>, 'idOf' | 'isSendable'>) => {
  const [followed, shown] = [new Set<string>(), new Set<string>()];
  let repeats = 0;
  const wrong = ({ next, rows }: CursorPage<Row, unknown>): string | null => {
    const before = shown.size;
    for (const row of rows) shown.add(idOf(row));
    repeats = shown.size > before ? 0 : repeats + 1;
    if (next === null) return 'a page that promises more and gives no cursor';
    if (!isSendable(next)) return 'a cursor that cannot be sent back';
    if (followed.has(next)) return 'a cursor came back';
    followed.add(next);
    return repeats < REPEATS_MAX
      ? null
      : `${REPEATS_MAX} pages in a row brought nothing that was not shown before`;
  };
  const troubleOf = (page: CursorPage<Row, unknown>): Trouble | null => {
    const detail = wrong(page);
    return detail === null
      ? null
      : { subject: 'cursor', detail: `${detail}: the list was not read to its end` };
  };
  return { troubleOf };
};

/** Reads a stored place; null if there is none. */
export const readPlace = (token: string | null): CursorPlace | null =>
  token === null ? null : (JSON.parse(token) as CursorPlace);
