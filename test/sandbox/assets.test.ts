// Earn over all wallets, its summaries, loans, the catalogue with its metadata, prices, conversions and working capital.
import { strict as assert } from 'node:assert';
import { expect, test } from 'vitest';
import { cut, textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { digitsOf } from '../../src/sandbox/wire-json.ts';
import type { Loose } from './asker.ts';
import { type Desk, deskOf } from './desk.ts';

const allEarn = (desk: Desk, query: Record<string, string> = {}): Loose[] =>
  desk.call('earn-movements-all', { query: { limit: '100', ...query } }).body.data;

test('the list over all wallets is the sum of their lists, and names the pocket on the other side', () => {
  const desk = deskOf({ days: 20 });
  const wallets: Loose[] = desk.call('earn-wallets').body.data;
  const each = wallets.flatMap(
    ({ walletId }) =>
      desk.call('earn-movements', { params: { walletId }, query: { limit: '100' } }).body.data,
  );
  const all = allEarn(desk);
  expect(all.map((row) => row.movementId).sort()).toEqual(each.map((row: Loose) => row.movementId).sort());
  const pockets = desk.world.pockets('main').map(({ id }) => id);
  for (const row of all.filter(({ type }) => type !== 'reward'))
    expect(pockets).toContain(row.source.walletId);
  for (const row of allEarn(desk, { type: 'reward', currency: 'BTC' }))
    expect([row.type, row.amount.currency, row.status]).toEqual(['reward', 'BTC', 'completed']);
  const last = desk.world.entities.at(-1)?.entityId ?? '';
  expect(desk.call('earn-movements-all', { entity: last }).status).toBe(404);
});

test('the summaries are the sums of the movements, old and new alike', () => {
  const desk = deskOf({ days: 20, perDay: 200 });
  const summary: Loose[] = desk.call('earn-reward-summary').body;
  expect(summary.length).toBeGreaterThan(1);
  for (const { currency, total, type } of summary) {
    const rewards = allEarn(desk, { type: 'reward', currency });
    const sum = rewards.reduce((units, row) => units + unitsOf(row.amount.value), 0n);
    expect([type, total]).toEqual(['reward', textOf(sum)]);
  }
  expect(desk.call('earn-movement-summary', { params: { type: 'reward' } }).body).toEqual(summary);
  const falling = desk.call('earn-reward-summary', {
    query: { order: 'desc', rateMoment: 'current', userCurrency: 'USD' },
  }).body;
  expect(falling.map(({ currency }: Loose) => currency)).toEqual(
    summary.map(({ currency }) => currency).reverse(),
  );
  expect(falling[0].converted.currency).toBe('USD');
});

test('the catalogue has testnet symbols among the coins, under both paths', () => {
  const desk = deskOf({ days: 1 });
  const names = (name: string, type?: string) =>
    Object.keys(desk.call(name, { query: type === undefined ? {} : { type } }).body);
  expect(names('catalog', 'crypto')).toEqual(expect.arrayContaining(['BTC', 'TBTC', 'RELIC']));
  expect(names('catalog', 'fiat')).toEqual(['EUR', 'USD', 'GBP']);
  expect(names('catalog-old')).toEqual(names('catalog', 'all'));
  expect(() => desk.call('catalog')).toThrow(/type/);
});

test('assets: testnet ones can be left out, delisted ones carry the time of their removal', () => {
  const desk = deskOf({ days: 1 });
  const all = desk.call('assets').body;
  const some = desk.call('assets', { query: { includeTestnet: 'false' } }).body;
  expect(Object.keys(all).filter((symbol) => !(symbol in some))).toEqual(['TBTC', 'TETH']);
  expect(some.RELIC).toMatchObject({ enabled: false, removedAt: '2025-03-31T00:00:00.000Z', testnet: false });
  expect(all.USDC).toMatchObject({
    assetType: 'crypto',
    network: 'ethereum',
    isERC20Token: true,
    pairsWith: ['SOL'],
  });
  expect(new RegExp(all.ETH.addressRegex).test(`0x${'a'.repeat(40)}`)).toBe(true);
  for (const symbol of Object.keys(all))
    expect(desk.call('asset', { params: { symbol } }).body).toEqual(all[symbol]);
  expect(desk.call('asset', { params: { symbol: 'MOON' } }).status).toBe(404);
});

test('the historical conversion gives 0 for an unknown symbol', () => {
  const desk = deskOf({ days: 1 });
  const time = '2026-10-20T00:00:00.000Z';
  const query = {
    from: 'BTC,MOON,EUR',
    to: 'EUR,EUR,EUR',
    value: '2,2,3.5',
    time: [time, time, time].join(','),
  };
  const [worth, unknown, same] = desk.call('convert', { query }).body;
  const rate = desk.call('rates', { query: { time } }).body[0];
  const expected = (unitsOf('2') * unitsOf(rate.fiat.EUR)) / unitsOf(rate.crypto.BTC);
  const apart = unitsOf(worth) - expected;
  expect(cut(apart < 0n ? -apart : apart, 6)).toBe(0n);
  expect([unknown, same]).toEqual(['0', '3.5']);
});

test('prices are in one currency, now and one interval ago', () => {
  const desk = deskOf({ days: 1 });
  const { BTC } = desk.call('prices', { query: { currency: 'USD' } }).body;
  expect(unitsOf(BTC.current)).not.toBe(unitsOf(BTC.before));
  expect(desk.call('prices', { query: { interval: 'moon' } }).status).toBe(400);
});

test('working capital honours its symbols', () => {
  const desk = deskOf({ days: 20 });
  const all: Loose[] = desk.call('working-capital').body;
  expect(all.map(({ currency }) => currency).sort()).toEqual(['EUR', 'USDC']);
  const some = desk.call('working-capital', { query: { symbols: 'EUR,BTC' } }).body;
  expect(some).toEqual(all.filter(({ currency }) => currency === 'EUR'));
});

test('an asset is found by its exact symbol, and lower case is 404', () => {
  const desk = deskOf({ days: 1 });
  const statusOf = (symbol: string): number => desk.call('asset', { params: { symbol } }).status;
  expect(['BTC', 'btc', 'Btc', 'NOPE'].map(statusOf)).toEqual([200, 404, 404, 404]);
});

test('working capital counts a rolling window of 24 hours', () => {
  const { world } = deskOf({ days: 20 });
  const advances = world
    .rows('main', 'movements')
    .filter(({ body }) => body.serviceOrderName === 'working-capital' && body.movementType === 'deposit');
  const last = advances.at(-1);
  assert(last);
  const usedAt = (now: number): string[] =>
    deskOf({}, { ...world, now: () => now })
      .call('working-capital')
      .body.map(({ used }: Loose) => used)
      .filter((used: string) => used !== '0');
  expect(usedAt(last.at + 86_400_000 - 1)).toEqual([digitsOf(last.body.amount)]);
  expect(usedAt(last.at + 86_400_000)).toEqual([]);
});

test('the orders of loans are those of the world, by page; a world without loans has none', () => {
  const seeded = deskOf();
  expect(seeded.call('loan-orders').body).toEqual({ total: '0', data: [] });
  const loans = () => ['l1', 'l2', 'l3'].map((id) => ({ id, status: 'active', loanAmount: '100' }));
  const desk = deskOf({}, { ...seeded.world, loans });
  const { body } = desk.call('loan-orders', { query: { offset: '1', limit: '1' } });
  expect(body).toEqual({ total: '3', data: [{ id: 'l2', status: 'active', loanAmount: '100' }] });
});
