// Conversions in the wallet: buys, sells, swaps and purchases by card. Their own fee is hidden in the price.
import { cut, over, textOf, times } from '../amount.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
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
const convert = ({ euro }: Scene, units: bigint, [from, to]: readonly [string, string]): bigint =>
  cut((over(times(units, euro(from)), euro(to)) * 9905n) / 10_000n, Math.min(decimalsOf(to), 8));

const rate = ({ random, euro }: Scene, base: string, quote: string): WireObject => {
  const reportedRate = { value: textOf(cut(over(euro(base), euro(quote)), 12)), pair: { base, quote } };
  return random.chance(50)
    ? { rate: { ...reportedRate, extraDecimals: 4 } }
    : { rate: { rate: reportedRate } };
};

/** A teller fee in fiat is part of what leaves the pocket. */
export const buy: Action = (scene) => {
  const from = pocketIn(scene, scene.random.pick(FIAT_USED));
  const to = pocketIn(scene, scene.random.pick(CRYPTO));
  const { currency } = from;
  const paid = portion(scene, free(from.id), currency, 25);
  const { units, fee } = tellerFee(scene, paid, currency);
  const bought = convert(scene, paid - units, [currency, to.currency]);
  if (paid <= units || bought <= 0n) return false;
  scene.move(scene.at, free(from.id), currency, -paid);
  scene.move(scene.at, free(to.id), to.currency, bought);
  scene.move(scene.at, 'fees-teller', currency, units);
  walletRow(scene, {
    type: 'transfer',
    subtype: 'purchase',
    method: 'pocket',
    denomination: money(paid, currency),
    origin: pocketSide(from, paid),
    destination: pocketSide(to, bought),
    more: { fee, ...rate(scene, to.currency, currency), instantId: scene.random.uuid() },
  });
  return true;
};

/** A teller fee in fiat is deducted from the proceeds of the sale. */
export const sell: Action = (scene) => {
  const from = pocketIn(scene, scene.random.pick(CRYPTO));
  const to = pocketIn(scene, scene.random.pick(FIAT_USED));
  const { currency } = to;
  const sold = portion(scene, free(from.id), from.currency, 20);
  const brought = cut(convert(scene, sold, [from.currency, currency]), 2);
  const { units, fee } = tellerFee(scene, brought, currency);
  if (sold <= 0n || brought <= units) return false;
  scene.move(scene.at, free(from.id), from.currency, -sold);
  scene.move(scene.at, free(to.id), currency, brought - units);
  scene.move(scene.at, 'fees-teller', currency, units);
  const after = units > 0n ? { amountAfterFees: walletText(brought - units, currency) } : {};
  walletRow(scene, {
    type: 'transfer',
    subtype: 'sell',
    method: 'pocket',
    denomination: money(sold, from.currency),
    origin: pocketSide(from, sold),
    destination: { ...pocketSide(to, brought), ...after },
    more: { fee, ...rate(scene, from.currency, currency), instantId: scene.random.uuid() },
  });
  return true;
};

/** The row shows the flip fee, which is already inside the price. */
const swapAmong =
  (currencies: readonly string[]): Action =>
  (scene) => {
    const [a, b] = [scene.random.pick(currencies), scene.random.pick(currencies)];
    const [from, to] = [pocketIn(scene, a), pocketIn(scene, b)];
    const sold = portion(scene, free(from.id), a, 20);
    const bought = convert(scene, sold, [a, b]);
    if (a === b || sold <= 0n || bought <= 0n) return false;
    scene.move(scene.at, free(from.id), a, -sold);
    scene.move(scene.at, free(to.id), b, bought);
    const flip = { percentage: '0.95', ...money(cut((sold * 95n) / 10_000n, 18), a) };
    walletRow(scene, {
      type: 'transfer',
      subtype: 'swap',
      method: 'pocket',
      denomination: money(sold, a),
      origin: pocketSide(from, sold),
      destination: pocketSide(to, bought),
      more: { fee: { flip }, ...rate(scene, a, b), instantId: scene.random.uuid() },
    });
    return true;
  };

export const swap: Action = swapAmong(CRYPTO);
export const fiatSwap: Action = swapAmong(FIAT);

/** By card or wallet pay: no origin, only a price in the denomination, and a fee inside that price. */
export const cardPurchase: Action = (scene) => {
  const to = pocketIn(scene, scene.random.pick(CRYPTO));
  const currency = scene.random.pick(FIAT_USED);
  const paid = amountBetween(scene, currency, 20, 900);
  const { units, fee } = tellerFee(scene, paid, currency);
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
