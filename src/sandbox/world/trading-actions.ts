// Deposits to and withdrawals from the trading wallet, and what the platform and bots do with its funds.
import { cut } from '../amount.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { decimalsOf } from './coins.ts';
import {
  type Action,
  amountBetween,
  money,
  movement,
  pocketIn,
  pocketSide,
  portion,
  type Scene,
} from './scene.ts';
import { walletRow } from './wallet-row.ts';

const TRADED = ['EUR', 'EUR', 'EUR', 'USD', 'USD', 'GBP', 'BTC', 'ETH', 'USDC', 'SOL', 'MOTE', 'GEM'];

/** When the second record follows, and the id of the wallet row. */
type SecondRecord = { readonly id?: string; readonly later?: number };

/** One transfer with two records: a wallet row and, at `later`, a movement of the opposite type. */
export const toTrading = (
  scene: Scene,
  pocket: Holder,
  units: bigint,
  { id, later = scene.at }: SecondRecord = {},
): void => {
  const { currency } = pocket;
  scene.move(scene.at, free(pocket.id), currency, -units);
  scene.move(later, 'trading', currency, units);
  walletRow(scene, {
    ...(id !== undefined && { id }),
    type: 'withdrawal',
    subtype: 'trading',
    method: 'pocket',
    denomination: money(units, currency),
    origin: pocketSide(pocket, units),
    destination: { class: 'trading', ...money(units, currency) },
  });
  movement(scene, { at: later, currency, units, type: 'deposit', origin: 'wallet' });
};

/** The way back: a movement and, at `later`, the wallet row. */
export const fromTrading = (
  scene: Scene,
  pocket: Holder,
  units: bigint,
  { id, later = scene.at }: SecondRecord = {},
): void => {
  const { currency } = pocket;
  scene.move(scene.at, 'trading', currency, -units);
  scene.move(later, free(pocket.id), currency, units);
  movement(scene, { at: scene.at, currency, units, type: 'withdrawal', origin: 'wallet' });
  walletRow(scene, {
    ...(id !== undefined && { id }),
    at: later,
    type: 'deposit',
    subtype: 'trading',
    method: 'pocket',
    denomination: money(units, currency),
    origin: { class: 'trading', ...money(units, currency) },
    destination: pocketSide(pocket, units),
  });
};

/** The second record follows about a second after the first. */
export const intoTrading: Action = (scene) => {
  const pocket = pocketIn(scene, scene.random.pick(TRADED));
  const units = portion(scene, free(pocket.id), pocket.currency, 50);
  if (units <= 0n) return false;
  toTrading(scene, pocket, units, { later: scene.at + 300 + scene.random.below(1500) });
  return true;
};

export const outOfTrading: Action = (scene) => {
  const pocket = pocketIn(scene, scene.random.pick(TRADED));
  const units = portion(scene, 'trading', pocket.currency, 20);
  if (units <= 0n) return false;
  fromTrading(scene, pocket, units, { later: scene.at + 300 + scene.random.below(1500) });
  return true;
};

/** The platform advances working capital; sometimes it is repaid. */
export const workingCapital: Action = (scene) => {
  const currency = scene.random.pick(['EUR', 'USDC']);
  const owed = -scene.has('working-capital', currency);
  const back = owed > 0n && scene.random.chance(30) ? owed / 2n : 0n;
  const units =
    back > 0n && back < scene.has('trading', currency) ? back : amountBetween(scene, currency, 500, 5000);
  const type = units === back ? 'withdrawal' : 'deposit';
  const signed = type === 'deposit' ? units : -units;
  scene.move(scene.at, 'trading', currency, signed);
  scene.move(scene.at, 'working-capital', currency, -signed);
  movement(scene, { at: scene.at, currency, units, type, origin: 'working-capital' });
  return true;
};

export const adjustment: Action = (scene) => {
  const currency = scene.random.pick(TRADED);
  const type = scene.random.chance(60) ? 'deposit' : 'withdrawal';
  const taken = cut(portion(scene, 'trading', currency, 3), decimalsOf(currency));
  const units = type === 'deposit' ? amountBetween(scene, currency, 1, 200) : taken;
  if (units <= 0n) return false;
  scene.move(scene.at, 'trading', currency, type === 'deposit' ? units : -units);
  movement(scene, { at: scene.at, currency, units, type, origin: 'admin' });
  return true;
};

/** A bot's funds change only by assignment and release; they remain the owner's, blocked. */
const bot = (scene: Scene, currency: string, percentMax: number): boolean => {
  const release = scene.has('trading-bots', currency) > 0n && scene.random.chance(50);
  const units = portion(scene, release ? 'trading-bots' : 'trading', currency, release ? 80 : percentMax);
  if (units <= 0n) return false;
  scene.move(scene.at, 'trading', currency, release ? units : -units);
  scene.move(scene.at, 'trading-bots', currency, release ? -units : units);
  movement(scene, { at: scene.at, currency, units, type: release ? 'deposit' : 'withdrawal', origin: 'bot' });
  return true;
};

export const botFunds: Action = (scene) => bot(scene, scene.random.pick(TRADED), 15);

/** Several movements in one millisecond. */
export const burst: Action = (scene) => {
  const moves = Array.from({ length: 3 + scene.random.below(5) }, () => scene.random.pick(TRADED));
  return moves.map((currency) => bot(scene, currency, 4)).includes(true);
};

/** The platform enters a deposit with an old time: in the list and in the balance from now on. */
export const lateDeposit = (scene: Scene, now: number): void => {
  const units = amountBetween(scene, 'EUR', 1, 50);
  scene.move(now, 'trading', 'EUR', units);
  movement(scene, { at: scene.at, currency: 'EUR', units, type: 'deposit', origin: 'admin' });
};
