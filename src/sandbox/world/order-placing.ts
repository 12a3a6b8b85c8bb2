// Orders that clients place: what fills at once from the orders of others, what is planned for the instant at which the price
// reaches its limit, and what stays open.
import { DAY_MS } from '../../base/time.ts';
import { cut, over, times } from '../amount.ts';
import { deducted, type Fill, reserve, settle, type Terms, total } from './fill.ts';
import { bestOf, bookOf, FEES, type Level, type ListedMarket, symbolOf } from './market.ts';
import { planned } from './moment.ts';
import type { OrderSide, OrderType, Part, PlacedOrder } from './placed-order.ts';
import type { Prices } from './prices.ts';
import type { PresentScene } from './scene.ts';

export type OrderRequest = {
  readonly market: ListedMarket;
  readonly side: OrderSide;
  readonly orderType: OrderType;
  /** Of the base currency. */
  readonly amount: bigint;
  /** null for a market order. */
  readonly price: bigint | null;
  readonly stopPrice: bigint | null;
  readonly timeInForce: PlacedOrder['timeInForce'];
  readonly postOnly: boolean;
  readonly clientOrderId: string | null;
};

type Planned = {
  readonly fills: readonly Fill[];
  /** A fill to come, or what is blocked for a fill that never comes. */
  readonly rest: Fill | null;
  readonly activeFrom: number;
  readonly cancelReason: string | null;
};

/** Places an order; null if funds are missing. */
export const placeOrder = (
  scene: PresentScene,
  prices: Prices,
  request: OrderRequest,
): PlacedOrder | null => {
  const course = courseOf(scene.at, prices, request);
  const [taker, maker] = [termsOf(request, 'taker'), termsOf(request, 'maker')];
  const blocked = total([
    ...course.fills.flatMap((fill) => deducted(taker, fill)),
    ...(course.rest === null ? [] : deducted(maker, course.rest)),
  ]);
  if (!reserve(scene, blocked)) return null;
  const id = scene.random.uuid();
  const { scene: noting, plan } = planned(scene);
  const settled = course.fills.map((fill) => settle(noting, taker, fill, id));
  const isComing = course.rest !== null && course.rest.at < Infinity;
  const coming = isComing ? [settle(noting, maker, course.rest as Fill, id)] : [];
  const { market, cancelReason, ...words } = { ...request, cancelReason: course.cancelReason };
  const order: PlacedOrder = {
    ...words,
    id,
    at: scene.at,
    activeFrom: course.activeFrom,
    symbol: symbolOf(market),
    feeCurrency: market.quote,
    fills: [...settled, ...coming],
    blocked,
    plan,
    cancelled: cancelReason === null ? null : { at: scene.at, reason: cancelReason },
  };
  scene.place(order);
  return order;
};

const termsOf = (
  { market, side, orderType, clientOrderId }: OrderRequest,
  role: keyof typeof FEES,
): Terms => ({
  market,
  side,
  feeCurrency: market.quote,
  percent: FEES[role],
  words: { orderType, clientOrderId, isMaker: role === 'maker' },
});

/** What happens to an order from an instant on. */
const courseOf = (now: number, prices: Prices, request: OrderRequest): Planned => {
  const { orderType, timeInForce, postOnly, amount } = request;
  if (orderType === 'stop-limit') return stopCourse(now, prices, request);
  const found = takeable(bookOf(request.market, prices, now), request);
  const fills = found.map((level) => fillOf(now, level, 'taker'));
  const rest = amount - sumOf(found);
  const none = { fills: [], rest: null, activeFrom: now };
  if (postOnly && found.length > 0) return { ...none, cancelReason: 'post-only' };
  if (timeInForce === 'FOK' && rest > 0n) return { ...none, cancelReason: 'fill-or-kill' };
  if (rest === 0n) return { fills, rest: null, activeFrom: now, cancelReason: null };
  if (timeInForce === 'IOC' || request.price === null)
    return { fills, rest: null, activeFrom: now, cancelReason: 'immediate-or-cancel' };
  const when = firstInstant(now, (instant) => isReached(request, bestOf(request.market, prices, instant)));
  return {
    fills,
    rest: fillOf(when, { price: request.price, amount: rest }, 'maker'),
    activeFrom: now,
    cancelReason: null,
  };
};

/** A stop-limit order waits for its stop price, and then for its limit; it fills whole. */
const stopCourse = (now: number, prices: Prices, request: OrderRequest): Planned => {
  const { market, side, price, stopPrice, amount } = request;
  const stop = stopPrice ?? 0n;
  const isStopped = (instant: number) => {
    const best = bestOf(market, prices, instant);
    if (best === null) return false;
    return side === 'buy' ? best.ask >= stop : best.bid <= stop;
  };
  const activeFrom = isStopped(now) ? now : firstInstant(now, isStopped);
  const isDue = (instant: number) => isReached(request, bestOf(market, prices, instant));
  const when = activeFrom === Infinity ? Infinity : firstInstant(activeFrom, isDue);
  const rest = fillOf(when, { price: price ?? 0n, amount }, 'maker');
  return { fills: [], rest, activeFrom, cancelReason: null };
};

/** The part of the orders of others that an order takes, best first. */
const takeable = (
  { bids, asks }: { bids: readonly Level[]; asks: readonly Level[] },
  { side, price, amount }: Pick<OrderRequest, 'side' | 'price' | 'amount'>,
): Level[] => {
  const levels = side === 'buy' ? asks : bids;
  let left = amount;
  return levels.flatMap((level) => {
    const isBeyond = price !== null && (side === 'buy' ? level.price > price : level.price < price);
    if (left === 0n || isBeyond) return [];
    const part = level.amount < left ? level.amount : left;
    left -= part;
    return [{ price: level.price, amount: part }];
  });
};

const sumOf = (levels: readonly Level[]): bigint => levels.reduce((sum, { amount }) => sum + amount, 0n);

const fillOf = (instant: number, { price, amount }: Level, role: keyof typeof FEES): Fill => {
  const cost = times(price, amount);
  return { at: instant, price, amount, cost, fee: (cost * FEES[role]) / 10_000n };
};

const isReached = (
  { side, price }: OrderRequest,
  best: { readonly bid: bigint; readonly ask: bigint } | null,
): boolean => best !== null && price !== null && (side === 'buy' ? best.ask <= price : best.bid >= price);

const STEP = 15 * 60_000;
const HORIZON = 30 * DAY_MS;

/** The first instant after `now` at which something holds, looked at every quarter of an hour of a month; Infinity if there is none. */
const firstInstant = (now: number, holds: (instant: number) => boolean): number => {
  const first = now - (now % STEP) + STEP;
  for (let instant = first; instant < now + HORIZON; instant += STEP) if (holds(instant)) return instant;
  return Infinity;
};

/** The amount of the base currency that an amount of the quote currency buys or sells at once. */
export const baseAmount = (
  { market, side, price }: Pick<OrderRequest, 'market' | 'side' | 'price'>,
  units: bigint,
  prices: Prices,
  now: number,
): bigint => {
  if (price !== null) return cut(over(units, price), market.amount);
  const { bids, asks } = bookOf(market, prices, now);
  let left = units;
  const parts = (side === 'buy' ? asks : bids).map((level) => {
    const most = cut(over(left, level.price), market.amount);
    const amount = most < level.amount ? most : level.amount;
    left -= times(amount, level.price);
    return amount;
  });
  return parts.reduce((sum, amount) => sum + amount, 0n);
};

/** Cancels what is left of an order and releases its funds. */
export const cancelOrder = (scene: PresentScene, order: PlacedOrder, reason: string): void => {
  const past = order.fills.filter((fill) => fill.at <= scene.at);
  scene.callOff(order.plan);
  for (const [currency, units] of openParts(order, scene.at)) {
    scene.move(scene.at, 'trading-orders', currency, -units);
    scene.move(scene.at, 'trading', currency, units);
  }
  order.fills = past;
  order.cancelled = { at: scene.at, reason };
};

/** What an order still blocks at an instant. */
const openParts = ({ blocked, fills }: PlacedOrder, instant: number): Part[] =>
  total([
    ...blocked,
    ...fills
      .filter((fill) => fill.at <= instant)
      .flatMap((fill) => fill.deducted)
      .map(([currency, units]): Part => [currency, -units]),
  ]);

type OrderStatus = 'open' | 'inactive' | 'filled' | 'cancelled';

/** The state of an order at an instant. */
export const statusOf = (
  { cancelled, fills, amount, activeFrom }: PlacedOrder,
  instant: number,
): OrderStatus => {
  if (cancelled !== null && cancelled.at <= instant) return 'cancelled';
  const filled = fills.reduce((sum, fill) => (fill.at <= instant ? sum + fill.amount : sum), 0n);
  if (filled >= amount) return 'filled';
  return activeFrom > instant ? 'inactive' : 'open';
};
