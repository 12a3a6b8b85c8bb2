// A pool: the lots of one asset, and which of them are used first. Amounts are whole numbers of 1e-18.
import { strict as assert } from 'node:assert';
import { type Atto, shareOf } from '../base/money.ts';

/** `lifo` exists to be compared with other programs: no profile may ask for it. */
export type Method = 'fifo' | 'average' | 'lifo';

/** Where a lot is written down. */
export type LotName = { readonly entity: string; readonly id: string };

/** What is left of a lot. A cost of null is not known. Under `average` the pool has the cost, and a lot only its units. */
export type Lot = LotName & {
  readonly acquiredAt: string;
  /** Microseconds since 1970: the order of lots; of two at one instant, the order in which they were told. */
  readonly at: number;
  readonly seq: number;
  units: Atto;
  cost: Atto | null;
};

/** A fraction of a lot that was used; of no lot where the pool had none left. */
export type Fraction = {
  readonly lot: Pick<Lot, 'entity' | 'id' | 'acquiredAt' | 'at' | 'seq'> | null;
  readonly units: Atto;
  readonly cost: Atto | null;
};

export type Pool = {
  readonly method: Method;
  readonly lots: Lot[];
  /** Lots before it are used up. */
  head: number;
  /** Units and cost of all lots whose cost is known: what an average is of. */
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

/** Adds a lot in the order of when it was acquired: one that is told late stands where it belongs. */
export const addLot = (pool: Pool, lot: Lot): void => {
  assert(lot.units > 0n, `a lot of nothing: ${lot.id}`);
  let at = pool.lots.length;
  while (at > pool.head && isAfter(pool.lots[at - 1], lot)) at -= 1;
  if (at === pool.lots.length) pool.lots.push(lot);
  else pool.lots.splice(at, 0, lot);
  if (lot.cost === null) return;
  pool.knownUnits += lot.units;
  pool.knownCost += lot.cost;
};

const isAfter = (a: Lot | undefined, b: Lot): boolean =>
  a !== undefined && (a.at > b.at || (a.at === b.at && a.seq > b.seq));

/** Puts units back into the lot that they were taken from, whether something is left of it or not. */
export const putBack = (pool: Pool, lot: Lot): void => {
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

/** Takes units out, from the oldest lot on (the newest for `lifo`). What no lot holds comes last, of no lot. */
export const take = (pool: Pool, units: Atto): Fraction[] => {
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken: Fraction[] = [];
  let rest = units;
  while (rest > 0n) {
    const lot = pool.method === 'lifo' ? pool.lots.at(-1) : pool.lots[pool.head];
    if (!lot) break;
    const part = lot.units < rest ? lot.units : rest;
    taken.push(takeOf(pool, lot, part));
    rest -= part;
    if (lot.units === 0n) leave(pool);
  }
  if (pool.method === 'average') return [...averaged(pool, taken, before), ...unbacked(rest)];
  return [...taken, ...unbacked(rest)];
};

/** Takes what is left of one lot, at most `units`: for what is undone. */
export const takeBack = (pool: Pool, { entity, id }: LotName, units: Atto): Fraction[] => {
  const at = pool.lots.findIndex((lot) => lot.id === id && lot.entity === entity && lot.units > 0n);
  const lot = pool.lots[at];
  if (!lot || at < pool.head) return [];
  const before = { units: pool.knownUnits, cost: pool.knownCost };
  const taken = [takeOf(pool, lot, lot.units < units ? lot.units : units)];
  if (lot.units === 0n) pool.lots.splice(at, 1);
  return pool.method === 'average' ? averaged(pool, taken, before) : taken;
};

const unbacked = (units: Atto): Fraction[] => (units > 0n ? [{ lot: null, units, cost: null }] : []);

/** A part of one lot at its share of the cost; the last part takes all that is left. */
const takeOf = (pool: Pool, lot: Lot, units: Atto): Fraction => {
  const { entity, id, acquiredAt, at, seq } = lot;
  const cost =
    lot.cost === null ? null : units === lot.units ? lot.cost : shareOf(lot.cost, units, lot.units);
  lot.units -= units;
  if (lot.cost !== null && cost !== null) {
    lot.cost -= cost;
    pool.knownUnits -= units;
    pool.knownCost -= cost;
  }
  return { lot: { entity, id, acquiredAt, at, seq }, units, cost };
};

/** The same fractions at the average of what the pool held before; the last one takes what rounding left. */
const averaged = (
  pool: Pool,
  taken: readonly Fraction[],
  before: { readonly units: Atto; readonly cost: Atto },
): Fraction[] => {
  const known = taken.reduce((sum, { units, cost }) => sum + (cost === null ? 0n : units), 0n);
  if (known === 0n) return [...taken];
  const total = known === before.units ? before.cost : shareOf(before.cost, known, before.units);
  pool.knownCost = before.cost - total;
  return spread(taken, known, total);
};

const spread = (taken: readonly Fraction[], known: Atto, total: Atto): Fraction[] => {
  let [units, cost] = [0n, 0n];
  return taken.map((it) => {
    if (it.cost === null) return it;
    units += it.units;
    const upTo = units === known ? total : shareOf(total, units, known);
    const part = upTo - cost;
    cost = upTo;
    return { ...it, cost: part };
  });
};

const USED_UP = 1_024;

/** Drops the lot that is used up; the array is cut now and then, since cutting it moves all the others. */
const leave = (pool: Pool): void => {
  if (pool.method === 'lifo') {
    pool.lots.pop();
    return;
  }
  pool.head += 1;
  if (pool.head < USED_UP) return;
  pool.lots.splice(0, pool.head);
  pool.head = 0;
};

/** Units that the pool's lots hold. */
export const unitsIn = (pool: Pool): Atto =>
  pool.lots.slice(pool.head).reduce((sum, { units }) => sum + units, 0n);
