// Pairs: finds the moves on a clearing account that are two records of one transfer. Pure. One to one, equal in amount, of
// one pocket where both records name theirs, and the nearest in time; many equal moves close together pair in order.
import { groupBy } from '../base/group.ts';
import { sign, unsigned } from '../base/money.ts';
import { DAY_MS, msOf, order } from '../base/time.ts';

/** The amount that one entry moves on one clearing account; debit positive. */
export type Move = {
  readonly entry_id: string;
  readonly stream: string;
  readonly record_id: string;
  readonly amount: string;
  readonly effective_at: string;
  /** The pocket that the amount left or entered, as the record names it; null if it names none. */
  readonly pocket: string | null;
};

export type MovePair = { readonly debit: Move; readonly credit: Move };
/** `left` has no counterpart; `open` is left, or has a candidate that is too far away in time to be paired yet. */
type Paired = {
  readonly pairs: readonly MovePair[];
  readonly open: readonly Move[];
  readonly left: readonly Move[];
};

/**
 * Why two records are one transfer. Exact: both name one pocket. Otherwise one of them names none; or they name two, and
 * nothing better was found for either.
 */
type ClearingGrounds = 'pocket' | 'amount and time' | 'another pocket';

export const groundsOf = ({ debit, credit }: MovePair): ClearingGrounds => {
  if (debit.stream === credit.stream || debit.pocket === null || credit.pocket === null)
    return 'amount and time';
  return debit.pocket === credit.pocket ? 'pocket' : 'another pocket';
};

/** The longest time between two records of one move; older than `since` means no longer in transit; null if no reading exists. */
type Waiting = { readonly transitMs: number; readonly since: string | null };

/** A hundred years: no limit. */
const ANY_MS = 36_500 * DAY_MS;

/** Above this many cells moves pair in order: a limit on time and memory. */
const CELLS_MAX = 4_000_000;

/**
 * Pairs the moves of one clearing account and currency. First the wallet's record with the other product's, of the pocket
 * that both name; then those of which the product's names none, near in time. Then, among those no longer in transit, any
 * pockets at any distance; and last any two that cancel out, by a person's entry or within one stream: the evidence says
 * so, and a check reports it.
 */
export const pairUp = (moves: readonly Move[], waiting: Waiting): Paired => {
  const groups = groupBy(moves, ({ amount }) => unsigned(amount));
  const paired = [...groups.values()].map((group) => pairGroup(group.sort(inOrder), waiting));
  return {
    pairs: paired.flatMap(({ pairs }) => pairs),
    open: paired.flatMap(({ open }) => open).sort(inOrder),
    left: paired.flatMap(({ left }) => left).sort(inOrder),
  };
};

const inOrder = (a: Move, b: Move): number =>
  order(a.effective_at, b.effective_at) || (a.stream + a.record_id < b.stream + b.record_id ? -1 : 1);

const pairGroup = (group: readonly Move[], { transitMs, since }: Waiting): Paired => {
  const hasWaited = ({ stream, effective_at: instant }: Move) =>
    stream === 'manual' || (since !== null && order(instant, since) < 0);
  const near = pairPockets(group, transitMs);
  const far = pairPockets(without(group, near), ANY_MS);
  // A move whose own partner is still too far away waits for it.
  const free = without(group, [...near, ...far]);
  const unnamed = inRounds(free.filter(takesAnyPocket), DIRECTIONS, transitMs);
  const waited = inRounds(without(free, unnamed).filter(hasWaited), ANYHOW, ANY_MS);
  const settled = far.filter(({ debit, credit }) => hasWaited(debit) && hasWaited(credit));
  const pairs = [...near, ...settled, ...unnamed, ...waited];
  const rest = without(free, pairs);
  return { pairs, open: without(group, pairs), left: without(rest, inRounds(rest, ANYHOW, ANY_MS)) };
};

/** Pairs the moves that name one pocket, pocket by pocket. */
const pairPockets = (moves: readonly Move[], distanceMs: number): MovePair[] => {
  const withPocket = moves.filter(({ pocket }) => pocket !== null);
  const pockets = groupBy(withPocket, ({ pocket }) => pocket).values();
  return [...pockets].flatMap((ofPocket) => inRounds(ofPocket, DIRECTIONS, distanceMs));
};

/** A wallet's record may be the partner of any movement that names no pocket. */
const takesAnyPocket = ({ stream, pocket }: Move): boolean =>
  stream === 'wallet-transactions' || pocket === null;

/** Pairs debits with credits, round by round, among the moves that each round admits. */
const inRounds = (
  moves: readonly Move[],
  rounds: readonly ((move: Move) => boolean)[],
  distanceMs: number,
): MovePair[] => {
  const pairs: MovePair[] = [];
  for (const isIn of rounds) {
    const among = without(moves, pairs).filter(isIn);
    const [debits, credits] = [1, -1].map((side) => among.filter(({ amount }) => sign(amount) === side));
    pairs.push(...align(debits ?? [], credits ?? [], distanceMs));
  }
  return pairs;
};

const without = (moves: readonly Move[], pairs: readonly MovePair[]): Move[] => {
  const done = new Set(pairs.flatMap(({ debit, credit }) => [debit, credit]));
  return moves.filter((move) => !done.has(move));
};

/** Both records of the moves in one direction, as the wallet states it: into the clearing account, or out of it. */
const towards =
  (direction: number) =>
  ({ stream, amount }: Move): boolean =>
    stream !== 'manual' && (sign(amount) === direction) === (stream === 'wallet-transactions');

const DIRECTIONS = [towards(1), towards(-1)];
const ANYHOW = [...DIRECTIONS, () => true];

/**
 * The pairs, without crossings, with the smallest sum of distances in time; an unpaired move counts as half the longest
 * distance. Among equal solutions the newest move stays unpaired.
 */
const align = (debits: readonly Move[], credits: readonly Move[], distanceMs: number): MovePair[] => {
  if (debits.length * credits.length > CELLS_MAX) return inTurn(debits, credits, distanceMs);
  const [debitTimes, to] = [debits, credits].map((moves) => moves.map((move) => msOf(move.effective_at))) as [
    number[],
    number[],
  ];
  const alone = distanceMs / 2;
  const wide = credits.length + 1;
  const cost = new Float64Array((debits.length + 1) * wide);
  const apart = (i: number, j: number) => Math.abs((debitTimes[i - 1] ?? 0) - (to[j - 1] ?? 0));
  const costAt = (i: number, j: number) => cost[i * wide + j] ?? 0;
  const joined = (i: number, j: number) =>
    apart(i, j) > distanceMs ? Number.POSITIVE_INFINITY : costAt(i - 1, j - 1) + apart(i, j);
  for (let i = 0; i <= debits.length; i += 1) {
    for (let j = 0; j <= credits.length; j += 1) {
      const alones = Math.min(
        i > 0 ? costAt(i - 1, j) + alone : Number.POSITIVE_INFINITY,
        j > 0 ? costAt(i, j - 1) + alone : Number.POSITIVE_INFINITY,
      );
      if (i + j > 0) cost[i * wide + j] = i > 0 && j > 0 ? Math.min(alones, joined(i, j)) : alones;
    }
  }
  const pairs: MovePair[] = [];
  for (let i = debits.length, j = credits.length; i > 0 && j > 0; ) {
    const best = costAt(i, j);
    const [debit, credit] = [debits[i - 1], credits[j - 1]];
    if (best === costAt(i - 1, j) + alone) i -= 1;
    else if (best === costAt(i, j - 1) + alone) j -= 1;
    else {
      if (debit && credit) pairs.push({ debit, credit });
      i -= 1;
      j -= 1;
    }
  }
  return pairs.reverse();
};

/** For too many moves: each pairs with the next one that is near enough. */
const inTurn = (debits: readonly Move[], credits: readonly Move[], distanceMs: number): MovePair[] => {
  const pairs: MovePair[] = [];
  for (let i = 0, j = 0; ; ) {
    const [debit, credit] = [debits[i], credits[j]];
    if (!debit || !credit) return pairs;
    const ahead = msOf(debit.effective_at) - msOf(credit.effective_at);
    const isNear = Math.abs(ahead) <= distanceMs;
    if (isNear) pairs.push({ debit, credit });
    if (isNear || ahead < 0) i += 1;
    if (isNear || ahead > 0) j += 1;
  }
};
