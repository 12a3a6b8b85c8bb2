// Tables by names from outside, where `constructor` is a name like any other.

/** The value under a key of the table itself, never one that every object inherits. */
export const ownValue = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
