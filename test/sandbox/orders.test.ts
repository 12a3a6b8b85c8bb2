// Orders through their life: what fills at once, what waits and blocks, what the price reaches later, and cancellation.
import { expect, test } from 'vitest';
import { times, unitsOf } from '../../src/sandbox/amount.ts';
import { movement } from '../../src/sandbox/world/scene.ts';
import type { Loose } from './asker.ts';
import { type Desk, deskOf } from './desk.ts';

const HOUR = 3_600_000;
const WORLD = { days: 4, perDay: 60 };

const create = (desk: Desk, body: object): Loose => {
  const outcome = desk.call('order-create', { body });
  expect([outcome.status, outcome.body.message]).toEqual([200, undefined]);
  return outcome.body;
};

const get = (desk: Desk, id: string): Loose => desk.call('order', { params: { id } }).body;

const state = (desk: Desk, currency: string) => {
  const { balance = '0', blocked = '0' } =
    desk.world.trading('main').find((it) => it.currency === currency) ?? {};
  return { free: unitsOf(balance), blocked: unitsOf(blocked) };
};

/** Euro from the platform. */
const fund = (desk: Desk, amount: string) =>
  desk.world.act?.('main', (scene) => {
    scene.move(scene.at, 'trading', 'EUR', unitsOf(amount));
    movement(scene, {
      at: scene.at,
      currency: 'EUR',
      units: unitsOf(amount),
      type: 'deposit',
      origin: 'admin',
    });
  });

const ticker = (desk: Desk, symbol: string): Loose => desk.call('tickers', { query: { symbol } }).body[0];

test('a market order fills at the prices of the order book, best first, and the fee is on top', () => {
  const desk = deskOf(WORLD);
  const before = state(desk, 'EUR');
  const best = ticker(desk, 'ETH/EUR');
  const order = create(desk, {
    side: 'buy',
    symbol: 'ETH/EUR',
    orderType: 'market',
    amount: '1.5',
    clientOrderId: 'a-1',
  });
  expect(order).toMatchObject({ status: 'filled', filledAmount: '1.5', price: null, clientOrderId: 'a-1' });
  const trades = desk.call('order-trades', { params: { id: order.id } }).body;
  expect(trades.length).toBeGreaterThan(1);
  expect(unitsOf(trades[0].price)).toBeGreaterThanOrEqual(unitsOf(best.close));
  const sum = (field: string) =>
    trades.reduce((total: bigint, row: Loose) => total + unitsOf(row[field]), 0n);
  expect([sum('cost'), sum('feeAmount')]).toEqual([unitsOf(order.cost), unitsOf(order.feeAmount)]);
  for (const row of trades) {
    expect(unitsOf(row.cost)).toBe(times(unitsOf(row.price), unitsOf(row.amount)));
    expect(row).toMatchObject({
      orderType: 'market',
      isMaker: false,
      clientOrderId: 'a-1',
      feeCurrency: 'EUR',
    });
  }
  const after = state(desk, 'EUR');
  expect(before.free - after.free).toBe(sum('cost') + sum('feeAmount'));
  expect(after.blocked).toBe(before.blocked);
});

test('a limit order beside the price stays open and blocks its funds; cancelling releases them', () => {
  const desk = deskOf(WORLD);
  const before = state(desk, 'EUR');
  const order = create(desk, {
    side: 'buy',
    symbol: 'BTC/EUR',
    orderType: 'limit',
    amount: '0.01',
    price: '5000',
  });
  expect(order).toMatchObject({ status: 'open', filledAmount: '0', timeInForce: 'GTC' });
  const during = state(desk, 'EUR');
  expect(during.blocked - before.blocked).toBe(unitsOf('50.05')); // with the maker's fee of 0.1 %
  expect(before.free - during.free).toBe(unitsOf('50.05'));
  expect(desk.call('order-cancel', { params: { id: order.id } }).body).toMatchObject({
    status: 'cancelled',
    cancelReason: 'user',
  });
  expect(state(desk, 'EUR')).toEqual(before);
  expect(desk.call('order-trades', { params: { id: order.id } }).body).toEqual([]);
});

test('a limit order fills when the price reaches it, as maker at its own price', () => {
  const desk = deskOf(WORLD);
  const { bid } = ticker(desk, 'ETH/EUR');
  const price = String(unitsOf(bid) / 10n ** 18n - 2n);
  const order = create(desk, { side: 'buy', symbol: 'ETH/EUR', orderType: 'limit', amount: '0.2', price });
  expect(order.status).toBe('open');
  for (let hours = 0; get(desk, order.id).status === 'open' && hours < 24 * 20; hours += 1)
    desk.world.advance(HOUR);
  const filled = get(desk, order.id);
  expect(filled).toMatchObject({ status: 'filled', filledAmount: '0.2' });
  const [trade, ...others] = desk.call('order-trades', { params: { id: order.id } }).body;
  expect(trade).toMatchObject({ isMaker: true, createdAt: filled.updatedAt });
  expect([unitsOf(trade.price), others]).toEqual([unitsOf(price), []]);
  expect(filled.updatedAt > order.createdAt).toBe(true);
});

test('a limit order takes what is there up to its price; the rest waits, is dropped, or nothing is taken', () => {
  const desk = deskOf(WORLD);
  fund(desk, '100000');
  const ask = unitsOf(ticker(desk, 'ETH/EUR').ask);
  const price = String(ask / 10n ** 18n + 1n);
  const base = { side: 'buy', symbol: 'ETH/EUR', orderType: 'limit', amount: '3', price };
  const waits = create(desk, base);
  expect(waits.status).toBe('open');
  expect(unitsOf(waits.filledAmount)).toBeGreaterThan(0n);
  const dropped = create(desk, { ...base, timeInForce: 'IOC' });
  expect(dropped).toMatchObject({
    status: 'cancelled',
    cancelReason: 'immediate-or-cancel',
    filledAmount: waits.filledAmount,
  });
  const killed = create(desk, { ...base, timeInForce: 'FOK' });
  expect(killed).toMatchObject({ status: 'cancelled', cancelReason: 'fill-or-kill', filledAmount: '0' });
  const post = create(desk, { ...base, postOnly: true });
  expect(post).toMatchObject({ status: 'cancelled', cancelReason: 'post-only', filledAmount: '0' });
  desk.call('order-cancel', { params: { id: waits.id } });
  expect(get(desk, waits.id)).toMatchObject({ status: 'cancelled', filledAmount: waits.filledAmount });
});

test('a stop-limit order is inactive until the price reaches its stop price', () => {
  const desk = deskOf(WORLD);
  const ask = unitsOf(ticker(desk, 'ETH/EUR').ask) / 10n ** 18n;
  const [stopPrice, price] = [String(ask + 2n), String(ask + 40n)];
  const order = create(desk, {
    side: 'buy',
    symbol: 'ETH/EUR',
    orderType: 'stop-limit',
    amount: '0.1',
    stopPrice,
    price,
  });
  expect(order).toMatchObject({ status: 'inactive', stopPrice, price });
  for (let hours = 0; get(desk, order.id).status === 'inactive' && hours < 24 * 20; hours += 1)
    desk.world.advance(HOUR);
  expect(['open', 'filled']).toContain(get(desk, order.id).status);
});

test('a market order may be sized in the quote currency', () => {
  const desk = deskOf(WORLD);
  const order = create(desk, {
    side: 'buy',
    symbol: 'BTC/EUR',
    orderType: 'market',
    amount: '500',
    amountInQuote: true,
  });
  const cost = unitsOf(order.cost);
  expect(cost <= unitsOf('500') && cost > unitsOf('499')).toBe(true);
});

test('the orders of the history group its trades, and what is open blocks exactly what the balance says', () => {
  const desk = deskOf({ days: 20, perDay: 120 });
  const trades = desk.world.rows('main', 'trades');
  const orders = desk.world.orders?.('main') ?? [];
  const known = new Set(orders.map(({ id }) => id));
  expect(trades.filter(({ body }) => !known.has(String(body.orderId)))).toEqual([]);
  const open = new Map<string, bigint>();
  for (const { blocked, fills } of orders) {
    for (const [currency, units] of blocked) open.set(currency, (open.get(currency) ?? 0n) + units);
    for (const fill of fills.filter((it) => it.at <= desk.world.now()))
      for (const [currency, units] of fill.deducted) open.set(currency, (open.get(currency) ?? 0n) - units);
  }
  const positive = [...open].filter(([, units]) => units !== 0n);
  expect(positive.length).toBeGreaterThan(0);
  for (const [currency, units] of positive)
    expect(state(desk, currency).blocked).toBeGreaterThanOrEqual(units); // with the funds of bots
});

test('the list takes filters, is newest first and at most 100 long', () => {
  const desk = deskOf({ days: 20, perDay: 120 });
  const all: Loose[] = desk.call('orders').body;
  expect(all).toHaveLength(100);
  expect(all.map((row) => row.createdAt)).toEqual(
    all
      .map((row) => row.createdAt)
      .toSorted()
      .reverse(),
  );
  const sells: Loose[] = desk.call('orders', { query: { side: 'sell', symbol: 'ETH/EUR', limit: '5' } }).body;
  expect(sells.map((row) => [row.side, row.symbol])).toEqual(sells.map(() => ['sell', 'ETH/EUR']));
  expect(desk.call('orders', { query: { ids: `${all[3].id},${all[9].id}` } }).body).toEqual([all[3], all[9]]);
  const rest: Loose[] = desk.call('orders', { query: { status_ne: 'filled' } }).body;
  expect(rest.map((row) => row.status)).not.toContain('filled');
});

test('an open order of the history can be cancelled: its later fills never happen', () => {
  const desk = deskOf({ days: 20, perDay: 200 });
  const [open] = desk.call('orders', { query: { status: 'open' } }).body;
  const before = desk.call('order-trades', { params: { id: open.id } }).body;
  expect(desk.call('order-cancel', { params: { id: open.id } }).body.status).toBe('cancelled');
  desk.world.advance(48 * HOUR);
  expect(desk.call('order-trades', { params: { id: open.id } }).body).toEqual(before);
});

test('the same requests give the same world', () => {
  const play = () => {
    const desk = deskOf(WORLD);
    create(desk, { side: 'buy', symbol: 'ETH/EUR', orderType: 'market', amount: '0.3' });
    return JSON.stringify([desk.call('orders').body, desk.call('trades').body, desk.world.truth()]);
  };
  expect(play()).toBe(play());
});

test('restricted markets have no ticker without credentials; a filter still gives a list', () => {
  const desk = deskOf(WORLD);
  const symbols = (isAnonymous: boolean) =>
    desk.call('tickers', { isAnonymous }).body.map((row: Loose) => row.symbol);
  expect(symbols(false)).toContain('MOTE/EUR');
  expect(symbols(true)).not.toContain('MOTE/EUR');
  expect(desk.call('tickers', { query: { symbol: 'NO/NE' } }).body).toEqual([]);
  const config = desk.call('market-config').body;
  expect(config).toEqual(desk.call('market-config-v1').body);
  for (const market of config) expect(unitsOf(market.minPrice)).toBeLessThan(unitsOf(market.maxPrice));
});
