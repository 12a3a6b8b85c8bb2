// The current lists of a world, oldest first, sorted while records appear, change and disappear.
import type { StreamName } from '../../src/base/streams.ts';
import type { WireObject } from '../../src/sandbox/wire-json.ts';
import type { Listed } from '../../src/sandbox/world.ts';
import type { Life } from './life.ts';

type Lists = {
  readonly rows: (stream: StreamName) => readonly Listed[];
  readonly put: (life: Life) => void;
  readonly change: (life: Life) => void;
  readonly remove: (life: Life) => void;
};

type List = { readonly lives: Life[]; rows: Listed[]; isStale: boolean };

/** Empty lists. Folded times are ordered to the microsecond, but filtered by their millisecond. */
export const openLists = (isFolded: boolean): Lists => {
  const lists = new Map<StreamName, List>();
  const listOf = (stream: StreamName): List => {
    const known = lists.get(stream) ?? { lives: [], rows: [], isStale: false };
    lists.set(stream, known);
    return known;
  };
  return {
    rows: (stream) => {
      const list = listOf(stream);
      if (list.isStale) list.rows = list.lives.map((life) => listed(life, isFolded));
      list.isStale = false;
      return list.rows;
    },
    put: (life) => {
      const list = listOf(life.stream);
      list.lives.splice(placeOf(list.lives, life), 0, life);
      list.isStale = true;
    },
    change: (life) => {
      listOf(life.stream).isStale = true;
    },
    remove: (life) => {
      const list = listOf(life.stream);
      list.lives.splice(placeOf(list.lives, life), 1);
      list.isStale = true;
    },
  };
};

/** The index of a life, or where it would be inserted. */
const placeOf = (lives: readonly Life[], life: Life): number => {
  let [low, high] = [0, lives.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(lives[middle] as Life, life)) low = middle + 1;
    else high = middle;
  }
  return low;
};

const isBefore = (a: Life, b: Life): boolean => a.atUs < b.atUs || (a.atUs === b.atUs && a.id < b.id);

const listed = ({ id, atUs, bodies, scope }: Life, isFolded: boolean): Listed => ({
  id,
  body: bodies.at(-1) as WireObject,
  at: isFolded ? Math.floor(atUs / 1000) : atUs / 1000,
  ...(scope !== '' && { scope }),
});
