// What one request of a window asks for, and how a window can be split further.

/** Bounds are inclusive instants of whole milliseconds; null is no bound. Filters narrow by a deciding word. */
export type WindowQuery = {
  readonly from: string | null;
  readonly to: string | null;
  readonly filters: Readonly<Record<string, string>>;
};

/** One way to split an instant: a filter and every word that it is known to take. */
export type Cut = { readonly filter: string; readonly words: readonly string[] };
