// Own pairs: which leg to a person in one entity's books is the leg from a person in another's. Pure. One to one; the
// surest grounds first, then the nearest in time; among equals their order decides.
import { compare, sign } from '../base/money.ts';
import { msOf, order } from '../base/time.ts';
import { grouped } from './pairs.ts';

/** What one entry moved to people (amount > 0: money left) or from them; `pocketed` is more or less by a fee. */
export type PersonMove = {
  readonly entity_id: string;
  readonly entry_id: string;
  readonly currency: string;
  readonly stream: string;
  readonly record_id: string;
  readonly amount: string;
  readonly pocketed: string;
  readonly at: string;
  /** The entity of ours that the record names, and by what. */
  readonly names_entity: string | null;
  readonly names_by: 'pocket' | 'user' | null;
  /** The record names somebody who is none of ours. */
  readonly elsewhere: boolean;
};

export type Grounds = 'record' | 'pocket' | 'user' | 'amount and time';
export type OwnPair = { readonly out: PersonMove; readonly in: PersonMove; readonly grounds: Grounds };

/** How far apart in time both views of one move may lie: where one names the other, and where nothing but time speaks for it. */
export type Patience = { readonly namedMs: number; readonly transitMs: number };

/** So many of one amount are weighed against one move, the nearest of them: a bound on time and memory, not a rule. */
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

/** Either names the other, and neither names a third; one record that both were told names them both. */
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
  const byAmount = grouped(
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

/** What left may be told with its fee or without, and so may what came. */
const amountsOf = ({ amount, pocketed }: PersonMove): string[] => [
  ...new Set([amount.replace(/^-/, ''), pocketed]),
];

const edge = (out: PersonMove, arrived: PersonMove, groundsOf: Between): Edge[] => {
  if (out.entity_id === arrived.entity_id) return [];
  const [sent, came] = [out.amount, arrived.amount.replace(/^-/, '')];
  const agrees = [sent, out.pocketed].includes(came) || sent === arrived.pocketed;
  const grounds = agrees ? groundsOf(out, arrived) : null;
  const apartMs = Math.abs(msOf(out.at) - msOf(arrived.at));
  return grounds === null ? [] : [{ out, in: arrived, grounds, apartMs, isEqual: compare(sent, came) === 0 }];
};

/** One record before two that name each other, those before one that names the other, and all of them before mere time. */
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
  order(a.at, b.at) || (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0);

const nameOf = (move: PersonMove): string => `${move.entity_id} ${move.stream} ${move.record_id}`;
