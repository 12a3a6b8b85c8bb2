// State: a taxpayer's lots and carrying amounts at a point of the valuation.
import { type LotRules, lotRulesOf } from '../approvals/approvals.ts';
import type { Atto } from '../base/money.ts';
import type { Carrying } from './carrying.ts';
import type { PoolName } from './event.ts';
import { type Method, openPool, type Pool } from './pool.ts';

export type State = {
  readonly method: Method;
  readonly rules: LotRules;
  readonly carrying: Carrying;
  readonly pools: Map<string, Pool>;
  /** The number of lots created so far, which is the last lot's number. */
  lots: number;
};

export const openState = (method: Method, rules: LotRules = lotRulesOf(null)): State => ({
  method,
  rules,
  carrying: new Map(),
  pools: new Map(),
  lots: 0,
});

/** The number of a new lot. */
export const nextLot = (state: State): number => {
  state.lots += 1;
  return state.lots;
};

export const poolKey = (name: PoolName, currency: string): string => `${name} ${currency}`;

/** The units of a pool's lots or of an account, by key. */
export const unitsOf = ({ carrying, pools }: State, key: string): Atto => {
  const pool = pools.get(key);
  return pool ? pool.units : (carrying.get(key)?.units ?? 0n);
};

/** The pool of a currency's lots, held or outside; opened if new. */
export const poolOf = ({ method, pools }: State, name: PoolName, currency: string): Pool => {
  const key = poolKey(name, currency);
  const known = pools.get(key);
  if (known) return known;
  const pool = openPool(method);
  pools.set(key, pool);
  return pool;
};
