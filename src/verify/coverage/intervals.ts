// Whether the pages of an interval prove it. Each check returns the reason why they do not, or null.
import { order } from '../../base/time.ts';
import type { LeafRow, PageRow } from './rows.ts';

type IntervalProof = (leaf: LeafRow, group: readonly PageRow[], all: readonly PageRow[]) => string | null;

/** A full page proves nothing at or before its oldest record. */
export const windowFault: IntervalProof = (leaf, group) => {
  const page = group.at(-1);
  if (!page) return 'no page proves it';
  if (!page.is_full) return null;
  const isTrimmed =
    leaf.lower !== '-infinity' && page.oldest_at !== null && order(leaf.lower, page.oldest_at) > 0;
  return isTrimmed ? null : `page ${page.request_id} was full: there may be more records`;
};

/** Every full cell of an instant must be split by one more filter. */
export const cellsFault: IntervalProof = (_, group) => {
  const cells = group.map((page) => ({ page, filters: filtersOf(page) }));
  const isSplit = (filters: string[]) =>
    cells.some(
      (cell) =>
        cell.filters.length === filters.length + 1 &&
        filters.every((filter) => cell.filters.includes(filter)),
    );
  const full = cells.find(({ page, filters }) => page.is_full && !isSplit(filters));
  if (full)
    return `the cell ${full.filters.join(' ') || 'of the whole instant'} was full: there may be more records`;
  return cells.some(({ filters }) => filters.length > 0) ? null : 'no cell proves it';
};

const WINDOW = new Set(['from', 'to', 'limit']);

const filtersOf = ({ target }: PageRow): string[] => {
  const query = new URL(target ?? '', 'http://gateway.invalid').searchParams;
  return [...query].filter(([name]) => !WINDOW.has(name)).map(([name, value]) => `${name}=${value}`);
};

/** The total must not have changed at the end of the walk, and must not exceed the distinct records landed. */
export const listFault: IntervalProof = (leaf, group) => {
  const [before, last] = group.filter((page) => page.walk_id === leaf.walk_id).slice(-2);
  const final = last ?? before;
  if (!before || !final) return 'no page proves it';
  if (final.list_total !== leaf.list_total)
    return `its total is ${leaf.list_total}, the gateway reported ${final.list_total}`;
  if (before.list_total !== final.list_total) {
    return `the total changed from ${before.list_total} to ${final.list_total} while the list was read`;
  }
  return leaf.records < (leaf.list_total ?? 0)
    ? `the gateway counts ${leaf.list_total} records, ${leaf.records} distinct records are landed`
    : null;
};

/** Each page must have been requested with the cursor that the page before it returned, to the list's end or the interval's start. */
export const cursorFault: IntervalProof = (leaf, group, all) => {
  const walk = group.filter((page) => page.walk_id === leaf.walk_id);
  const [first, last] = [walk[0], walk.at(-1)];
  if (!first || !last) return 'no page proves it';
  if (first.cursor_in !== null && !all.some((page) => page.cursor_out === first.cursor_in))
    return 'its first page was requested with a cursor that no page returned';
  const broken = walk.find((page, index) => index > 0 && page.cursor_in !== walk[index - 1]?.cursor_out);
  if (broken) return `page ${broken.request_id} does not follow the one before it`;
  if (last.cursor_out === null) return null;
  const isFarEnough =
    leaf.lower !== '-infinity' && last.oldest_at !== null && order(last.oldest_at, leaf.lower) < 0;
  return isFarEnough ? null : `page ${last.request_id} announced another page, and none followed`;
};
