// Trades over a gateway that refuses an order: the next way to request one is tried, and in the end none.
import { expect, test } from 'vitest';
import { tradeWalk } from '../../src/extract/extract.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { type Failure, GatewayError } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';
import { drain, instant } from './drain.ts';

type Query = { readonly offset: number; readonly sort?: string; readonly direction?: string };

const failed = (failure: Failure): GatewayError => failureOf(failure, CONTRACT.trading.trades);

/** A walk over 120 trades, newest first unless an order is accepted, and the orders that were requested. */
const walkedBy = async (isRefused: (query: Query) => Failure | null, pageMax = 50) => {
  const orders: string[] = [];
  const left: unknown[] = [];
  const rows = Array.from({ length: 120 }, (_, nth) => ({ id: `t${nth}`, createdAt: instant(nth * 1_000) }));
  const call = async (_: unknown, { query, left: needed }: { query: Query; left?: number }) => {
    left.push(needed);
    orders.push(`${query.sort ?? 'none'} ${query.direction ?? ''}`.trim());
    const failure = isRefused(query);
    if (failure) throw failed(failure);
    const listed = query.sort === undefined ? rows.toReversed() : rows;
    return {
      page: { rows: listed.slice(query.offset, query.offset + pageMax), total: rows.length },
      receipt: null,
    };
  };
  const gateway = { call, nowMs: () => 0 } as unknown as ReadGateway;
  const walk = tradeWalk({ gateway }, { known: 0, gone: 0, newest: null, isFull: false });
  const walked = await drain(walk as unknown as Parameters<typeof drain>[0]);
  return { ...walked, orders, left };
};

test('a refused field and direction is replaced by a direction alone, for the whole walk', async () => {
  const { ids, covers, troubles, orders } = await walkedBy(({ direction }) => (direction ? 'invalid' : null));
  expect([ids.size, covers.length, troubles]).toEqual([120, 1, []]);
  expect(orders).toEqual(['createdAt asc', 'ASC', 'ASC', 'ASC']);
});

test('an order at which the gateway fails is replaced, but not once it was answered', async () => {
  const walked = await walkedBy(({ direction }) => (direction ? 'unavailable' : null));
  expect([walked.ids.size, walked.orders]).toEqual([120, ['createdAt asc', 'ASC', 'ASC', 'ASC']]);
  const outage = walkedBy(({ offset }) => (offset > 0 ? 'unavailable' : null));
  await expect(outage).rejects.toThrow('the gateway is not available');
});

test('how many requests the list still needs is counted in pages of the length that the gateway returns', async () => {
  const { left } = await walkedBy(() => null, 20);
  expect(left).toEqual([undefined, 6, 5, 4, 3, 2, 1]);
});

test('a gateway that refuses an offset is not asked in another order', async () => {
  const offsets: number[] = [];
  const refused = walkedBy(({ offset }) => {
    offsets.push(offset);
    return offset > 60 ? 'invalid' : null;
  });
  await expect(refused).rejects.toThrow('the request was rejected');
  expect(offsets).toEqual([0, 49, 98]);
});

test('if every order is refused, the list is read as it comes', async () => {
  const { ids, covers, troubles, orders } = await walkedBy(({ sort }) => (sort ? 'invalid' : null));
  expect([ids.size, covers.length, troubles]).toEqual([120, 1, []]);
  expect(orders).toEqual(['createdAt asc', 'ASC', 'none', 'none', 'none']);
});

test('a list that is refused without an order fails', async () => {
  await expect(walkedBy(() => 'invalid')).rejects.toThrow('the request was rejected');
});

test.each(['refused', 'missing', 'unreachable'] as const)('%s is not about the order', async (failure) => {
  await expect(walkedBy(() => failure)).rejects.toThrow(GatewayError);
});
