// Balances: one reading of a list, landed as a whole. A value that is not an amount is stored, and is a finding.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { instantAt, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() =>
  stage.rows(`truncate land.balances, land.snapshots, land.requests, land.pockets, run.findings cascade`),
);

const balances = () =>
  stage.rows('select item_id, currency, total from land.balances order by item_id, currency');
const findings = () => stage.rows('select subject, detail from run.findings');

describe('a reading', () => {
  test('of the trading wallet adds what is blocked', async () => {
    await stage.read('trading', 'before', [
      { id: 'w1', currency: 'BTC', balance: '1.5', blockedBalance: '0.000000000000000001' },
    ]);
    expect(await balances()).toEqual([{ item_id: 'w1', currency: 'BTC', total: '1.500000000000000001' }]);
  });

  test('of pockets adds the blocked output too, and stores each pocket for ever', async () => {
    const row = {
      id: 'p1',
      currency: 'EUR',
      balance: '10.00',
      blockedBalance: '1',
      blockedOutputBalance: '0.5',
    };
    await stage.read('pocket', 'before', [row]);
    await stage.read('pocket', 'after', []);
    expect(await balances()).toEqual([{ item_id: 'p1', currency: 'EUR', total: '11.5' }]);
    expect(await stage.rows('select pocket_id, currency from land.pockets')).toEqual([
      { pocket_id: 'p1', currency: 'EUR' },
    ]);
  });

  test('of an Earn wallet is its balance alone', async () => {
    await stage.read('earn', 'after', [
      { walletId: 'e1', currency: 'ETH', balance: '2', blockedBalance: '9' },
    ]);
    expect(await balances()).toEqual([{ item_id: 'e1', currency: 'ETH', total: '2' }]);
  });

  test("has the time of the gateway's clock, and its phase", async () => {
    await stage.read('trading', 'before', [], instantAt(30));
    expect(await stage.rows('select product, phase, taken_at from land.snapshots')).toEqual([
      { product: 'trading', phase: 'before', taken_at: instantAt(30) },
    ]);
  });

  test('contains no user-given name of a pocket', async () => {
    await stage.read('pocket', 'before', [
      { id: 'p1', currency: 'EUR', balance: '1', name: 'Savings of Ana' },
    ]);
    expect(JSON.stringify(await stage.rows('select * from land.balances'))).not.toContain('Ana');
  });
});

describe('a balance that is not an amount, or of no currency,', () => {
  const wrong = {
    nothing: null,
    'a word': 'much',
    'a list': ['5'],
    'too many decimals': '0.1234567890123456789',
    '1e30': '1e30',
  };
  for (const [what, balance] of Object.entries(wrong)) {
    test(`but ${what} is stored as unknown, and is a finding`, async () => {
      await stage.read('trading', 'after', [{ id: 'w1', currency: 'EUR', balance, blockedBalance: '0' }]);
      expect(await balances()).toEqual([{ item_id: 'w1', currency: 'EUR', total: null }]);
      expect(await findings()).toEqual([
        {
          subject: 'trading-balance',
          detail: 'the balance of w1 is not known: balance is not a valid amount',
        },
      ]);
    });
  }

  test('whose blocked part cannot be read is unknown as a whole', async () => {
    await stage.read('trading', 'after', [
      { id: 'w1', currency: 'EUR', balance: '5', blockedBalance: { toString: 'x' } },
    ]);
    expect(await balances()).toEqual([{ item_id: 'w1', currency: 'EUR', total: null }]);
    const detail = 'the balance of w1 is not known: blockedBalance is not a valid amount';
    expect(await findings()).toEqual([{ subject: 'trading-balance', detail }]);
  });

  test.each([[undefined], [null], [''], [['EUR']]])(
    'but has the currency %j is unknown, and is a finding',
    async (currency) => {
      await stage.read('pocket', 'after', [{ id: 'p1', currency, balance: '5' }]);
      expect(await balances()).toEqual([{ item_id: 'p1', currency: '', total: null }]);
      const detail = 'the balance of p1 is not known: its currency is missing';
      expect(await findings()).toEqual([{ subject: 'pockets', detail }]);
    },
  );

  test('listed twice with different amounts is unknown; listed twice alike it counts once', async () => {
    const wallet = (balance: string) => ({ id: 'w1', currency: 'EUR', balance, blockedBalance: '0' });
    await stage.read('trading', 'before', [wallet('5'), wallet('5')]);
    expect(await balances()).toEqual([{ item_id: 'w1', currency: 'EUR', total: '5' }]);
    await stage.read('trading', 'after', [wallet('5'), wallet('6')]);
    expect((await balances()).map(({ total }) => total)).toEqual(['5', null]);
    const detail = 'the balance of w1 is not known: it is listed twice, with different values';
    expect(await findings()).toEqual([{ subject: 'trading-balance', detail }]);
  });

  test.each(['trading', 'earn'] as const)(
    'of %s in each currency is known, also if one wallet holds all',
    async (product) => {
      const wallet = (currency: string, balance: string) => ({ id: 'w1', walletId: 'w1', currency, balance });
      await stage.read(product, 'after', [wallet('BTC', '0.4'), wallet('EUR', '5'), wallet('EUR', '6')]);
      expect(await balances()).toEqual([
        { item_id: 'w1', currency: 'BTC', total: '0.4' },
        { item_id: 'w1', currency: 'EUR', total: null },
      ]);
    },
  );

  test('with a NUL in its name or its currency does not stop the night', async () => {
    await stage.read('pocket', 'after', [{ id: 'p\u0000', currency: 'E\u0000', balance: '1' }]);
    expect(await balances()).toEqual([{ item_id: 'p\\u0000', currency: 'E\\u0000', total: '1' }]);
  });
});

describe('the user of the gateway', () => {
  const walletsOf = (userId: string) => [{ id: 'w1', userId, currency: 'EUR', balance: '1' }];

  test('is stored when first seen, and the key of another account never writes into these books', async () => {
    await stage.read('trading', 'before', walletsOf('user-1'));
    await stage.read('trading', 'after', walletsOf('user-1'));
    const other = stage.read('trading', 'after', walletsOf('user-2'));
    await expect(other).rejects.toThrow(UsageError);
    await expect(other).rejects.toThrow(
      'main was begun with gateway user user-1, this key answers as user-2',
    );
    expect(await balances()).toHaveLength(2);
  });
});
