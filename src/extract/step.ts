// What a walk hands on: one page at a time, with what it proves and where to go on after a kill. Walks know neither
// HTTP nor Postgres; they take a function that fetches, and whoever lands a page tells them how much of it was new.
import { order } from '../base/time.ts';

/** Half-open, in instants of UTC text; null is no bound on that side. */
export type Interval = { readonly from: string | null; readonly to: string | null };

/** Something that keeps a stream from being complete; the walk goes on around it. */
export type Trouble = { readonly subject: string; readonly detail: string };

/** One page as fetched. `proof` is whatever the fetcher wants to keep beside it (the request's receipt). */
export type Page<Row, Proof> = { readonly rows: readonly Row[]; readonly proof: Proof };

/** How a page stands in its walk: what a certificate must show. */
export type RecordPlace = {
  /** As many rows as one answer holds, so that there may be more. */
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
  /** Absent where a step only concludes from pages handed on before. */
  readonly page?: Page<Row, Proof> & RecordPlace;
  /** Time that is complete once this page is landed. */
  readonly covers?: Cover;
  /** Where to go on after a kill: text to keep, null to forget, absent to leave as it is. */
  readonly resume?: string | null;
  readonly trouble?: Trouble;
};

/** What landing a page found. `fresh` counts the records never seen before. */
export type Landed = { readonly fresh: number };

export type Walk<Row, Proof> = AsyncGenerator<WalkStep<Row, Proof>, void, Landed>;

/** A walk that goes on beyond this is a fault of the gateway or ours, never patience. */
export const PAGES_MAX = 1_000_000;

/** Whether times never go up, as in a list that is newest first. */
export const isNewestFirst = (times: readonly string[]): boolean =>
  times.every((time, index) => index === 0 || order(times[index - 1] as string, time) >= 0);
