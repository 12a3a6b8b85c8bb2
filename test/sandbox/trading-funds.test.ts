// Deposits to and withdrawals from the trading wallet: two records each, and every refusal.
import { expect, test } from 'vitest';
import { unitsOf } from '../../src/sandbox/amount.ts';
import { deskOf } from './desk.ts';

const pocketsOf = (desk: ReturnType<typeof deskOf>, currency: string) =>
  desk.world.pockets('main').filter((pocket) => pocket.currency === currency);

test('a deposit moves a pocket and the trading wallet, lists both records, and answers the balance', () => {
  const desk = deskOf();
  const [pocket] = pocketsOf(desk, 'EUR');
  const trading = () => desk.world.trading('main').find(({ currency }) => currency === 'EUR');
  const [before, rows] = [trading(), desk.world.rows('main', 'wallet-transactions').length];
  const { status, body } = desk.call('trading-deposit', {
    body: { fromPocketId: pocket?.id, amount: '12.340', currency: 'EUR' },
  });
  expect(status).toBe(200);
  expect(unitsOf(body.balance) - unitsOf(before?.balance ?? '')).toBe(unitsOf('12.34'));
  expect(body).toMatchObject({ id: before?.id, currency: 'EUR', blockedBalance: before?.blocked });
  const after = pocketsOf(desk, 'EUR').find(({ id }) => id === pocket?.id);
  expect(unitsOf(pocket?.balance ?? '') - unitsOf(after?.balance ?? '')).toBe(unitsOf('12.34'));
  const [movement, ...others] = desk.call('movements', { query: { limit: '1' } }).body;
  expect([movement, others]).toMatchObject([
    { movementType: 'deposit', serviceOrderName: 'wallet', amount: '12.34', currency: 'EUR' },
    [],
  ]);
  const listed = desk.world.rows('main', 'wallet-transactions');
  expect(listed.length).toBe(rows + 1);
  expect(listed.at(-1)?.body).toMatchObject({ type: 'withdrawal', subtype: 'trading', status: 'completed' });
});

test('a withdrawal goes back to the named pocket, or the first of its currency', () => {
  const desk = deskOf();
  const [first, second] = pocketsOf(desk, 'BTC');
  for (const [toPocketId, expected] of [
    [second?.id, second?.id],
    [undefined, first?.id],
  ]) {
    const body = { amount: '0.001', currency: 'BTC', ...(toPocketId !== undefined && { toPocketId }) };
    expect(desk.call('trading-withdraw', { body }).status).toBe(200);
    const row = desk.world.rows('main', 'wallet-transactions').at(-1)?.body;
    expect(row).toMatchObject({ type: 'deposit', subtype: 'trading', destination: { pocketId: expected } });
  }
});

const OTHER = '00000000-0000-4000-8000-000000000000';

test.each([
  ['trading-deposit', { amount: '1', currency: 'EUR' }, 400, 'MISSING_FROM_POCKET_ID'],
  [
    'trading-deposit',
    { fromPocketId: 'own', amount: '0', currency: 'EUR' },
    400,
    'ORDER_AMOUNT_LOWER_EQUAL_ZERO',
  ],
  [
    'trading-deposit',
    { fromPocketId: 'own', amount: '0.001', currency: 'EUR' },
    400,
    'AMOUNT_PRECISION_EXCEEDED',
  ],
  ['trading-deposit', { fromPocketId: 'own', amount: '1', currency: 'MOON' }, 400, 'CURRENCY_NOT_SUPPORTED'],
  ['trading-deposit', { fromPocketId: 'own', amount: '1', currency: 'BTC' }, 400, 'CURRENCY_NOT_SUPPORTED'],
  [
    'trading-deposit',
    { fromPocketId: 'own', amount: '1', currency: 'TBTC' },
    404,
    'TRADING_WALLET_NOT_FOUND',
  ],
  [
    'trading-deposit',
    { fromPocketId: 'own', amount: '999999999', currency: 'EUR' },
    412,
    'NOT_ENOUGH_BALANCE',
  ],
  ['trading-deposit', { fromPocketId: OTHER, amount: '1', currency: 'EUR' }, 404, undefined],
  ['trading-withdraw', { amount: '999999999', currency: 'EUR' }, 412, 'TRADING_WALLET_NOT_BALANCE'],
  ['trading-withdraw', { amount: '1', currency: 'MOON' }, 400, 'CURRENCY_NOT_SUPPORTED'],
  ['trading-withdraw', { amount: '1', currency: 'EUR', toPocketId: OTHER }, 404, undefined],
])('%s %j gives %i %s, and nothing moves', (name, sent, status, code) => {
  const desk = deskOf();
  const [pocket] = pocketsOf(desk, 'EUR');
  const body =
    'fromPocketId' in sent && sent.fromPocketId === 'own' ? { ...sent, fromPocketId: pocket?.id } : sent;
  const before = JSON.stringify(desk.world.truth());
  const outcome = desk.call(name, { body });
  expect([outcome.status, outcome.body.data.errorPayload?.code]).toEqual([status, code]);
  expect(JSON.stringify(desk.world.truth())).toBe(before);
});

test.each([
  ['trading-deposit', 'DEPOSITS_DISABLED_TEMPORALLY'],
  ['trading-withdraw', 'WITHDRAWS_DISABLED_TEMPORALLY'],
])('%s while %s is switched on', (name, code) => {
  const desk = deskOf();
  desk.platform.switches.add(code);
  expect(desk.call(name, { body: { amount: '1', currency: 'EUR' } }).body.data.errorPayload.code).toBe(code);
});
