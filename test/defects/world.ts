// Worlds for planting causes: what happened to one entity in ten days, as its records should be booked. No two of a
// world are the same; round amounts come often, as people like them.
import type { Part, Told } from '../../src/reconcile/cause.ts';
import { ONE, textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';
import { isoOf, msOf } from '../../src/time.ts';

export const START = msOf('2026-03-01T00:00:00.000Z');
export const DAY = 86_400_000;
/** The last reading that tied, and the first that broke: the world ends there. */
export const [TIED, BROKE] = [START + 9 * DAY, START + 10 * DAY];

const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, BTC: 8, ETH: 8, USDC: 6 };
const PRICES: Readonly<Record<string, bigint>> = { BTC: 60_000n, ETH: 2_500n, USDC: 1n };
export const CURRENCIES = Object.keys(DECIMALS);
const COINS = Object.keys(PRICES);

export type World = { readonly random: Random; readonly records: readonly Told[] };

export const worldOf = (seed: string): World => {
  const random = randomOf(seed);
  const count = 100 + random.below(200);
  const times = Array.from({ length: count }, () => START + random.below(10 * DAY)).sort((a, b) => a - b);
  return { random, records: times.flatMap((ms) => happening(random, ms)) };
};

/** The wallet's records, in a currency: what an amount of it is like. */
export const amountOf = (random: Random, currency: string): bigint => {
  if (random.chance(25)) return unitsOf(random.pick(['10', '50', '100', '250', '1000']));
  const step = 10n ** BigInt(18 - (DECIMALS[currency] ?? 8));
  return (random.units((5_000n * ONE) / (PRICES[currency] ?? 1n) / step) + 1n) * step;
};

const part = (account: string, currency: string, units: bigint, role: Part['role'] = 'move'): Part => ({
  place: `${account} ${currency}`,
  amount: textOf(units),
  role,
});

const told = (random: Random, ms: number, stream: string, parts: readonly Part[]): Told => ({
  ...{ name: `${stream} ${random.uuid()}`, stream, at: isoOf(ms), bookedAt: isoOf(ms), parts },
});

/** One thing that happened, as one record or as the two views of a transfer. */
const happening = (random: Random, ms: number): Told[] => {
  const turn = random.below(100);
  if (turn < 50) return [trade(random, ms)];
  return turn < 70 ? transfer(random, ms) : [turn < 85 ? walletMove(random, ms) : movement(random, ms)];
};

export const trade = (random: Random, ms: number): Told => {
  const coin = random.pick(COINS);
  const amount = amountOf(random, coin);
  const cost = (amount * ((PRICES[coin] ?? 1n) * 1_000n + random.units(50n))) / 1_000n;
  const sign = random.chance(50) ? 1n : -1n;
  const fee = (cost * 2_500n + random.units(99n)) / 1_000_000n;
  return told(random, ms, 'trades', [
    part('assets:trading', coin, sign * amount, 'exchange'),
    part('assets:trading', 'EUR', -sign * cost, 'exchange'),
    part('assets:trading', 'EUR', -fee, 'fee'),
  ]);
};

/** An adjustment by the platform: only trading tells of it. */
export const movement = (random: Random, ms: number): Told => {
  const currency = random.pick(CURRENCIES);
  const sign = random.chance(70) ? 1n : -1n;
  return told(random, ms, 'movements', [part('assets:trading', currency, sign * amountOf(random, currency))]);
};

/** Between a pocket and the world, with a fee when it leaves. */
export const walletMove = (random: Random, ms: number): Told => {
  const currency = random.pick(CURRENCIES);
  const amount = amountOf(random, currency);
  const pocket = pocketOf(currency);
  if (random.chance(50)) return told(random, ms, 'wallet-transactions', [part(pocket, currency, amount)]);
  const fee = amount / 200n + random.units(1_000n) * 10n ** 10n;
  return told(random, ms, 'wallet-transactions', [
    part(pocket, currency, -amount),
    part(pocket, currency, -fee, 'fee'),
  ]);
};

/** From a pocket to trading, or back: the wallet's view, and trading's. */
export const transfer = (random: Random, ms: number): [Told, Told] => {
  const currency = random.pick(CURRENCIES);
  const units = amountOf(random, currency) * (random.chance(50) ? 1n : -1n);
  return [
    told(random, ms, 'wallet-transactions', [
      part('assets:clearing:trading', currency, units),
      part(pocketOf(currency), currency, -units),
    ]),
    told(random, ms + 1_000, 'movements', [
      part('assets:trading', currency, units),
      part('assets:clearing:trading', currency, -units),
    ]),
  ];
};

export const pocketOf = (currency: string): string => `assets:pocket:p-${currency.toLowerCase()}`;
