// A pool: the lots of one asset, and the order in which they are used. Amounts are whole numbers of 1e-18. The lots wait in a
// heap, so that a use costs the logarithm of the number of lots, whatever the method.
import { strict as assert } from 'node:assert';
import { type Atto, shareOf } from '../base/money.ts';
import {
  type Acquired,
  addToQueue,
  closeLot,
  findLot,
  type Lot,
  type LotKey,
  type LotOrder,
  type LotQueue,
  nextInQueue,
  openQueue,
} from './lot-queue.ts';

export type Method = 'fifo' | 'average' | 'hifo' | 'specific';

/** A used fraction of a lot; `lot` is null for units beyond the pool's lots. */
export type Fraction = {
  readonly lot: Omit<Lot, 'units' | 'cost'> | null;
  readonly units: Atto;
  readonly cost: Atto | null;
};

export type Pool = {
  readonly method: Method;
  readonly queue: LotQueue;
  units: Atto;
  /** Units and cost of all lots with a known cost: the basis of the average. */
  knownUnits: Atto;
  knownCost: Atto;
};

const oldestFirst: LotOrder = (a, b) => a.micros - b.micros || a.seq - b.seq;

/** Highest unit cost first; an unknown cost comes last, and the oldest first among equals. */
const dearestFirst: LotOrder = (a, b) => {
  const [costOfA, costOfB] = [a.acquired.cost ?? -1n, b.acquired.cost ?? -1n];
  const [left, right] = [costOfA * b.acquired.units, costOfB * a.acquired.units];
  if (costOfA < 0n && costOfB < 0n) return oldestFirst(a, b);
  return left === right ? oldestFirst(a, b) : left > right ? -1 : 1;
};

const ORDERS: Readonly<Record<Method, LotOrder>> = {
  fifo: oldestFirst,
  average: oldestFirst,
  specific: oldestFirst,
  hifo: dearestFirst,
};

/** `isByEntry`: uses may name the entry whose lots they take. */
export const openPool = (method: Method, isByEntry = false): Pool => ({
  method,
  queue: openQueue(ORDERS[method], isByEntry),
  units: 0n,
  knownUnits: 0n,
  knownCost: 0n,
});

/** Adds a lot: its method decides when its turn comes, not when it was recorded. */
export const addLot = (pool: Pool, lot: Lot): void => {
  assert(lot.units > 0n, `a lot of nothing: ${lot.id}`);
  addToQueue(pool.queue, lot);
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
  const left = findLot(pool.queue, lot);
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
  for (let lot = nextInQueue(pool.queue); rest > 0n && lot; lot = nextInQueue(pool.queue)) {
    const part = lot.units < rest ? lot.units : rest;
    taken.push(takePart(pool, lot, part));
    rest -= part;
  }
  const valued = pool.method === 'average' ? atAverageCost(pool, taken, before) : taken;
  return rest > 0n ? [...valued, { lot: null, units: rest, cost: null }] : valued;
};

/** What is lacking of `units` once some were taken. */
export const lackingOf = (taken: readonly Fraction[], units: Atto): Atto =>
  taken.reduce((left, fraction) => left - fraction.units, units);

/** Takes at most `units` from the remainder of one lot: one that a person named, or that was sent. */
export const takeFromLot = (pool: Pool, key: LotKey & { readonly seq?: number }, units: Atto): Fraction[] => {
  const lot = findLot(pool.queue, key);
  if (!lot) return [];
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken = [takePart(pool, lot, lot.units < units ? lot.units : units)];
  return pool.method === 'average' ? atAverageCost(pool, taken, before) : taken;
};

/**
 * Takes back what is left of a lot, as if it had never been acquired. Under `average` it leaves at its own cost, so that the others keep
 * theirs; at the average only if the pool has less than that by now.
 */
export const removeFromLot = (
  pool: Pool,
  key: LotKey & { readonly seq?: number },
  { units, cost }: Acquired,
): Fraction[] => {
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  return takeFromLot(pool, key, units).map((fraction) => {
    if (pool.method !== 'average' || fraction.cost === null || cost === null) return fraction;
    const own = shareOf(cost, fraction.units, units);
    if (fraction.units === before.units || own > before.cost) return fraction;
    pool.knownCost = before.cost - own;
    return { ...fraction, cost: own };
  });
};

/** Takes part of a lot with its share of the cost; the last part takes all that is left. */
const takePart = (pool: Pool, lot: Lot, units: Atto): Fraction => {
  const { entity, id, acquiredAt, micros, seq, acquired } = lot;
  const cost =
    lot.cost === null ? null : units === lot.units ? lot.cost : shareOf(lot.cost, units, lot.units);
  lot.units -= units;
  if (lot.units === 0n) closeLot(pool.queue, lot);
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
