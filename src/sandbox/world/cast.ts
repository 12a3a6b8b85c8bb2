// The cast of the seeded world: entities, their pockets and their wallets.

import type { Entity } from '../entity.ts';
import { type Random, randomOf } from '../random.ts';
import { COINS } from './coins.ts';

const POCKETS = ['EUR', 'EUR', 'USD', 'GBP', 'BTC', 'BTC', 'ETH', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'];
const EARN = ['BTC', 'ETH', 'USDC'];

export type Holder = { readonly id: string; readonly currency: string; readonly name: string };

export type Player = Entity & {
  readonly pockets: readonly Holder[];
  /** One trading wallet for each currency. */
  readonly trading: readonly Holder[];
  readonly earn: readonly Holder[] | null;
};

/** Main and `count` − 1 subaccounts; if there are subaccounts, the last has no Earn. */
export const castOf = (seed: number, count: number): Player[] =>
  Array.from({ length: count }, (_, index) => player(randomOf(`${seed}:cast:${index}`), index, count));

/** An entity with the pockets and wallets of the others; `index` is its place among them. */
export const newcomer = (seed: number, index: number, person: Pick<Entity, 'name' | 'email'>): Player => ({
  ...player(randomOf(`${seed}:cast:${index}`), index, Infinity),
  ...person,
});

const player = (random: Random, index: number, count: number): Player => {
  const userId = random.uuid();
  return {
    entityId: index === 0 ? 'main' : userId,
    userId,
    name: index === 0 ? 'Main' : `Branch ${index}`,
    email: index === 0 ? 'main@example.com' : `branch-${index}@example.com`,
    pockets: POCKETS.map((currency, index) => holder(random, currency, `${currency} pocket ${index + 1}`)),
    trading: Object.keys(COINS).map((currency) => holder(random, currency, `${currency} trading`)),
    earn:
      index > 0 && index === count - 1
        ? null
        : EARN.map((currency) => holder(random, currency, `${currency} Earn`)),
  };
};

const holder = (random: Random, currency: string, name: string): Holder => ({
  id: random.uuid(),
  currency,
  name,
});
