// State: a taxpayer's lots and carrying amounts at a point of the valuation.
import type { LotRules } from '../approvals/approvals.ts';
import type { Atto } from '../base/money.ts';
import type { Carrying } from './carrying.ts';
import type { AllottedLot, PoolName } from './event.ts';
import { type Method, openPool, type Pool } from './pool.ts';

export type State = {
  readonly method: Method;
  readonly rules: LotRules;
  readonly carrying: Carrying;
  readonly pools: Map<string, Pool>;
  /** The month, 1 to 12, in which the fiscal years of an entity begin; absent: January. */
  readonly yearStarts: ReadonlyMap<string, number>;
  /** Whether each place of an entity has a pool of its own by now. */
  isPerPlace: boolean;
  /** The entities whose places have their lots. */
  readonly allotted: Set<string>;
  /** The booked units of each place, by currency and by the key of its pool; null until each has a pool of its own. */
  placeUnits: Map<string, Map<string, Atto>> | null;
  /**
   * The lots that were made of others, by the key of each, when places got lots of their own, since the first of the reversals began that wait
   * for entries in place of what they reverse: what those made is removed wherever it lies by then. Null while none waits.
   */
  allottedSince: Map<string, AllottedLot[]> | null;
  /** The number of lots created so far, which is the last lot's number. */
  lots: number;
};

export const openState = ({
  method,
  rules,
  yearStarts,
}: Pick<State, 'method' | 'rules' | 'yearStarts'>): State => ({
  method,
  rules,
  yearStarts,
  carrying: new Map(),
  pools: new Map(),
  isPerPlace: false,
  allotted: new Set(),
  placeUnits: null,
  allottedSince: null,
  lots: 0,
});

/** The number of a new lot. */
export const nextLot = (state: State): number => {
  state.lots += 1;
  return state.lots;
};

/** A pool's place. Lots that a taxpayer holds as one, and those off the platform, have no entity. */
export type PoolPlace = { readonly name: PoolName; readonly entity: string };

export const HELD: PoolPlace = { name: 'held', entity: '' };
export const EXTERNAL: PoolPlace = { name: 'external', entity: '' };
export const IN_TRANSIT: PoolPlace = { name: 'in-transit', entity: '' };

/** Whether the lots of a pool lie off the platform: nothing is sold from there. */
export const isOffPlatform = (name: PoolName): boolean => name === 'external' || name === 'in-transit';

export const poolKey = ({ name, entity }: PoolPlace, currency: string): string =>
  name === 'held' || isOffPlatform(name) ? `${name} ${currency}` : `${name} ${entity} ${currency}`;

/** The units of a pool's lots or of an account, by key. */
export const unitsOf = ({ carrying, pools }: State, key: string): Atto => {
  const pool = pools.get(key);
  return pool ? pool.units : (carrying.get(key)?.units ?? 0n);
};

/** The pool of a currency's lots at a place; opened if new. Lots in transit keep their own costs: each arrival brings those that were sent. */
export const poolOf = ({ method, pools }: State, place: PoolPlace, currency: string): Pool => {
  const key = poolKey(place, currency);
  const known = pools.get(key);
  if (known) return known;
  const isInTransit = place.name === 'in-transit';
  const isByEntry = isInTransit || method === 'specific';
  const pool = openPool(isInTransit ? 'fifo' : method, isByEntry);
  pools.set(key, pool);
  return pool;
};
