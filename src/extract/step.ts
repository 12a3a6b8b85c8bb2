// The steps of a walk: one page at a time, with the interval that it proves and the place to resume after a kill. Walks know
// neither HTTP nor Postgres; they take a function that fetches, and receive the number of new records of each landed page.
import { order } from '../base/time.ts';

/** Half-open, in instants of UTC text; null is no bound on that side. */
export type Interval = { readonly from: string | null; readonly to: string | null };

/** A record as a list shows it. */
export type ShownRow = { readonly id: string; readonly time: string | null };

/** A reason why a stream is not complete; the walk continues around it. */
export type Trouble = { readonly subject: string; readonly detail: string };

/** One page as fetched. `proof` is stored with it (the receipt of the request). */
export type Page<Row, Proof> = { readonly rows: readonly Row[]; readonly proof: Proof };

/** The place of a page in its walk, for the certificate. */
export type RecordPlace = {
  /** It has as many rows as one answer holds, so there may be more. */
  readonly isFull: boolean;
  readonly offset?: number;
  readonly total?: number;
  readonly cursorIn?: string | null;
  readonly cursorOut?: string | null;
};

/**
 * Time proved complete, and how: by a window that was not full, by the cells of an instant, by a list as long as its
 * total, by a chain of cursors.
 */
export type Cover = Interval & {
  readonly proof: 'window' | 'split' | 'list' | 'cursor';
  readonly total?: number;
};

export type WalkStep<Row, Proof> = {
  /** Absent if a step only proves an interval from earlier pages. */
  readonly page?: Page<Row, Proof> & RecordPlace;
  /** The interval that is complete once this page is landed. */
  readonly covers?: Cover;
  /** The place to resume after a kill: text to store, null to delete, absent to leave unchanged. */
  readonly resume?: string | null;
  readonly trouble?: Trouble;
};

/** The result of landing a page. `fresh` counts the records never seen before. */
export type Landed = { readonly fresh: number };

export type Walk<Row, Proof> = AsyncGenerator<WalkStep<Row, Proof>, void, Landed>;

/** A walk with more pages than this is a fault, of the gateway or ours. */
export const PAGES_MAX = 1_000_000;

/** Whether times never increase, as in a list that is newest first. */
export const isNewestFirst = (times: readonly string[]): boolean =>
  times.every((time, index) => index === 0 || order(times[index - 1] as string, time) >= 0);
