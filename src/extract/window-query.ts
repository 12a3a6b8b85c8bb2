// The query of one request of a window, and the ways to split it further.

/** Bounds are inclusive instants in whole milliseconds; null is no bound. Filters narrow by a word of a closed set. */
export type WindowQuery = {
  readonly from: string | null;
  readonly to: string | null;
  readonly filters: Readonly<Record<string, string>>;
};

/** One way to split an instant: a filter and all its known words. */
export type Cut = { readonly filter: string; readonly words: readonly string[] };
