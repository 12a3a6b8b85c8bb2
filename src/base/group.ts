// Groups of items: those of one key, and batches of one size.
/** The items of each key, keys and items in the order in which they come. */
export const groupBy = <T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** Items in their order, cut into batches of at most so many. */
export const inBatches = <T>(items: readonly T[], itemsMax: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / itemsMax) }, (_, index) =>
    items.slice(index * itemsMax, (index + 1) * itemsMax),
  );
