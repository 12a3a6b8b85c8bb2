// What answers look up in a list of the world, made once for each list: the world returns the same one until something is new in it.
import type { Listed } from './world.ts';

export const oncePerList = <T>(make: (rows: readonly Listed[]) => T): ((rows: readonly Listed[]) => T) => {
  const made = new WeakMap<readonly Listed[], { readonly value: T }>();
  return (rows) => {
    const known = made.get(rows) ?? { value: make(rows) };
    made.set(rows, known);
    return known.value;
  };
};
