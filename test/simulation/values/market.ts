// The prices of a simulated market: one a day for each coin, such that euro for a coin and coins for a euro are both exact.
import { randomOf } from '../../../src/sandbox/random.ts';

export type Coin = 'BTC' | 'ETH';
export const COINS: readonly Coin[] = ['BTC', 'ETH'];

/** Euro for one coin, and its rate as an official list has it: coins for one euro. */
const PRICES: Readonly<Record<Coin, readonly (readonly [price: bigint, rate: string])[]>> = {
  BTC: [
    [50_000n, '0.00002'],
    [40_000n, '0.000025'],
    [62_500n, '0.000016'],
    [25_000n, '0.00004'],
  ],
  ETH: [
    [2_500n, '0.0004'],
    [2_000n, '0.0005'],
    [4_000n, '0.00025'],
    [3_125n, '0.00032'],
  ],
};

export type Market = {
  /** The price of a day, which `changed` replaces. */
  readonly price: (coin: Coin, day: string) => bigint;
  readonly rate: (coin: Coin, day: string) => string;
  readonly change: (day: string) => void;
};

export const marketOf = (seed: number): Market => {
  const versions = new Map<string, number>();
  const chosen = (coin: Coin, day: string) =>
    randomOf(`values:${seed}:${coin}:${day}:${versions.get(day) ?? 0}`).pick(PRICES[coin]);
  return {
    price: (coin, day) => chosen(coin, day)[0],
    rate: (coin, day) => chosen(coin, day)[1],
    change: (day) => void versions.set(day, (versions.get(day) ?? 0) + 1),
  };
};
