// Own pairs: finds the leg from outside in one entity's books that belongs to a leg to the outside in another's: to a person, or
// to an address of ours on a chain. Pure. One to one: the strongest evidence first, then the nearest in time; equal candidates
// pair in order. What is certainly one transfer pairs although less arrived than was sent.
import { groupBy } from '../base/group.ts';
import { compare, sign, unsigned } from '../base/money.ts';
import { msOf, order } from '../base/time.ts';
import type { Move } from './pairs.ts';

/** The amount that one entry moved to people or a chain (amount > 0: outflow) or from them; `pocketed` differs from it by a fee. */
export type OutsideMove = Omit<Move, 'pocket'> & {
  readonly entity_id: string;
  readonly currency: string;
  readonly pocketed: string;
  /** The entity of ours that the record names, and how. */
  readonly names_entity: string | null;
  readonly names_by: 'pocket' | 'user' | 'address' | null;
  /** When its record was cancelled; null if it stands. */
  readonly cancelled_at: string | null;
  /** The record names somebody outside our entities. */
  readonly elsewhere: boolean;
  /** It moved on a chain. Amount and time alone never pair such moves: they are strangers' as a rule. */
  readonly is_chain: boolean;
  /** The hash of the transaction on the chain; null if the record has none. */
  readonly hash: string | null;
  /** On a chain: the pockets of ours that the address belongs to, or the one that received. */
  readonly pockets: readonly string[];
};

type Grounds = 'record' | 'pocket' | 'user' | 'amount and time' | 'address' | 'hash' | 'address and hash';
export type OwnPair = { readonly out: OutsideMove; readonly in: OutsideMove; readonly grounds: Grounds };

/** The longest time between the two records of one move: if one names the other, and if only the time matches. */
type Patience = { readonly namedMs: number; readonly transitMs: number };

/** At most this many candidates of one amount, the nearest, are compared with one move: a limit on time and memory. */
const NEAR_MAX = 100;

/** The pairs of one currency, in order of time. */
export const pairOwn = (moves: readonly OutsideMove[], { namedMs, transitMs }: Patience): OwnPair[] => {
  const rounds: readonly Round[] = [
    { distanceMs: namedMs, groundsOf: namedGrounds, keysOf: amountsOf, agrees: isSameAmount },
    { distanceMs: transitMs, groundsOf: isNameless, keysOf: amountsOf, agrees: isSameAmount },
    { distanceMs: namedMs, groundsOf: certainGrounds, keysOf: recordsOf, agrees: isLess },
  ];
  const pairs: OwnPair[] = [];
  for (const round of rounds) {
    const done = new Set(pairs.flatMap((pair) => [pair.out, pair.in]));
    const left = moves.filter((move) => !done.has(move));
    pairs.push(...nearestFirst(edgesOf(left, round)));
  }
  return pairs.sort((a, b) => inOrder(a.out, b.out));
};

/** Two moves are compared if they share a key, and may be one transfer if their amounts agree and there are grounds. */
type Round = {
  readonly distanceMs: number;
  readonly groundsOf: Between;
  readonly keysOf: (move: OutsideMove) => readonly string[];
  readonly agrees: (out: OutsideMove, arrived: OutsideMove) => boolean;
};

type Between = (out: OutsideMove, arrived: OutsideMove) => Grounds | null;

const namedGrounds: Between = (out, arrived) => {
  if (out.is_chain !== arrived.is_chain) return null;
  return out.is_chain ? chainGrounds(out, arrived) : recipientNameIn(out, arrived);
};

/** The address is one of the pocket that received, or both records are one transaction of the chain; neither may contradict. */
const chainGrounds: Between = (out, arrived) => {
  const isAddressed =
    out.names_entity === arrived.entity_id && out.pockets.some((pocket) => arrived.pockets.includes(pocket));
  const isSameHash = out.hash !== null && out.hash === arrived.hash;
  if (out.names_entity !== null && !isAddressed) return null;
  if (out.hash !== null && arrived.hash !== null && !isSameHash) return null;
  if (!isAddressed) return isSameHash ? 'hash' : null;
  return isSameHash ? 'address and hash' : 'address';
};

/** One names the other, and neither names a third; a record that both entities received names both. */
const recipientNameIn: Between = (out, arrived) => {
  const isSame = out.stream === arrived.stream && out.record_id === arrived.record_id;
  if (!isSame && !(mayName(out, arrived) && mayName(arrived, out))) return null;
  if (isSame) return 'record';
  return out.names_by ?? arrived.names_by;
};

const mayName = ({ names_entity, elsewhere }: OutsideMove, other: OutsideMove): boolean =>
  !elsewhere && (names_entity === null || names_entity === other.entity_id);

const isNameless: Between = (out, arrived) =>
  [out, arrived].every(
    ({ names_entity, elsewhere, is_chain }) => names_entity === null && !elsewhere && !is_chain,
  )
    ? 'amount and time'
    : null;

/** The same record, or the same transaction of a chain that pays our address: nothing else is certain without the amount. */
const certainGrounds: Between = (out, arrived) => {
  const grounds = namedGrounds(out, arrived);
  return grounds === 'record' || grounds === 'address and hash' ? grounds : null;
};

type Edge = OwnPair & { readonly apartMs: number; readonly isEqual: boolean };

const edgesOf = (moves: readonly OutsideMove[], round: Round): Edge[] => {
  const { distanceMs, keysOf } = round;
  const arrivals = moves.filter(({ amount }) => sign(amount) < 0).sort(inOrder);
  const byKey = groupBy(
    arrivals.flatMap((move) => keysOf(move).map((key) => ({ key, move }))),
    ({ key }) => key,
  );
  return moves
    .filter(({ amount }) => sign(amount) > 0)
    .flatMap((out) => {
      const near = new Set(keysOf(out).flatMap((key) => (byKey.get(key) ?? []).map((it) => it.move)));
      const edges = [...near].flatMap((arrived) => edge(out, arrived, round));
      return edges
        .filter(({ apartMs }) => apartMs <= distanceMs)
        .sort(byNearness)
        .slice(0, NEAR_MAX);
    });
};

/** Each amount may include its fee or not. */
const amountsOf = ({ amount, pocketed }: OutsideMove): string[] => [...new Set([unsigned(amount), pocketed])];

const isSameAmount: Round['agrees'] = (out, arrived) =>
  [out.amount, out.pocketed].includes(unsigned(arrived.amount)) || out.amount === arrived.pocketed;

/** What is missing is a fee that no record shows. */
const isLess: Round['agrees'] = (out, arrived) => compare(unsigned(arrived.amount), out.amount) < 0;

/** The record, and the transaction of the chain. */
const recordsOf = ({ stream, record_id, hash }: OutsideMove): string[] => [
  `${stream} ${record_id}`,
  ...(hash === null ? [] : [`hash ${hash}`]),
];

const edge = (out: OutsideMove, arrived: OutsideMove, { groundsOf, agrees }: Round): Edge[] => {
  if (out.entity_id === arrived.entity_id && !out.is_chain) return []; // a pocket may pay another one over a chain
  if (!isTogether(out, arrived)) return [];
  const grounds = agrees(out, arrived) ? groundsOf(out, arrived) : null;
  const apartMs = Math.abs(msOf(out.effective_at) - msOf(arrived.effective_at));
  const isEqual = compare(out.amount, unsigned(arrived.amount)) === 0;
  return grounds === null ? [] : [{ out, in: arrived, grounds, apartMs, isEqual }];
};

/** Whether both stand, or both were cancelled while the other was there. */
const isTogether = (out: OutsideMove, arrived: OutsideMove): boolean => {
  const [sentUntil, arrivedUntil] = [out.cancelled_at, arrived.cancelled_at];
  if (sentUntil === null || arrivedUntil === null) return sentUntil === arrivedUntil;
  return order(out.effective_at, arrivedUntil) <= 0 && order(arrived.effective_at, sentUntil) <= 0;
};

/** Strongest first: the same record or transaction, two records that name each other, one that names the other, only the time. */
const doubtOf = ({ grounds, out, in: arrived }: OwnPair): number => {
  if (grounds === 'record' || grounds === 'address and hash') return 0;
  if (grounds === 'hash') return 1;
  return [out, arrived].filter(({ names_entity }) => names_entity === null).length + 1;
};

const byNearness = (a: Edge, b: Edge): number =>
  doubtOf(a) - doubtOf(b) ||
  (a.isEqual === b.isEqual ? 0 : a.isEqual ? -1 : 1) ||
  a.apartMs - b.apartMs ||
  inOrder(a.out, b.out) ||
  inOrder(a.in, b.in);

const nearestFirst = (edges: readonly Edge[]): OwnPair[] => {
  const taken = new Set<OutsideMove>();
  const pairs: OwnPair[] = [];
  for (const { out, in: arrived, grounds } of [...edges].sort(byNearness)) {
    if (taken.has(out) || taken.has(arrived)) continue;
    taken.add(out).add(arrived);
    pairs.push({ out, in: arrived, grounds });
  }
  return pairs;
};

const inOrder = (a: OutsideMove, b: OutsideMove): number =>
  order(a.effective_at, b.effective_at) || (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0);

const nameOf = (move: OutsideMove): string => `${move.entity_id} ${move.stream} ${move.record_id}`;
