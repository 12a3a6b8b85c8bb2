// An order as the service shows it, at an instant.
import { isoOf } from '../../base/time.ts';
import { textOf } from '../amount.ts';
import { exact, type Wire, type WireObject } from '../wire-json.ts';
import { statusOf } from '../world/order-placing.ts';
import type { PlacedOrder } from '../world/placed-order.ts';

/** Figures are JSON numbers with every digit. */
export const orderView = (order: PlacedOrder, userId: string, now: number): WireObject => {
  const fills = order.fills.filter((fill) => fill.at <= now);
  const sum = (field: 'amount' | 'cost' | 'fee') =>
    number(fills.reduce((total, fill) => total + fill[field], 0n));
  const changes = [order.at, order.cancelled?.at ?? 0, ...fills.map((fill) => fill.at)];
  return {
    id: order.id,
    userId,
    symbol: order.symbol,
    side: order.side,
    orderType: order.orderType,
    status: statusOf(order, now),
    price: number(order.price),
    stopPrice: number(order.stopPrice),
    orderAmount: number(order.amount),
    filledAmount: sum('amount'),
    feeAmount: sum('fee'),
    feeCurrency: order.feeCurrency,
    cost: sum('cost'),
    clientOrderId: order.clientOrderId,
    postOnly: order.postOnly,
    timeInForce: order.timeInForce,
    cancelReason: order.cancelled?.reason ?? null,
    createdAt: isoOf(order.at),
    updatedAt: isoOf(Math.max(...changes)),
  };
};

const number = (units: bigint | null): Wire => (units === null ? null : exact(textOf(units)));
