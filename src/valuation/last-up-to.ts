// A search by halving among what is in order of time.

/** The last item at or before an instant, in microseconds since 1970. */
export const lastUpTo = <T extends { readonly micros: number }>(
  items: readonly T[],
  micros: number,
): T | undefined => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.micros ?? 0) <= micros) low = middle + 1;
    else high = middle;
  }
  return items[low - 1];
};
