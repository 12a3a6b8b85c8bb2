// Conversions in the wallet: buys, sells, swaps and purchases by card. Their own fee is hidden in the price.
import { cut, over, textOf, times } from '../amount.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { CRYPTO, decimalsOf, FIAT, FIAT_USED } from './coins.ts';
import {
  type Action,
  amountBetween,
  money,
  pocketIn,
  pocketSide,
  portion,
  type Scene,
  walletText,
} from './scene.ts';
import { tellerFee } from './wallet-actions.ts';
import { walletRow } from './wallet-row.ts';

/** The proceeds of an amount at the current price less 0.95 %, at the precision of wallet rows. */
export const convert = ({ euro }: Scene, units: bigint, [from, to]: readonly [string, string]): bigint =>
  cut((over(times(units, euro(from)), euro(to)) * 9905n) / 10_000n, Math.min(decimalsOf(to), 8));

const rate = ({ random, euro }: Scene, base: string, quote: string): WireObject => {
  const reportedRate = { value: textOf(cut(over(euro(base), euro(quote)), 12)), pair: { base, quote } };
  return random.chance(50)
    ? { rate: { ...reportedRate, extraDecimals: 4 } }
    : { rate: { rate: reportedRate } };
};

type ConversionOf = {
  readonly id?: string;
  readonly subtype: 'purchase' | 'sell' | 'swap';
  readonly from: Holder;
  readonly to: Holder;
  /** What leaves, what is bought, and what enters if a fee is deducted from that. */
  readonly left: bigint;
  readonly bought: bigint;
  readonly entered?: bigint;
  readonly fee?: WireObject | undefined;
  readonly priced: readonly [base: string, quote: string];
  readonly more?: WireObject;
};

/** A rate with fewer digits than this, in units of 1e-18, is too coarse to show. */
const FINE = 10n ** 9n;

/**
 * The market's rate for this very conversion, in all its digits (assumption A-CONVERSION-RATE): what it would have bought beyond
 * what it did is the spread. Half of the rows show it, those of an even millisecond, so that no random number is drawn.
 */
const marketRate = ({ at: instant, euro }: Scene, [base, quote]: ConversionOf['priced']): WireObject => {
  const value = over(euro(base), euro(quote));
  return instant % 2 === 0 && value > FINE ? { rate: { value: textOf(value), pair: { base, quote } } } : {};
};

/** Moves both pockets and lists the row. */
export const convertPockets = (scene: Scene, options: ConversionOf): void => {
  const { from, to, left, bought, entered = bought, priced, id, subtype } = options;
  scene.move(scene.at, free(from.id), from.currency, -left);
  scene.move(scene.at, free(to.id), to.currency, entered);
  const after = entered === bought ? {} : { amountAfterFees: walletText(entered, to.currency) };
  walletRow(scene, {
    ...(id !== undefined && { id }),
    type: 'transfer',
    subtype,
    method: 'pocket',
    denomination: money(left, from.currency),
    origin: pocketSide(from, left),
    destination: { ...pocketSide(to, bought), ...after, ...marketRate(scene, priced) },
    more: { fee: options.fee, ...rate(scene, ...priced), instantId: scene.random.uuid(), ...options.more },
  });
};

/** A teller fee in fiat is part of what leaves the pocket. */
export const buy: Action = (scene) => {
  const from = pocketIn(scene, scene.random.pick(FIAT_USED));
  const to = pocketIn(scene, scene.random.pick(CRYPTO));
  const { currency } = from;
  const left = portion(scene, free(from.id), currency, 25);
  const { units, fee } = tellerFee(scene, left, currency);
  const bought = convert(scene, left - units, [currency, to.currency]);
  if (left <= units || bought <= 0n) return false;
  convertPockets(scene, {
    subtype: 'purchase',
    from,
    to,
    left,
    bought,
    fee,
    priced: [to.currency, currency],
  });
  scene.move(scene.at, 'fees-teller', currency, units);
  return true;
};

/** A teller fee in fiat is deducted from the proceeds of the sale. */
export const sell: Action = (scene) => {
  const from = pocketIn(scene, scene.random.pick(CRYPTO));
  const to = pocketIn(scene, scene.random.pick(FIAT_USED));
  const { currency } = to;
  const left = portion(scene, free(from.id), from.currency, 20);
  const bought = cut(convert(scene, left, [from.currency, currency]), 2);
  const { units, fee } = tellerFee(scene, bought, currency);
  if (left <= 0n || bought <= units) return false;
  const priced = [from.currency, currency] as const;
  convertPockets(scene, { subtype: 'sell', from, to, left, bought, entered: bought - units, fee, priced });
  scene.move(scene.at, 'fees-teller', currency, units);
  return true;
};

/** The row shows the flip fee, which is already inside the price. */
const swapAmong =
  (currencies: readonly string[]): Action =>
  (scene) => {
    const [a, b] = [scene.random.pick(currencies), scene.random.pick(currencies)];
    const [from, to] = [pocketIn(scene, a), pocketIn(scene, b)];
    const left = portion(scene, free(from.id), a, 20);
    const bought = convert(scene, left, [a, b]);
    if (a === b || left <= 0n || bought <= 0n) return false;
    const flip = { percentage: '0.95', ...money(cut((left * 95n) / 10_000n, 18), a) };
    convertPockets(scene, { subtype: 'swap', from, to, left, bought, fee: { flip }, priced: [a, b] });
    return true;
  };

export const swap: Action = swapAmong(CRYPTO);
export const fiatSwap: Action = swapAmong(FIAT);

/** A card always has a teller order, also one without a fee. */
const freeTeller = (feeCurrency: string): WireObject => ({
  teller: { feeCurrency, fixedFee: '0.00', variableFee: '0.00' },
});

/** By card or wallet pay: no origin, only a price in the denomination, and a fee inside that price. */
export const cardPurchase: Action = (scene) => {
  const to = pocketIn(scene, scene.random.pick(CRYPTO));
  const currency = scene.random.pick(FIAT_USED);
  const paid = amountBetween(scene, currency, 20, 900);
  const { units, fee = freeTeller(currency) } = tellerFee(scene, paid, currency);
  const bought = convert(scene, paid - units, [currency, to.currency]);
  scene.move(scene.at, free(to.id), to.currency, bought);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'purchase',
    method: scene.random.pick(['card', 'apple-pay']),
    denomination: money(paid, currency),
    destination: pocketSide(to, bought),
    more: { fee, ...rate(scene, to.currency, currency), instantId: scene.random.uuid() },
  });
  return true;
};
