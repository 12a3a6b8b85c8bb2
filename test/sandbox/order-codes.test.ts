// Every order error code of the specification is reachable: by a body, by a market, or by a switch of its name.
import { expect, test } from 'vitest';
import { ORDER_CODES } from '../../src/sandbox/answers/order-code.ts';
import { type Desk, deskOf } from './desk.ts';

/** A buy that a check may refuse; the fields of a case replace its own. */
const LIMIT = { side: 'buy', symbol: 'BTC/EUR', orderType: 'limit', amount: '0.001', price: '40000' };
const GEM = { ...LIMIT, symbol: 'GEM/EUR', amount: '100' };
const MARKET = { side: 'buy', symbol: 'BTC/EUR', orderType: 'market', amount: '0.001' };

const BODIES: readonly (readonly [code: string, status: number, body: object])[] = [
  ['AMOUNT_PRECISION_EXCEEDED', 400, { ...LIMIT, amount: '0.000000001' }],
  ['PRICE_PRECISION_EXCEEDED', 400, { ...LIMIT, price: '40000.001' }],
  ['ORDER_AMOUNT_LOWER_EQUAL_ZERO', 400, { ...LIMIT, amount: '0.00' }],
  ['ORDER_PRICE_LOWER_EQUAL_ZERO', 400, { ...LIMIT, price: '0' }],
  ['ORDER_STOP_PRICE_LOWER_EQUAL_ZERO', 400, { ...LIMIT, orderType: 'stop-limit', stopPrice: '0' }],
  ['CURRENCY_NOT_SUPPORTED', 400, { ...LIMIT, symbol: 'MOON/EUR' }],
  ['MARKET_CONFIG_NOT_FOUND', 400, { ...LIMIT, symbol: 'GBP/EUR' }],
  ['MARKET_CONFIG_NOT_FOUND', 400, { ...LIMIT, symbol: 'GEM/USD' }],
  ['TIME_IN_FORCE_INVALID', 400, { ...MARKET, timeInForce: 'GTC' }],
  ['TIME_IN_FORCE_INVALID', 400, { ...LIMIT, orderType: 'stop-limit', stopPrice: '1', timeInForce: 'FOK' }],
  ['TIME_IN_FORCE_INVALID', 400, { ...LIMIT, timeInForce: 'IOC', postOnly: true }],
  ['ONLY_LIMIT_ORDERS_ALLOWED', 400, { ...MARKET, symbol: 'GEM/EUR' }],
  ['BUY_PRICE_IS_ABOVE_INITIAL_PRICE', 400, { ...GEM, price: '0.51' }],
  ['SELL_PRICE_IS_BELOW_INITIAL_PRICE', 400, { ...GEM, side: 'sell', price: '0.49' }],
  [
    'BUY_STOP_PRICE_IS_BELOW_INITIAL_PRICE',
    400,
    { ...GEM, orderType: 'stop-limit', price: '0.5', stopPrice: '0.49' },
  ],
  [
    'SELL_STOP_PRICE_IS_ABOVE_INITIAL_PRICE',
    400,
    { ...GEM, orderType: 'stop-limit', side: 'sell', price: '0.5', stopPrice: '0.51' },
  ],
  ['PRICE_LOWER_MARKET_MIN', 412, { ...LIMIT, price: '1' }],
  ['PRICE_GREATER_MARKET_MAX', 412, { ...LIMIT, price: '99999999' }],
  ['ORDER_AMOUNT_LOWER_MARKET_MIN', 412, { ...LIMIT, amount: '0.00000001' }],
  ['ORDER_AMOUNT_GREATER_MARKET_MAX', 412, { ...LIMIT, amount: '1000' }],
  ['ORDER_SIZE_LOWER_MARKET_MIN', 400, { ...LIMIT, amount: '0.00002' }],
  ['NOT_ENOUGH_LIQUIDITY', 400, { ...MARKET, symbol: 'SOL/EUR', amount: '1' }],
  ['ORDER_AMOUNT_GREATER_TOTAL_AMOUNT_IN_SALE', 400, { ...MARKET, amount: '7' }],
  ['ORDER_AMOUNT_GREATER_TOTAL_AMOUNT_IN_PURCHASE', 400, { ...MARKET, side: 'sell', amount: '7' }],
  ['NOT_ENOUGH_BALANCE', 400, { ...LIMIT, amount: '7', price: '55000' }],
];

test.each(BODIES)('%s (%i): %j', (code, status, body) => {
  const desk = deskOf({ days: 2 });
  const before = JSON.stringify(desk.world.truth());
  const outcome = desk.call('order-create', { body });
  expect([outcome.body.data?.errorPayload.code, outcome.status]).toEqual([code, status]);
  expect(outcome.body).toMatchObject({ message: code, statusCode: String(status) });
  expect(JSON.stringify(desk.world.truth())).toBe(before);
});

const SWITCHED: readonly (readonly [
  code: string,
  call: (desk: Desk) => { readonly body: { data: object } },
])[] = [
  ...[
    'CREATE_ORDERS_DISABLED_TEMPORALLY',
    'USER_IS_ALREADY_CREATING_ORDER',
    'ERROR_CREATING_ORDER',
    'ERROR_CREATING_INTERNAL_ORDER',
  ].map((code) => [code, (desk: Desk) => desk.call('order-create', { body: LIMIT })] as const),
  ['DELETE_ORDERS_DISABLED_TEMPORALLY', (desk) => desk.call('order-cancel', { params: { id: 'any' } })],
];

test.each(SWITCHED)('%s while its switch is on', (code, call) => {
  const desk = deskOf({ days: 2 });
  desk.platform.switches.add(code);
  expect(call(desk).body.data).toMatchObject({ errorPayload: { code } });
  desk.platform.switches.delete(code);
  expect(call(desk).body.data).not.toMatchObject({ errorPayload: { code } });
});

/** Small buys far below the price, until one is refused. */
const fill = (desk: Desk, sent: object): [count: number, code: string] => {
  for (let count = 0; count < 1_000; count += 1) {
    const { status, body } = desk.call('order-create', { body: sent });
    if (status !== 200) return [count, body.data.errorPayload.code];
  }
  return [1_000, ''];
};

test('at most 50 open orders a market, and 100 created within an hour', () => {
  const desk = deskOf({ days: 2 });
  const before = desk.call('orders', { query: { symbol: 'BTC/EUR', status: 'open' } }).body.length;
  const waiting = { ...LIMIT, price: '2000', amount: '0.001' };
  const open = () => desk.call('orders', { query: { symbol: 'BTC/EUR', status_in: 'open,inactive' } }).body;
  expect(fill(desk, waiting)).toEqual([50 - before, 'MAX_OPEN_ORDERS_REACHED']);
  expect(
    desk.call('order-create', { body: { ...LIMIT, symbol: 'ETH/EUR', price: '1000', amount: '0.01' } })
      .status,
  ).toBe(200);
  for (const { id } of open()) expect(desk.call('order-cancel', { params: { id } }).status).toBe(200);
  expect(fill(desk, waiting)[1]).toBe('MAX_OPEN_ORDERS_REACHED');
  for (const { id } of open()) expect(desk.call('order-cancel', { params: { id } }).status).toBe(200);
  expect(fill(desk, waiting)).toEqual([before, 'MAX_CREATED_ORDERS_REACHED']);
});

test('an order that is closed cannot be cancelled', () => {
  const desk = deskOf({ days: 2 });
  const { id } = desk.call('order-create', { body: LIMIT }).body;
  expect(desk.call('order-cancel', { params: { id } }).body.status).toBe('cancelled');
  expect(desk.call('order-cancel', { params: { id } }).body.data.errorPayload.code).toBe(
    'DELETE_CLOSED_ORDER',
  );
  expect(desk.call('order-cancel', { params: { id: 'none' } }).status).toBe(404);
});

test('the tests reach every code', () => {
  const here = [...BODIES, ...SWITCHED].map(([code]) => code);
  const others = [
    'MAX_OPEN_ORDERS_REACHED',
    'MAX_CREATED_ORDERS_REACHED',
    'DELETE_CLOSED_ORDER',
    'MISSING_FROM_POCKET_ID', // these five: trading-funds.test.ts
    'TRADING_WALLET_NOT_FOUND',
    'TRADING_WALLET_NOT_BALANCE',
    'DEPOSITS_DISABLED_TEMPORALLY',
    'WITHDRAWS_DISABLED_TEMPORALLY',
  ];
  expect([...new Set([...here, ...others])].sort()).toEqual([...ORDER_CODES].sort());
  expect(ORDER_CODES).toHaveLength(35);
});
