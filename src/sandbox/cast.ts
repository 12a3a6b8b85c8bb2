// Who is in the seeded world: entities, their pockets and wallets, and what each currency is worth.
import { unitsOf } from './amount.ts';
import { type Random, randomOf } from './random.ts';
import type { Entity } from './world.ts';

export type Coin = {
  /** About what one is worth in US dollars, in units of 1e-18. */
  readonly dollar: bigint;
  /** How far its price swings about that, in thousandths. */
  readonly perMille: bigint;
  readonly decimals: number;
  readonly network: string;
};

/** MOTE is held by the quadrillion, ETH and GEM carry 18 decimals; a fiat currency has no network. */
export const COINS: Readonly<Record<string, Coin>> = {
  EUR: { dollar: unitsOf('1.11'), perMille: 30n, decimals: 2, network: '' },
  USD: { dollar: unitsOf('1'), perMille: 0n, decimals: 2, network: '' },
  GBP: { dollar: unitsOf('1.3'), perMille: 30n, decimals: 2, network: '' },
  BTC: { dollar: unitsOf('66600'), perMille: 120n, decimals: 8, network: 'bitcoin' },
  ETH: { dollar: unitsOf('2775'), perMille: 150n, decimals: 18, network: 'ethereum' },
  USDC: { dollar: unitsOf('1'), perMille: 2n, decimals: 6, network: 'ethereum' },
  SOL: { dollar: unitsOf('155'), perMille: 200n, decimals: 9, network: 'solana' },
  MOTE: { dollar: unitsOf('0.0000000000133'), perMille: 200n, decimals: 0, network: 'ethereum' },
  GEM: { dollar: unitsOf('0.55'), perMille: 200n, decimals: 18, network: 'ethereum' },
};

export const FIAT = ['EUR', 'USD', 'GBP'] as const;
/** Fiat as often as it is used: most money is in euro. */
export const FIAT_USED = ['EUR', 'EUR', 'EUR', 'USD', 'GBP'] as const;
export const CRYPTO = ['BTC', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'] as const;
const POCKETS = ['EUR', 'EUR', 'USD', 'GBP', 'BTC', 'BTC', 'ETH', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'];
const EARN = ['BTC', 'ETH', 'USDC'];

export const isFiat = (currency: string): boolean => FIAT.some((one) => one === currency);
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
