// Own pairs: finds the leg from a person in one entity's books that belongs to a leg to a person in another's. Pure. One to
// one: the strongest evidence first, then the nearest in time; equal candidates pair in order.
import { groupBy } from '../base/group.ts';
import { compare, sign } from '../base/money.ts';
import { msOf, order } from '../base/time.ts';
import type { Move } from './pairs.ts';

/** The amount that one entry moved to people (amount > 0: outflow) or from them; `pocketed` differs from it by a fee. */
export type PersonMove = Omit<Move, 'pocket'> & {
  readonly entity_id: string;
  readonly currency: string;
  readonly pocketed: string;
  /** The entity of ours that the record names, and how. */
  readonly names_entity: string | null;
  readonly names_by: 'pocket' | 'user' | null;
  /** The record names somebody outside our entities. */
  readonly elsewhere: boolean;
};

type Grounds = 'record' | 'pocket' | 'user' | 'amount and time';
export type OwnPair = { readonly out: PersonMove; readonly in: PersonMove; readonly grounds: Grounds };

/** The longest time between the two records of one move: if one names the other, and if only the time matches. */
type Patience = { readonly namedMs: number; readonly transitMs: number };

/** At most this many candidates of one amount, the nearest, are compared with one move: a limit on time and memory. */
const NEAR_MAX = 100;

/** The pairs of one currency, in order of time. */
export const pairOwn = (moves: readonly PersonMove[], { namedMs, transitMs }: Patience): OwnPair[] => {
  const rounds = [
    { distanceMs: namedMs, groundsOf: recipientNameIn },
    { distanceMs: transitMs, groundsOf: isNameless },
  ];
  const pairs: OwnPair[] = [];
  for (const { distanceMs, groundsOf } of rounds) {
    const done = new Set(pairs.flatMap((pair) => [pair.out, pair.in]));
    const left = moves.filter((move) => !done.has(move));
    pairs.push(...nearestFirst(edgesOf(left, distanceMs, groundsOf)));
  }
  return pairs.sort((a, b) => inOrder(a.out, b.out));
};

type Between = (out: PersonMove, arrived: PersonMove) => Grounds | null;

/** One names the other, and neither names a third; a record that both entities received names both. */
const recipientNameIn: Between = (out, arrived) => {
  const isSame = out.stream === arrived.stream && out.record_id === arrived.record_id;
  if (!isSame && !(mayName(out, arrived) && mayName(arrived, out))) return null;
  if (isSame) return 'record';
  return out.names_by ?? arrived.names_by;
};

const mayName = ({ names_entity, elsewhere }: PersonMove, other: PersonMove): boolean =>
  !elsewhere && (names_entity === null || names_entity === other.entity_id);

const isNameless: Between = (out, arrived) =>
  [out, arrived].every(({ names_entity, elsewhere }) => names_entity === null && !elsewhere)
    ? 'amount and time'
    : null;

type Edge = OwnPair & { readonly apartMs: number; readonly isEqual: boolean };

const edgesOf = (moves: readonly PersonMove[], distanceMs: number, groundsOf: Between): Edge[] => {
  const arrivals = moves.filter(({ amount }) => sign(amount) < 0).sort(inOrder);
  const byAmount = groupBy(
    arrivals.flatMap((move) => amountsOf(move).map((amount) => ({ amount, move }))),
    ({ amount }) => amount,
  );
  return moves
    .filter(({ amount }) => sign(amount) > 0)
    .flatMap((out) => {
      const agreeing = new Set(
        amountsOf(out).flatMap((amount) => (byAmount.get(amount) ?? []).map((it) => it.move)),
      );
      const edges = [...agreeing].flatMap((arrived) => edge(out, arrived, groundsOf));
      return edges
        .filter(({ apartMs }) => apartMs <= distanceMs)
        .sort(byNearness)
        .slice(0, NEAR_MAX);
    });
};

/** Each amount may include its fee or not. */
const amountsOf = ({ amount, pocketed }: PersonMove): string[] => [
  ...new Set([amount.replace(/^-/, ''), pocketed]),
];

const edge = (out: PersonMove, arrived: PersonMove, groundsOf: Between): Edge[] => {
  if (out.entity_id === arrived.entity_id) return [];
  const [sent, came] = [out.amount, arrived.amount.replace(/^-/, '')];
  const agrees = [sent, out.pocketed].includes(came) || sent === arrived.pocketed;
  const grounds = agrees ? groundsOf(out, arrived) : null;
  const apartMs = Math.abs(msOf(out.effective_at) - msOf(arrived.effective_at));
  return grounds === null ? [] : [{ out, in: arrived, grounds, apartMs, isEqual: compare(sent, came) === 0 }];
};

/** Strongest first: the same record, two records that name each other, one that names the other, only the time. */
const doubtOf = ({ grounds, out, in: arrived }: OwnPair): number => {
  if (grounds === 'record') return 0;
  return [out, arrived].filter(({ names_entity }) => names_entity === null).length + 1;
};

const byNearness = (a: Edge, b: Edge): number =>
  doubtOf(a) - doubtOf(b) ||
  (a.isEqual === b.isEqual ? 0 : a.isEqual ? -1 : 1) ||
  a.apartMs - b.apartMs ||
  inOrder(a.out, b.out) ||
  inOrder(a.in, b.in);

const nearestFirst = (edges: readonly Edge[]): OwnPair[] => {
  const taken = new Set<PersonMove>();
  const pairs: OwnPair[] = [];
  for (const { out, in: arrived, grounds } of [...edges].sort(byNearness)) {
    if (taken.has(out) || taken.has(arrived)) continue;
    taken.add(out).add(arrived);
    pairs.push({ out, in: arrived, grounds });
  }
  return pairs;
};

const inOrder = (a: PersonMove, b: PersonMove): number =>
  order(a.effective_at, b.effective_at) || (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0);

const nameOf = (move: PersonMove): string => `${move.entity_id} ${move.stream} ${move.record_id}`;
