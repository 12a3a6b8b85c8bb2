// Earn: deposits and withdrawals (a wallet row and an Earn movement each), and rewards, which only the Earn list shows.
import { isoOf } from '../../base/time.ts';
import { cut, textOf, times } from '../amount.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { decimalsOf } from './coins.ts';
import { type Action, money, pocketIn, pocketSide, portion, type Scene } from './scene.ts';
import { walletRow } from './wallet-row.ts';

type EarnRowOf = {
  readonly at: number;
  readonly type: string;
  readonly units: bigint;
  readonly more?: WireObject;
  /** The pocket on the other side. */
  readonly pocket?: Holder;
};

/** Fields of a record that change from an instant on. */
type Later = { readonly from: number; readonly change: WireObject };

/** Lists one Earn movement. */
export const earnRow = (
  scene: Scene,
  wallet: Holder,
  { at: instant, type, units, more, pocket }: EarnRowOf,
  later: readonly Later[] = [],
): void => {
  const { currency, id: walletId } = wallet;
  const movementId = scene.random.uuid();
  const body = {
    movementId,
    userId: scene.player.userId,
    type,
    createdAt: isoOf(instant),
    walletId,
    amount: { value: textOf(units), currency },
    ...more,
    convertedAmount: { value: textOf(cut(times(units, scene.euro(currency, instant)), 2)), currency: 'EUR' },
    issuer: type === 'reward' ? 'system' : 'user',
    ...(pocket && { source: { walletId: pocket.id, currency } }),
  };
  scene.list({
    stream: 'earn-movements',
    id: movementId,
    at: instant,
    scope: walletId,
    versions: [
      { from: instant, body },
      ...later.map(({ from, change }) => ({ from, body: { ...body, ...change } })),
    ],
  });
};

export const intoEarn: Action = (scene) => {
  if (scene.player.earn === null) return false;
  const wallet = scene.random.pick(scene.player.earn);
  const { currency } = wallet;
  const pocket = pocketIn(scene, currency);
  const units = portion(scene, free(pocket.id), currency, 30);
  if (units <= 0n) return false;
  const later = scene.at + 400 + scene.random.below(1200);
  scene.move(scene.at, free(pocket.id), currency, -units);
  scene.move(later, 'earn', currency, units);
  walletRow(scene, {
    type: 'withdrawal',
    subtype: 'earn',
    method: 'pocket',
    denomination: money(units, currency),
    origin: pocketSide(pocket, units),
    destination: { class: 'earn', ...money(units, currency) },
  });
  earnRow(scene, wallet, { at: later, type: 'deposit', units, pocket });
  return true;
};

export const outOfEarn: Action = (scene) => {
  if (scene.player.earn === null) return false;
  const wallet = scene.random.pick(scene.player.earn);
  const { currency } = wallet;
  const units = portion(scene, 'earn', currency, 20);
  if (units <= 0n) return false;
  const pocket = pocketIn(scene, currency);
  const later = scene.at + 400 + scene.random.below(1200);
  scene.move(scene.at, 'earn', currency, -units);
  scene.move(later, free(pocket.id), currency, units);
  earnRow(scene, wallet, { at: scene.at, type: 'withdrawal', units, pocket });
  walletRow(scene, {
    at: later,
    type: 'deposit',
    subtype: 'earn',
    method: 'pocket',
    denomination: money(units, currency),
    origin: { class: 'earn', ...money(units, currency) },
    destination: pocketSide(pocket, units),
  });
  return true;
};

/** A reward of some basis points; withheld tax is shown in full, only through the net amount, or not at all. */
export const reward: Action = (scene) => {
  if (scene.player.earn === null) return false;
  const wallet = scene.random.pick(scene.player.earn);
  const { currency } = wallet;
  const units = cut(
    scene.has('earn', currency) / BigInt(3000 + scene.random.below(3000)),
    decimalsOf(currency),
  );
  const form = scene.random.pick(['gross', 'both', 'net']);
  const tax = form === 'gross' ? 0n : cut((units * 19n) / 100n, decimalsOf(currency));
  if (units <= 0n) return false;
  scene.move(scene.at, 'earn', currency, units - tax);
  scene.move(scene.at, 'tax-withheld', currency, tax);
  scene.move(scene.at, 'rewards', currency, -units);
  const part = (value: bigint) => ({ value: textOf(value), currency });
  const net = form === 'gross' ? {} : { netAmount: part(units - tax) };
  const withheld = form === 'both' ? { withholdingAmount: part(tax) } : {};
  earnRow(scene, wallet, { at: scene.at, type: 'reward', units, more: { ...net, ...withheld } });
  return true;
};
