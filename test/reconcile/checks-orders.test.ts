// Orders and assets beside what they explain: blocked funds, the fills of an order, the class of an asset, and the limits of the
// platform advance.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LandedStream, WireRecord } from '../../src/base/streams.ts';
import { landAnswer } from '../../src/land/answers.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { instantAt, movement, openStage, receipt, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.rows(`truncate land.records, land.inbox, land.people, land.coverage, land.pages, land.leaves, land.snapshots,
    land.balances, land.pockets, land.answers, land.requests, ledger.outcomes, ledger.entries, ledger.transfers, ledger.daily, ledger.totals cascade`);
  stage = await stage.nextRun();
});

const check = async (name: string) => {
  const rows = await stage.check(name);
  return rows.map(({ subject, difference, reason }) => [subject, difference, reason]);
};
const land = async (stream: LandedStream, ...rows: readonly WireRecord[]) => {
  await stage.land([{ rows }], { stream });
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
};
/** Proves the list of trades complete up to a time. */
const cover = (seconds: number) =>
  stage.land([{ rows: [], covers: { from: null, to: instantAt(seconds), proof: 'window' } }], {
    stream: 'trades',
  });

const order = (id: string, rest: WireRecord = {}): WireRecord => ({
  id,
  symbol: 'BTC/EUR',
  side: 'buy',
  orderType: 'limit',
  status: 'open',
  price: '50000.1',
  orderAmount: '0.03',
  filledAmount: '0.01',
  createdAt: instantAt(0),
  updatedAt: instantAt(0),
  ...rest,
});
const fill = (id: string, rest: WireRecord = {}): WireRecord => ({
  id,
  orderId: 'o1',
  symbol: 'BTC/EUR',
  side: 'buy',
  price: '3',
  priceCurrency: 'EUR',
  amount: '0.01',
  amountCurrency: 'BTC',
  cost: '500',
  feeAmount: '1.25',
  feeCurrency: 'EUR',
  createdAt: instantAt(60),
  ...rest,
});
const wallet = (currency: string, blockedBalance: string): WireRecord => ({
  id: `w-${currency}`,
  currency,
  balance: '1',
  blockedBalance,
});

const blocked = () =>
  stage.rows(`select account, currency, blocked, in_orders, with_bots, in_payments, unexplained
    from books.blocked_balances order by account, currency`);

test('what blocks trading: unfilled orders at their limit price, bots, and what neither explains', async () => {
  await land(
    'movements',
    movement('m1'),
    movement('b1', { amount: '7', movementType: 'withdrawal', serviceOrderName: 'bot' }),
  );
  await stage.read('trading', 'after', [wallet('EUR', '1010'), wallet('BTC', '0.5'), wallet('ETH', '0')]);
  const done = { orderAmount: '9', filledAmount: '9' };
  await land(
    'trading-orders',
    order('o1'),
    order('o2', { side: 'sell', status: 'inactive', orderAmount: '0.5', filledAmount: '0' }),
    order('o3', { ...done, status: 'filled' }),
    order('o4', { status: 'cancelled' }),
  );
  expect(await blocked()).toEqual([
    {
      account: 'assets:trading',
      currency: 'BTC',
      blocked: '0.5',
      in_orders: '0.5',
      with_bots: '0',
      in_payments: '0',
      unexplained: '0',
    },
    {
      account: 'assets:trading',
      currency: 'EUR',
      blocked: '1010',
      in_orders: '1000.002',
      with_bots: '7',
      in_payments: '0',
      unexplained: '2.998',
    },
  ]);
});

test.each([
  ['a price', { price: null }],
  ['an amount filled', { filledAmount: null }],
  ['a known side', { side: 'both' }],
  ['a known status', { status: 'sleeping' }],
  ['more amount than is filled', { filledAmount: '5' }],
])('an order without %s makes what it reserves unknown, in its currency only', async (_, rest) => {
  await stage.read('trading', 'after', [wallet('EUR', '10'), wallet('ETH', '3')]);
  await land('trading-orders', order('o1', rest));
  const rows = await blocked();
  expect(rows.map(({ currency, in_orders, unexplained }) => [currency, in_orders, unexplained])).toEqual([
    ['ETH', '0', '3'],
    ['EUR', null, null],
  ]);
});

test('an order without a market may reserve any currency', async () => {
  await stage.read('trading', 'after', [wallet('EUR', '10'), wallet('ETH', '3')]);
  await land('trading-orders', order('o1', { symbol: null }));
  expect((await blocked()).map(({ in_orders }) => in_orders)).toEqual([null, null]);
});

test('what blocks a pocket: its wallet transactions that are not final', async () => {
  const pocket = { id: 'P1', currency: 'EUR', balance: '1', blockedBalance: '2', blockedOutputBalance: '30' };
  await stage.read('pocket', 'after', [
    pocket,
    { ...pocket, id: 'P2', blockedOutputBalance: '0', blockedBalance: '0' },
  ]);
  const paying = (id: string, status: string, amount: string): WireRecord => ({
    id,
    date: instantAt(0),
    status,
    origin: { class: 'pocket', pocketId: 'P1', amount, currency: 'EUR' },
    destination: { class: 'bank', amount, currency: 'EUR' },
  });
  await land('wallet-transactions', paying('t1', 'pending', '30'), {
    ...paying('t2', 'completed', '8'),
    completedAt: instantAt(0),
  });
  expect(await blocked()).toEqual([
    {
      account: 'assets:pocket:p1',
      currency: 'EUR',
      blocked: '32',
      in_orders: '0',
      with_bots: '0',
      in_payments: '30',
      unexplained: '2',
    },
  ]);
});

test('blocked_not_explained: noted if the open orders were read with the balance, none changed since, and funds are blocked', async () => {
  const openList = '/v1/trading/order?limit=100&status_in=open%2Cinactive';
  const requested = (target: string, rows = 1) =>
    stage.rows(`update land.requests set target = $1, rows = $2 where stream = 'trading-orders'`, [
      target,
      rows,
    ]);
  await land('trading-orders', order('o1'));
  stage = await stage.nextRun();
  await stage.read('trading', 'after', [wallet('EUR', '1010'), wallet('BTC', '0')], instantAt(60));
  expect(await check('blocked_not_explained')).toEqual([]); // the orders are of an earlier run
  await land('trading-orders', order('o1', { postOnly: true }));
  await requested('/v1/trading/order?ids=o1&limit=100');
  expect(await check('blocked_not_explained')).toEqual([]); // by name: others may be open
  await requested(openList, 100);
  expect(await check('blocked_not_explained')).toEqual([]); // a full page
  await requested(openList);
  expect(await check('blocked_not_explained')).toEqual([
    [
      'blocked EUR',
      '9.998',
      '1010 EUR is blocked; open orders reserve 1000.002 and bots hold 0, which leaves 9.998 unexplained',
    ],
  ]);
  await land('trading-orders', order('o2', { side: 'sell', updatedAt: instantAt(61) }));
  await requested(openList);
  expect(await check('blocked_not_explained')).toEqual([]); // changed after the reading
});

test('orders: the fills of each together, exact, beside its own figures', async () => {
  await land(
    'trades',
    fill('t1', { amount: '0.01', cost: '1', feeAmount: '0.25' }),
    fill('t2', {
      amount: '0.02',
      cost: '1',
      feeAmount: '0.001',
      feeCurrency: 'BTC',
      createdAt: instantAt(90),
    }),
    fill('t3', { orderId: 'o2', amount: 'a lot' }),
  );
  await land(
    'trading-orders',
    order('o1', { status: 'filled', filledAmount: '0.03', cost: '2' }),
    order('o3'),
  );
  const rows = await stage.rows(
    `select order_id, status, fills, amount, cost, fees, average_price, filled_amount, order_cost,
    first_fill_at = $1 as is_first, last_fill_at = $2 as is_last from books.orders order by 1`,
    [instantAt(60), instantAt(90)],
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    [
      'o1',
      'filled',
      '2',
      '0.03',
      '2',
      '0.001 BTC; 0.25 EUR',
      '66.666666666666666667',
      '0.03',
      '2',
      true,
      true,
    ],
    ['o2', null, '1', null, '500', '1.25 EUR', null, null, null, true, false],
    ['o3', 'open', '0', '0', '0', null, null, '0.01', null, null, null],
  ]);
});

test('order_fills: a final order with more or less than its trades, once they are covered; not an open one', async () => {
  const final = (id: string, filledAmount: string, rest: WireRecord = {}) =>
    order(id, { status: 'filled', filledAmount, updatedAt: instantAt(90), ...rest });
  await land(
    'trades',
    fill('t1'),
    fill('t2', { orderId: 'o2' }),
    fill('t3', { orderId: 'o2', createdAt: instantAt(90) }),
    fill('t4', { orderId: 'o3' }),
  );
  await land(
    'trading-orders',
    final('o1', '0.010'),
    final('o2', '0.01'),
    final('o3', '0.025'),
    final('o4', '0.5', { status: 'cancelled' }),
    final('o5', '0', { status: 'cancelled' }),
    order('o6', { filledAmount: '0.5' }),
    final('o7', '1', { updatedAt: instantAt(200) }),
  );
  expect(await check('order_fills')).toEqual([]);
  await cover(100);
  expect(await check('order_fills')).toEqual([
    [
      'trading-orders o2',
      '-0.01',
      'the order is filled with 0.01 BTC by its own figure, and 0.02 in 2 landed trades',
    ],
    [
      'trading-orders o3',
      '0.015',
      'the order is filled with 0.025 BTC by its own figure, and 0.01 in 1 landed trade',
    ],
    [
      'trading-orders o4',
      '0.5',
      'the order is cancelled with 0.5 BTC by its own figure, and 0 in 0 landed trades',
    ],
  ]);
  await stage.rows('update land.records set landed_at = $1', [instantAt(0)]);
  await cover(8 * 86_400); // a week later they have been noted often enough
  expect(await check('order_fills')).toEqual([]);
});

const asset = (symbol: string, rest: WireRecord = {}): WireRecord => ({
  symbol,
  assetType: 'crypto',
  ...rest,
});

test('assets have a class from the words that are known, and the fee currency of each network', async () => {
  const networks = [
    { network: 'tron', feeCurrencyCode: 'TRX' },
    { network: 'ethereum', feeCurrencyCode: 'ETH' },
  ];
  await land(
    'assets',
    asset('USDT', { networks }),
    asset('EUR', { assetType: 'FIAT', networks: null }),
    asset('EURC', { assetType: 'emt', networks: ['base'] }),
    asset('TBTC', { testnet: true }),
    asset('ODD', { assetType: 'share' }),
    asset('NIL', { assetType: null }),
  );
  const classes = await stage.rows('select symbol, class from books.assets order by 1');
  expect(classes.map(({ symbol, class: kind }) => [symbol, kind])).toEqual([
    ['EUR', 'fiat'],
    ['EURC', 'e-money token'],
    ['NIL', null],
    ['ODD', null],
    ['TBTC', 'testnet'],
    ['USDT', 'coin'],
  ]);
  const found = await stage.rows('select symbol, network, fee_currency from books.asset_networks order by 2');
  expect(found.map((row) => Object.values(row))).toEqual([
    ['USDT', 'ethereum', 'ETH'],
    ['USDT', 'tron', 'TRX'],
  ]);
});

test('asset_status: a testnet coin, or a delisted asset that is held; unknown_currency knows both', async () => {
  const adjusted = (currency: string) => movement(`m-${currency}`, { currency, serviceOrderName: 'admin' });
  await land('movements', adjusted('TBTC'), adjusted('OLD'), adjusted('EUR'), adjusted('GONE'), {
    ...adjusted('GONE'),
    id: 'm-out',
    movementType: 'withdrawal',
  });
  const to = { run: stage.run, entity: 'main' };
  const catalog = { operation: 'catalog', answer: { EUR: 'Euro' }, rows: 1, receipt: receipt('/') } as const;
  await landAnswer(stage.db, to, catalog);
  const unknown = async () => (await check('unknown_currency')).map(([subject]) => subject);
  expect([await check('asset_status'), await unknown()]).toEqual([[], ['OLD', 'TBTC']]);
  const removedAt = '2025-03-31T00:00:00.000Z';
  await land(
    'assets',
    asset('TBTC', { testnet: true }),
    asset('OLD', { removedAt }),
    asset('GONE', { removedAt }),
  );
  expect(await check('asset_status')).toEqual([
    ['OLD as an asset', null, 'OLD was delisted on 2025-03-31, and the books hold 10 of it'],
    [
      'TBTC as an asset',
      null,
      'TBTC is a coin of a test network by the list of assets, and the books hold 10 of it',
    ],
  ]);
  expect(await unknown()).toEqual([]);
  await land('assets', asset('OLD', { removedAt: 'last year' }));
  const [old] = await check('asset_status');
  expect(old).toEqual(['OLD as an asset', null, 'OLD was delisted, and the books hold 10 of it']);
});

test('working capital: the limits as last reported, exact', async () => {
  const limits = (used: string) => [
    { currency: 'EUR', type: 'deposit', limit: '100', used, remaining: '69.5', refillThreshold: '0.1' },
  ];
  for (const used of ['10', '30.500000000000000001']) {
    const answer = {
      operation: 'working-capital',
      answer: limits(used),
      rows: 1,
      receipt: receipt('/'),
    } as const;
    await landAnswer(stage.db, { run: stage.run, entity: 'main' }, answer);
  }
  const rows = await stage.rows(
    'select currency, type, limit_amount, used, remaining, threshold from books.working_capital',
  );
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['EUR', 'deposit', '100', '30.500000000000000001', '69.5', '0.1'],
  ]);
});
