// One moment of one entity's life: what an action can see and do, and the row builders that actions share.
import type { StreamName } from '../../base/streams.ts';
import { isoOf } from '../../base/time.ts';
import { cut, ONE, over, paddedText } from '../amount.ts';
import type { Random } from '../random.ts';
import { exact, type WireObject } from '../wire-json.ts';
import type { Holder, Player } from './cast.ts';
import { decimalsOf, isFiat } from './coins.ts';
import type { PlacedOrder, Plan } from './placed-order.ts';
import type { SocialOrder } from './social-order.ts';

/** A record through time: each version is visible from an instant on. */
export type RowVersion = { readonly from: number; readonly body: WireObject; readonly detail?: WireObject };
export type WorldRow = {
  readonly stream: StreamName;
  readonly id: string;
  readonly at: number;
  readonly scope?: string;
  readonly versions: readonly RowVersion[];
};

export type Scene = {
  readonly player: Player;
  readonly random: Random;
  readonly at: number;
  /** Euro for one unit of a currency in 1e-18, at this moment or at another. */
  readonly euro: (currency: string, instant?: number) => bigint;
  /** The balance of a bucket at this moment. */
  readonly has: (bucket: string, currency: string) => bigint;
  readonly move: (instant: number, bucket: string, currency: string, units: bigint) => void;
  readonly list: (row: WorldRow) => void;
  readonly place: (order: PlacedOrder) => void;
  /** Notes a social pay order; its money moves by `move`. */
  readonly send: (order: SocialOrder) => void;
};

/** The present moment: an action that a client asked for. `has` is what no later effect needs. */
export type PresentScene = Scene & {
  /** The id of the record that comes next: the same until something happens. */
  readonly nextId: string;
  /** Takes back what a plan has after this moment. */
  readonly callOff: (plan: Plan) => void;
};

/** Does something and returns true; or returns false (no funds, no such product) without any effect. */
export type Action = (scene: Scene) => boolean;

export const pocketIn = ({ player, random }: Scene, currency: string): Holder =>
  random.pick(player.pockets.filter((pocket) => pocket.currency === currency));

export const holderOf = (holders: readonly Holder[], currency: string): Holder =>
  holders.find((holder) => holder.currency === currency) as Holder;

/** From 1 % to `percentMax` % of a balance, at the precision of the currency; 0 if the balance is too small. */
export const portion = (scene: Scene, bucket: string, currency: string, percentMax: number): bigint => {
  const has = scene.has(bucket, currency);
  if (has <= 0n) return 0n;
  return cut(
    (has * (100n + scene.random.units(BigInt(percentMax) * 100n - 100n))) / 10_000n,
    decimalsOf(currency),
  );
};

/** A random amount whose value lies between two numbers of euro. */
export const amountBetween = (scene: Scene, currency: string, from: number, to: number): bigint => {
  const euro = BigInt(from) * ONE + scene.random.units(BigInt(to - from) * ONE);
  return cut(over(euro, scene.euro(currency)), decimalsOf(currency));
};

/** Wallet rows have eight decimals, fiat sometimes two. */
export const walletText = (units: bigint, currency: string): string =>
  paddedText(units, isFiat(currency) && units % 2n === 0n ? 2 : 8);

export const money = (units: bigint, currency: string): WireObject => ({
  amount: walletText(units, currency),
  currency,
});

export const pocketSide = (pocket: Holder, units: bigint): WireObject => ({
  class: 'pocket',
  ...money(units, pocket.currency),
  pocketId: pocket.id,
  pocketName: pocket.name,
});

type MovementOf = {
  readonly at: number;
  readonly currency: string;
  readonly units: bigint;
  readonly type: 'deposit' | 'withdrawal';
  readonly origin: string;
};

/** Lists one trading-wallet movement. Its amount is a JSON number with every digit. */
export const movement = (scene: Scene, { at: instant, currency, units, type, origin }: MovementOf): void => {
  const id = scene.random.uuid();
  const body = {
    id,
    walletId: holderOf(scene.player.trading, currency).id,
    amount: exact(paddedText(units, 0)),
    currency,
    createdAt: isoOf(instant),
    movementType: type,
    serviceOrderName: origin,
    status: 'completed',
  };
  scene.list({ stream: 'movements', id, at: instant, versions: [{ from: instant, body }] });
};
