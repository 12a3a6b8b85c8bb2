// A pool: the lots of one asset, and the order in which they are used. Amounts are whole numbers of 1e-18. The lots wait in a
// heap, so that a use costs the logarithm of the number of lots, whatever the method.
import { strict as assert } from 'node:assert';
import TinyQueue from 'tinyqueue';
import { type Atto, shareOf } from '../base/money.ts';

/** `lifo` exists only for comparison with other programs: no profile may choose it. */
export type Method = 'fifo' | 'average' | 'hifo' | 'specific' | 'lifo';

export type LotKey = { readonly entity: string; readonly id: string };

/** What was acquired together: it decides the order of lots by unit cost, which no later use may change. */
export type Acquired = { readonly units: Atto; readonly cost: Atto | null };

/**
 * The remainder of a lot. A cost of null is unknown. Under `average` the cost belongs to the pool, and a lot has only
 * units.
 */
export type Lot = LotKey & {
  readonly acquiredAt: string;
  /** Microseconds since 1970: lots are ordered by this, and by `seq` within one instant. */
  readonly micros: number;
  readonly seq: number;
  readonly acquired: Acquired;
  units: Atto;
  cost: Atto | null;
};

/** A used fraction of a lot; `lot` is null for units beyond the pool's lots. */
export type Fraction = {
  readonly lot: Omit<Lot, 'units' | 'cost'> | null;
  readonly units: Atto;
  readonly cost: Atto | null;
};

export type Pool = {
  readonly method: Method;
  /** In order of use. A lot that was used up out of turn stays until its turn comes. */
  readonly queue: TinyQueue<Lot>;
  /** The lots with units left. */
  readonly open: Map<string, Lot>;
  units: Atto;
  /** Units and cost of all lots with a known cost: the basis of the average. */
  knownUnits: Atto;
  knownCost: Atto;
};

type Order = (a: Lot, b: Lot) => number;

const oldestFirst: Order = (a, b) => a.micros - b.micros || a.seq - b.seq;

/** Highest unit cost first; an unknown cost comes last, and the oldest first among equals. */
const dearestFirst: Order = (a, b) => {
  const [costOfA, costOfB] = [a.acquired.cost ?? -1n, b.acquired.cost ?? -1n];
  const [left, right] = [costOfA * b.acquired.units, costOfB * a.acquired.units];
  if (costOfA < 0n && costOfB < 0n) return oldestFirst(a, b);
  return left === right ? oldestFirst(a, b) : left > right ? -1 : 1;
};

const ORDERS: Readonly<Record<Method, Order>> = {
  fifo: oldestFirst,
  average: oldestFirst,
  specific: oldestFirst,
  hifo: dearestFirst,
  lifo: (a, b) => oldestFirst(b, a),
};

export const openPool = (method: Method): Pool => ({
  method,
  queue: new TinyQueue<Lot>([], ORDERS[method]),
  open: new Map(),
  units: 0n,
  knownUnits: 0n,
  knownCost: 0n,
});

const keyOf = ({ entity, id }: LotKey): string => `${entity} ${id}`;

/** Adds a lot: its method decides when its turn comes, not when it was recorded. */
export const addLot = (pool: Pool, lot: Lot): void => {
  assert(lot.units > 0n, `a lot of nothing: ${lot.id}`);
  pool.queue.push(lot);
  pool.open.set(keyOf(lot), lot);
  count(pool, lot.units, lot.cost);
};

const count = (pool: Pool, units: Atto, cost: Atto | null): void => {
  pool.units += units;
  if (cost === null) return;
  pool.knownUnits += units;
  pool.knownCost += cost;
};

/** Restores units to the lot that they were taken from, even if it is used up. */
export const restoreUnits = (pool: Pool, lot: Lot): void => {
  const left = pool.open.get(keyOf(lot));
  if (!left) {
    addLot(pool, lot);
    return;
  }
  left.units += lot.units;
  const isKnown = left.cost !== null && lot.cost !== null;
  if (left.cost !== null && lot.cost !== null) left.cost += lot.cost;
  count(pool, lot.units, isKnown ? lot.cost : null);
};

/** Takes units in the order of the pool's method. Units that no lot covers come last, without a lot. */
export const take = (pool: Pool, units: Atto): Fraction[] => {
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken: Fraction[] = [];
  let rest = units;
  for (let lot = nextLot(pool); rest > 0n && lot; lot = nextLot(pool)) {
    const part = lot.units < rest ? lot.units : rest;
    taken.push(takePart(pool, lot, part));
    rest -= part;
  }
  const valued = pool.method === 'average' ? atAverageCost(pool, taken, before) : taken;
  return rest > 0n ? [...valued, { lot: null, units: rest, cost: null }] : valued;
};

/** The lot whose turn it is. */
const nextLot = ({ queue }: Pool): Lot | undefined => {
  while (queue.peek()?.units === 0n) queue.pop();
  return queue.peek();
};

/** Takes at most `units` from the remainder of one lot: for reversals, and for lots that a person named. */
export const takeFromLot = (pool: Pool, key: LotKey, units: Atto): Fraction[] => {
  const lot = pool.open.get(keyOf(key));
  if (!lot) return [];
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken = [takePart(pool, lot, lot.units < units ? lot.units : units)];
  return pool.method === 'average' ? atAverageCost(pool, taken, before) : taken;
};

/** Takes part of a lot with its share of the cost; the last part takes all that is left. */
const takePart = (pool: Pool, lot: Lot, units: Atto): Fraction => {
  const { entity, id, acquiredAt, micros, seq, acquired } = lot;
  const cost =
    lot.cost === null ? null : units === lot.units ? lot.cost : shareOf(lot.cost, units, lot.units);
  lot.units -= units;
  if (lot.units === 0n) pool.open.delete(keyOf(lot));
  if (lot.cost !== null && cost !== null) lot.cost -= cost;
  count(pool, -units, cost === null ? null : -cost);
  return { lot: { entity, id, acquiredAt, micros, seq, acquired }, units, cost };
};

/** The same fractions at the pool's average cost before the use; the last one takes the rounding remainder. */
const atAverageCost = (
  pool: Pool,
  taken: readonly Fraction[],
  before: { readonly units: Atto; readonly cost: Atto },
): Fraction[] => {
  const known = taken.reduce((sum, { units, cost }) => sum + (cost === null ? 0n : units), 0n);
  if (known === 0n) return [...taken];
  const total = known === before.units ? before.cost : shareOf(before.cost, known, before.units);
  pool.knownCost = before.cost - total;
  return spreadCost(taken, known, total);
};

const spreadCost = (taken: readonly Fraction[], known: Atto, total: Atto): Fraction[] => {
  let [units, cost] = [0n, 0n];
  return taken.map((fraction) => {
    if (fraction.cost === null) return fraction;
    units += fraction.units;
    const upTo = units === known ? total : shareOf(total, units, known);
    const part = upTo - cost;
    cost = upTo;
    return { ...fraction, cost: part };
  });
};
