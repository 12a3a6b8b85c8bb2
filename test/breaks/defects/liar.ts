// A world with false answers: records left out of its lists or added to them, and wrong balances.
import type { StreamName } from '../../../src/base/streams.ts';
import { textOf, unitsOf } from '../../../src/sandbox/amount.ts';
import { writeJson } from '../../../src/sandbox/wire-json.ts';
import type { TradingState, World } from '../../../src/sandbox/world.ts';
import { effectsOf, plus, type Row, type Sums } from './effects.ts';

/** The false answers. `added` and `hidden` are records; `moved` is added to the balances, in units. */
export type Lie = {
  readonly hidden?: readonly Row[];
  readonly added?: readonly Row[];
  readonly moved?: ReadonlyMap<string, bigint>;
  readonly trading?: (state: TradingState) => TradingState;
};

export type Liar = World & { readonly tell: (lies: readonly Lie[]) => void };

export const liarOf = (world: World): Liar => {
  let lies: readonly Lie[] = [];
  const all = (rowsOf: (lie: Lie) => readonly Row[] | undefined, stream: StreamName): Row[] =>
    lies.flatMap((lie) => rowsOf(lie) ?? []).filter((row) => row.stream === stream);
  const movedTo = (place: string): bigint => {
    const sums: Sums = new Map();
    for (const { moved } of lies) if (moved) plus(sums, moved);
    return sums.get(place) ?? 0n;
  };
  const raised = <T extends { readonly balance: string }>(state: T, place: string): T => ({
    ...state,
    balance: textOf(unitsOf(state.balance) + movedTo(place)),
  });
  return {
    ...world,
    tell: (some) => {
      lies = some;
    },
    rows: (entityId, stream) => {
      const hidden = new Set(all((lie) => lie.hidden, stream).map(({ id }) => id));
      const added = all((lie) => lie.added, stream);
      const rows = world.rows(entityId, stream).filter(({ id }) => !hidden.has(id));
      return [...rows, ...added].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    },
    pockets: (entityId) =>
      world.pockets(entityId).map((it) => raised(it, `assets:pocket:${it.id} ${it.currency}`)),
    trading: (entityId) =>
      world
        .trading(entityId)
        .map((it) => raised(it, `assets:trading ${it.currency}`))
        .map((it) => lies.reduce((state, lie) => lie.trading?.(state) ?? state, it)),
  };
};

/** The change of reported − booked that a lie causes. A clearing account is reported as 0. */
export const differenceOf = (
  { hidden = [], added = [], moved, trading }: Lie,
  states: readonly TradingState[],
): Sums => {
  const sums: Sums = new Map(moved ?? []);
  for (const row of hidden) plus(sums, effectsOf(row));
  for (const row of added) if (!isUnbookable(row)) plus(sums, effectsOf(row), -1n);
  for (const state of states) {
    const other = trading?.(state) ?? state;
    const total = (state: TradingState) => unitsOf(state.balance) + unitsOf(state.blocked);
    plus(sums, new Map([[`assets:trading ${state.currency}`, total(other) - total(state)]]));
  }
  return sums;
};

/** An unknown word in a deciding field: the record is landed and books nothing, like one that is not final. */
export const UNKNOWN = 'mystery';
const isUnbookable = ({ body }: Row): boolean =>
  body.status === 'pending' || writeJson(body).includes(`"${UNKNOWN}"`);
