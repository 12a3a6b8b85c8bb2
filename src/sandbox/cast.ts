// Who is in the seeded world: entities, their pockets and wallets, and what each currency is worth.
import { unitsOf } from './amount.ts';
import { type Random, randomOf } from './random.ts';
import type { Entity } from './world.ts';

export type Coin = { readonly euro: bigint; readonly decimals: number; readonly network: string };

/** Prices move little around these; MOTE is held by the quadrillion, ETH and GEM carry 18 decimals. */
export const COINS: Readonly<Record<string, Coin>> = {
  EUR: { euro: unitsOf('1'), decimals: 2, network: '' },
  BTC: { euro: unitsOf('60000'), decimals: 8, network: 'bitcoin' },
  ETH: { euro: unitsOf('2500'), decimals: 18, network: 'ethereum' },
  USDC: { euro: unitsOf('0.9'), decimals: 6, network: 'ethereum' },
  SOL: { euro: unitsOf('140'), decimals: 9, network: 'solana' },
  MOTE: { euro: unitsOf('0.000000000012'), decimals: 0, network: 'ethereum' },
  GEM: { euro: unitsOf('0.5'), decimals: 18, network: 'ethereum' },
};

export const CRYPTO = ['BTC', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'] as const;
const POCKETS = ['EUR', 'EUR', 'BTC', 'BTC', 'ETH', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'];
const EARN = ['BTC', 'ETH', 'USDC'];

/** The value of one coin in euro, in units of 1e-18. */
export const euroOf = (currency: string): bigint => (COINS[currency] as Coin).euro;
export const decimalsOf = (currency: string): number => (COINS[currency] as Coin).decimals;

export type Holder = { readonly id: string; readonly currency: string; readonly name: string };

export type Player = Entity & {
  readonly pockets: readonly Holder[];
  /** One trading wallet for each currency. */
  readonly trading: readonly Holder[];
  readonly earn: readonly Holder[] | null;
};

/** Main and `count` − 1 subaccounts; where there are subaccounts, the last has no Earn. */
export const castOf = (seed: number, count: number): Player[] =>
  Array.from({ length: count }, (_, index) => player(randomOf(`${seed}:cast:${index}`), index, count));

const player = (random: Random, index: number, count: number): Player => {
  const userId = random.uuid();
  return {
    entityId: index === 0 ? 'main' : userId,
    userId,
    name: index === 0 ? 'Main' : `Branch ${index}`,
    email: index === 0 ? 'main@example.com' : `branch-${index}@example.com`,
    pockets: POCKETS.map((currency, at) => holder(random, currency, `${currency} pocket ${at + 1}`)),
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
