// A call that changes something, for tests of the client: an order, and what the gateway answers to it.
import type { Gateway } from '../../src/gateway/gateway.ts';
import type { Reply } from './listener.ts';

export const ID = '3f0c1d2e-1111-4222-8333-444455556666';

export const ORDER = {
  symbol: 'BTC/EUR',
  side: 'buy',
  orderType: 'limit',
  price: '50000.10',
  amount: '0.5',
} as const;

/** The amounts have more digits than a float. */
export const CREATED: Reply = {
  body: `{"id":"${ID}","symbol":"BTC/EUR","side":"buy","orderType":"limit","status":"open","price":50000.10,"amount":0.123456789012345678,"createdAt":"2026-11-01T00:00:00.000Z"}`,
};

export const create = (gateway: Gateway) => gateway.trading.createOrder({ body: ORDER });
