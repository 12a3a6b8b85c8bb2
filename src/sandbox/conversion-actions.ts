// Conversions in the wallet: buys, sells, swaps and purchases by card. Their own fee is hidden in the price.
import { cut, over, textOf, times } from './amount.ts';
import { free } from './books.ts';
import { CRYPTO, decimalsOf, euroOf } from './cast.ts';
import { type Action, money, pocketIn, pocketSide, portion, type Scene, walletText, worth } from './scene.ts';
import { tellerFee } from './wallet-actions.ts';
import { walletRow } from './wallet-row.ts';
import type { WireObject } from './wire-json.ts';

/** What an amount buys at the day's price less 0.95 %, as finely as wallet rows go. */
const convert = (units: bigint, from: string, to: string): bigint => {
  const euro = times(units, euroOf(from));
  return cut((over(euro, euroOf(to)) * 9905n) / 10_000n, Math.min(decimalsOf(to), 8));
};

const rate = (scene: Scene, base: string, quote: string): WireObject => {
  const told = { value: textOf(cut(over(euroOf(base), euroOf(quote)), 12)), pair: { base, quote } };
  return scene.random.chance(50) ? { rate: { ...told, extraDecimals: 4 } } : { rate: { rate: told } };
};

/** A teller fee in euro is part of what leaves the pocket. */
export const buy: Action = (scene) => {
  const [from, to] = [pocketIn(scene, 'EUR'), pocketIn(scene, scene.random.pick(CRYPTO))];
  const paid = portion(scene, free(from.id), 'EUR', 25);
  const { units, fee } = tellerFee(scene, paid);
  const bought = convert(paid - units, 'EUR', to.currency);
  if (paid <= units || bought <= 0n) return false;
  scene.move(scene.at, free(from.id), 'EUR', -paid);
  scene.move(scene.at, free(to.id), to.currency, bought);
  scene.move(scene.at, 'fees-teller', 'EUR', units);
  walletRow(scene, {
    ...{ type: 'transfer', subtype: 'purchase', method: 'pocket', denomination: money(paid, 'EUR') },
    origin: pocketSide(from, paid),
    destination: pocketSide(to, bought),
    more: { fee, ...rate(scene, to.currency, 'EUR'), instantId: scene.random.uuid() },
  });
  return true;
};

/** A teller fee in euro comes out of what the sale brought. */
export const sell: Action = (scene) => {
  const [from, to] = [pocketIn(scene, scene.random.pick(CRYPTO)), pocketIn(scene, 'EUR')];
  const sold = portion(scene, free(from.id), from.currency, 20);
  const brought = cut(convert(sold, from.currency, 'EUR'), 2);
  const { units, fee } = tellerFee(scene, brought);
  if (sold <= 0n || brought <= units) return false;
  scene.move(scene.at, free(from.id), from.currency, -sold);
  scene.move(scene.at, free(to.id), 'EUR', brought - units);
  scene.move(scene.at, 'fees-teller', 'EUR', units);
  const after = units > 0n ? { amountAfterFees: walletText(brought - units, 'EUR') } : {};
  walletRow(scene, {
    ...{ type: 'transfer', subtype: 'sell', method: 'pocket', denomination: money(sold, from.currency) },
    origin: pocketSide(from, sold),
    destination: { ...pocketSide(to, brought), ...after },
    more: { fee, ...rate(scene, from.currency, 'EUR'), instantId: scene.random.uuid() },
  });
  return true;
};

/** The flip fee is told, and is inside the price. */
export const swap: Action = (scene) => {
  const [a, b] = [scene.random.pick(CRYPTO), scene.random.pick(CRYPTO)];
  const [from, to] = [pocketIn(scene, a), pocketIn(scene, b)];
  const sold = portion(scene, free(from.id), a, 20);
  const bought = convert(sold, a, b);
  if (a === b || sold <= 0n || bought <= 0n) return false;
  scene.move(scene.at, free(from.id), a, -sold);
  scene.move(scene.at, free(to.id), b, bought);
  const flip = { percentage: '0.95', ...money(cut((sold * 95n) / 10_000n, 18), a) };
  walletRow(scene, {
    ...{ type: 'transfer', subtype: 'swap', method: 'pocket', denomination: money(sold, a) },
    origin: pocketSide(from, sold),
    destination: pocketSide(to, bought),
    more: { fee: { flip }, ...rate(scene, a, b), instantId: scene.random.uuid() },
  });
  return true;
};

/** By card or wallet pay: no origin, the price only in the denomination, and a fee inside it that nobody else is paid. */
export const cardPurchase: Action = (scene) => {
  const to = pocketIn(scene, scene.random.pick(CRYPTO));
  const paid = worth(scene, 'EUR', 20, 900);
  const { units, fee } = tellerFee(scene, paid);
  const bought = convert(paid - units, 'EUR', to.currency);
  scene.move(scene.at, free(to.id), to.currency, bought);
  walletRow(scene, {
    ...{ type: 'deposit', subtype: 'purchase', method: scene.random.pick(['card', 'apple-pay']) },
    denomination: money(paid, 'EUR'),
    destination: pocketSide(to, bought),
    more: { fee, ...rate(scene, to.currency, 'EUR'), instantId: scene.random.uuid() },
  });
  return true;
};
