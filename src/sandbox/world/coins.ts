// The currencies of the seeded world: approximate price and notation.
import { unitsOf } from '../amount.ts';

type Coin = {
  /** Approximate price in US dollars, in units of 1e-18. */
  readonly dollar: bigint;
  /** How far the price swings around it, in thousandths. */
  readonly perMille: bigint;
  readonly decimals: number;
  readonly network: string;
};

/** MOTE is held by the quadrillion; ETH and GEM have 18 decimals; a fiat currency has no network. */
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

/** Fiat currencies, repeated by frequency: most money is in euro. */
export const FIAT_USED = ['EUR', 'EUR', 'EUR', 'USD', 'GBP'] as const;

export const CRYPTO = ['BTC', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'] as const;

export const isFiat = (currency: string): boolean => FIAT.some((one) => one === currency);

export const decimalsOf = (currency: string): number => (COINS[currency] as Coin).decimals;

/** An asset that is listed and never held in the world: of a test network, or removed from the platform. */
type OtherAsset = { readonly network: string; readonly removedAt?: string };

export const OTHER_ASSETS: Readonly<Record<string, OtherAsset>> = {
  TBTC: { network: 'bitcoin-testnet' },
  TETH: { network: 'ethereum-testnet' },
  RELIC: { network: 'ethereum', removedAt: '2025-03-31T00:00:00.000Z' },
};

/** Whether the platform lists a currency at all. */
export const isListed = (currency: string): boolean =>
  Object.hasOwn(COINS, currency) || Object.hasOwn(OTHER_ASSETS, currency);
