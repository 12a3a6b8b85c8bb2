// A pool: the lots of one asset, and the order in which they are used. Amounts are whole numbers of 1e-18.
import { strict as assert } from 'node:assert';
import { type Atto, shareOf } from '../base/money.ts';

/** `lifo` exists only for comparison with other programs: no profile may choose it. */
export type Method = 'fifo' | 'average' | 'lifo';

type LotKey = { readonly entity: string; readonly id: string };

/**
 * The remainder of a lot. A cost of null is unknown. Under `average` the cost belongs to the pool, and a lot has only
 * units.
 */
export type Lot = LotKey & {
  readonly acquiredAt: string;
  /** Microseconds since 1970: lots are ordered by this, and by `seq` within one instant. */
  readonly micros: number;
  readonly seq: number;
  units: Atto;
  cost: Atto | null;
};

/** A used fraction of a lot; `lot` is null for units beyond the pool's lots. */
export type Fraction = {
  readonly lot: Pick<Lot, 'entity' | 'id' | 'acquiredAt' | 'micros' | 'seq'> | null;
  readonly units: Atto;
  readonly cost: Atto | null;
};

export type Pool = {
  readonly method: Method;
  readonly lots: Lot[];
  /** Index of the first lot with units left. */
  head: number;
  /** Units and cost of all lots with a known cost: the basis of the average. */
  knownUnits: Atto;
  knownCost: Atto;
};

export const openPool = (method: Method): Pool => ({
  method,
  lots: [],
  head: 0,
  knownUnits: 0n,
  knownCost: 0n,
});

/** Adds a lot in order of acquisition: a lot that is recorded late is inserted at its place. */
export const addLot = (pool: Pool, lot: Lot): void => {
  assert(lot.units > 0n, `a lot of nothing: ${lot.id}`);
  let index = pool.lots.length;
  while (index > pool.head && isAfter(pool.lots[index - 1], lot)) index -= 1;
  if (index === pool.lots.length) pool.lots.push(lot);
  else pool.lots.splice(index, 0, lot);
  if (lot.cost === null) return;
  pool.knownUnits += lot.units;
  pool.knownCost += lot.cost;
};

const isAfter = (a: Lot | undefined, b: Lot): boolean =>
  a !== undefined && (a.micros > b.micros || (a.micros === b.micros && a.seq > b.seq));

/** Restores units to the lot that they were taken from, even if it is used up. */
export const restoreUnits = (pool: Pool, lot: Lot): void => {
  const left = pool.lots.find(
    ({ entity, id, units }) => units > 0n && id === lot.id && entity === lot.entity,
  );
  if (!left) {
    addLot(pool, lot);
    return;
  }
  left.units += lot.units;
  if (left.cost === null || lot.cost === null) return;
  left.cost += lot.cost;
  pool.knownUnits += lot.units;
  pool.knownCost += lot.cost;
};

/** Takes units, oldest lots first (`lifo`: newest first). Units that no lot covers come last, without a lot. */
export const take = (pool: Pool, units: Atto): Fraction[] => {
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken: Fraction[] = [];
  let rest = units;
  while (rest > 0n) {
    const lot = pool.method === 'lifo' ? pool.lots.at(-1) : pool.lots[pool.head];
    if (!lot) break;
    const part = lot.units < rest ? lot.units : rest;
    taken.push(takePart(pool, lot, part));
    rest -= part;
    if (lot.units === 0n) dropUsedUp(pool);
  }
  if (pool.method === 'average') return [...atAverageCost(pool, taken, before), ...withoutLot(rest)];
  return [...taken, ...withoutLot(rest)];
};

/** Takes at most `units` from the remainder of one lot: for reversals. */
export const takeFromLot = (pool: Pool, { entity, id }: LotKey, units: Atto): Fraction[] => {
  const index = pool.lots.findIndex((lot) => lot.id === id && lot.entity === entity && lot.units > 0n);
  const lot = pool.lots[index];
  if (!lot || index < pool.head) return [];
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken = [takePart(pool, lot, lot.units < units ? lot.units : units)];
  if (lot.units === 0n) pool.lots.splice(index, 1);
  return pool.method === 'average' ? atAverageCost(pool, taken, before) : taken;
};

const withoutLot = (units: Atto): Fraction[] => (units > 0n ? [{ lot: null, units, cost: null }] : []);

/** Takes part of a lot with its share of the cost; the last part takes all that is left. */
const takePart = (pool: Pool, lot: Lot, units: Atto): Fraction => {
  const { entity, id, acquiredAt, micros, seq } = lot;
  const cost =
    lot.cost === null ? null : units === lot.units ? lot.cost : shareOf(lot.cost, units, lot.units);
  lot.units -= units;
  if (lot.cost !== null && cost !== null) {
    lot.cost -= cost;
    pool.knownUnits -= units;
    pool.knownCost -= cost;
  }
  return { lot: { entity, id, acquiredAt, micros, seq }, units, cost };
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

const USED_UP = 1_024;

/** Drops the used-up lot; the array is cut only now and then, because cutting moves all the other lots. */
const dropUsedUp = (pool: Pool): void => {
  if (pool.method === 'lifo') {
    pool.lots.pop();
    return;
  }
  pool.head += 1;
  if (pool.head < USED_UP) return;
  pool.lots.splice(0, pool.head);
  pool.head = 0;
};

/** The units in the pool's lots. */
export const unitsIn = (pool: Pool): Atto =>
  pool.lots.slice(pool.head).reduce((sum, { units }) => sum + units, 0n);
