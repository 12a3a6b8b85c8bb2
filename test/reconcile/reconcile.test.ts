// Reconcile: the reported balances, night by night, against the booked ones.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sentenceOf } from '../export/page/reasons.ts';
import { instantAt } from '../land/stage.ts';
import {
  AFTER,
  adjustment,
  BEFORE,
  type Nights,
  openNights,
  PLATFORM_CLASS,
  tradingSide,
  wallet,
  walletSide,
} from './stage.ts';

let books: Nights;
beforeEach(async () => {
  books = await openNights();
});
afterEach(() => books.close());

const TRADING = 'assets:trading EUR';
const CLEARING = 'assets:clearing:trading EUR';
const statuses = (tieOuts: Record<string, { status: string }>) =>
  Object.fromEntries(Object.entries(tieOuts).map(([account, { status }]) => [account, status]));

describe('an account', () => {
  test('ties with what is blocked included, and two wallets of one currency are one account', async () => {
    const wallets = [wallet('w1', 'EUR', '60', { blockedBalance: '15' }), wallet('w2', 'EUR', '25')];
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100')] },
      after: { trading: wallets },
    });
    expect(tieOuts[TRADING]).toMatchObject({
      status: 'tied',
      reported: '100',
      booked: '100',
      difference: '0',
    });
  });

  test('of bots is compared with trading: their funds are blocked there', async () => {
    const assigned = adjustment('m2', '30', { movementType: 'withdrawal', serviceOrderName: 'bot' });
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100'), assigned] },
      after: { trading: [wallet('w1', 'EUR', '70', { blockedBalance: '30' })] },
    });
    expect(statuses(tieOuts)).toEqual({ [TRADING]: 'tied' });
  });

  test('that is booked and not reported compares with 0', async () => {
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100')] },
      after: { trading: [] },
    });
    expect(tieOuts[TRADING]).toMatchObject({
      status: 'break',
      reported: '0',
      booked: '100',
      difference: '-100',
    });
  });

  test('that is reported and not booked compares with 0', async () => {
    const tieOuts = await books.night({
      after: { trading: [wallet('w1', 'BTC', '0.5')], pocket: [wallet('P2', 'EUR', '7')] },
    });
    expect(tieOuts['assets:trading BTC']).toMatchObject({
      status: 'break',
      reported: '0.5',
      booked: '0',
      difference: '0.5',
    });
    expect(tieOuts['assets:pocket:p2 EUR']).toMatchObject({ status: 'break', difference: '7' });
  });

  test('that is reported as 0 and never booked ties: proof of an empty wallet is proof', async () => {
    const tieOuts = await books.night({ after: { trading: [wallet('w1', 'BTC', '0')] } });
    expect(statuses(tieOuts)).toEqual({ 'assets:trading BTC': 'tied' });
  });

  test('of Earn ties with the balances of its wallets', async () => {
    const reward = {
      movementId: 'r1',
      type: 'reward',
      createdAt: instantAt(0),
      amount: { value: '3', currency: 'ETH' },
    };
    const tieOuts = await books.night({
      records: { 'earn-movements': [reward] },
      after: { earn: [{ walletId: 'e1', currency: 'ETH', balance: '3' }] },
    });
    expect(statuses(tieOuts)).toEqual({ 'assets:earn ETH': 'tied' });
  });

  test('whose balance cannot be read as an amount is uncovered, not a break', async () => {
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100')] },
      after: { trading: [wallet('w1', 'EUR', '100'), wallet('w2', 'EUR', 'much')] },
    });
    expect(tieOuts[TRADING]).toMatchObject({ status: 'uncovered', reported: null, difference: null });
  });

  test('whose reading was refused is uncovered, not a break', async () => {
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100')] },
      after: { pocket: [] },
    });
    expect(tieOuts[TRADING]).toMatchObject({ status: 'uncovered', reported: null, booked: '100' });
  });

  test('with a stream that was not read up to the reading is uncovered, with the reason', async () => {
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100')] },
      after: { trading: [wallet('w1', 'EUR', '90')] },
      uncovered: ['trades'],
    });
    expect(tieOuts[TRADING]?.reason).toBe('a stream of this account is not proved complete');
  });

  test('has no tie-out at all if no balance was ever read', async () => {
    expect(await books.night({ records: { movements: [adjustment('m1', '100')] } })).toEqual({});
  });
});

describe('in flight', () => {
  const moving = (id: string) => ({
    records: { movements: [adjustment(id, '100', { createdAt: instantAt(BEFORE + 10) })] },
    before: { trading: [wallet('w1', 'EUR', '0')] },
    after: { trading: [wallet('w1', 'EUR', '0')] },
  });

  test('is a difference that was booked between the two readings; the run after, it is a break', async () => {
    expect((await books.night(moving('m1')))[TRADING]?.status).toBe('in-flight');
    expect(await books.rows('select * from books.breaks')).toEqual([]);
    expect((await books.night(moving('m1')))[TRADING]?.status).toBe('break');
  });

  test('is a balance that agreed before the streams were read but not after', async () => {
    const tieOuts = await books.night({
      records: { movements: [adjustment('m1', '100')] },
      before: { trading: [wallet('w1', 'EUR', '100')] },
      after: { trading: [wallet('w1', 'EUR', '80')] },
    });
    expect(tieOuts[TRADING]).toMatchObject({ status: 'in-flight', difference: '-20' });
  });

  test('stays in-flight however often the same run reconciles', async () => {
    await books.night(moving('m1'));
    expect((await books.again())[TRADING]?.status).toBe('in-flight');
  });

  test('stays in-flight in runs that compare the same reading, and is a break in the next night', async () => {
    await books.night(moving('m1'));
    for (const _ of [1, 2]) expect((await books.inAnotherRun())[TRADING]?.status).toBe('in-flight');
    expect(await books.rows('select * from books.breaks')).toEqual([]);
    expect((await books.night(moving('m1')))[TRADING]?.status).toBe('break');
  });
});

describe('records that are not final', () => {
  const waiting = (id: string, amount: string, date = instantAt(BEFORE - 60)) => ({
    id,
    date,
    status: 'pending',
    origin: { class: 'pocket', pocketId: 'p1', amount, currency: 'EUR' },
    destination: { class: 'blockchain', amount: '99', currency: 'EUR' },
  });
  const pockets = (balance: string) => ({ pocket: [wallet('p1', 'EUR', balance)] });
  const pocketOf = async (records: object[], balance: string) => {
    const tieOuts = await books.night({
      records: { 'wallet-transactions': records as never },
      after: pockets(balance),
    });
    return tieOuts['assets:pocket:p1 EUR'];
  };

  test('explain exactly what they would change, each by name', async () => {
    const tieOut = await pocketOf([waiting('w1', '100'), waiting('w2', '150')], '-250');
    expect(tieOut).toMatchObject({ status: 'pending', difference: '-250' });
    expect(tieOut?.reason).toBe('not final yet: wallet-transactions w1, wallet-transactions w2');
  });

  test('carry what their teller order says, in a pending difference and as the cause of a break', async () => {
    const order = (status: string) =>
      books.land([{ rows: [{ orderId: 'o1', status }] }], { stream: 'teller-orders' });
    const row = {
      ...waiting('w1', '100'),
      fee: { teller: { id: 'o1', feeCurrency: 'EUR', fixedFee: '1', variableFee: '0' } },
    };
    await order('waiting-user');
    expect((await pocketOf([row], '-100'))?.reason).toBe(
      'not final yet: wallet-transactions w1 (its teller order waits for the user)',
    );
    await order('review');
    const old = { ...row, date: instantAt(BEFORE - 8 * 86_400) };
    expect((await pocketOf([old], '-100'))?.reason).toContain(
      'the balance may already include it: wallet-transactions w1; its teller order is in review',
    );
    const [found] = await books.rows("select reason_parts from books.breaks where status = 'open'");
    expect(sentenceOf('de', found?.reason_parts)).toMatch(/w1\. Sein Zahlungsauftrag wird geprüft\.$/);
    await order('pending');
    expect((await pocketOf([row], '-100'))?.reason).toBe('not final yet: wallet-transactions w1');
  });

  test('explain what the rules of these books would book: the class of a setting, the pocket that pays a fee', async () => {
    const sent = {
      ...waiting('w1', '100'),
      destination: { class: PLATFORM_CLASS, amount: '100', currency: 'EUR' },
      fee: { network: { amount: '0.0004', currency: 'ETH' } },
    };
    const tieOuts = await books.night({
      records: { 'wallet-transactions': [sent] as never },
      after: { pocket: [wallet('p1', 'EUR', '-100'), wallet('p2', 'ETH', '-0.0004')] },
    });
    expect(tieOuts['assets:pocket:p1 EUR']?.status).toBe('pending');
    expect(tieOuts['assets:pocket:p2 ETH']?.status).toBe('pending');
  });

  test('explain a difference that is one of them', async () => {
    const tieOut = await pocketOf([waiting('w1', '100'), waiting('w2', '150')], '-150');
    expect(tieOut?.reason).toBe('not final yet: wallet-transactions w2');
  });

  test('do not explain by a part of themselves: a fee alone is a break', async () => {
    expect((await pocketOf([waiting('w1', '100')], '-1'))?.status).toBe('break');
  });

  test('without a time that can be read explain it from the day they were landed', async () => {
    const tieOut = await pocketOf([waiting('w1', '100', 'soon')], '-100');
    expect(tieOut).toMatchObject({ status: 'pending', reason: 'not final yet: wallet-transactions w1' });
  });

  test('explain nothing after seven days', async () => {
    expect((await pocketOf([waiting('w1', '100', instantAt(0))], '-100'))?.status).toBe('break');
  });
});

describe('clearing', () => {
  const sides = (wallet: object[], trading: object[]) => ({
    records: { 'wallet-transactions': wallet as never, movements: trading as never },
    after: { trading: [], pocket: [] },
  });
  const YOUNG = instantAt(AFTER - 86_400 + 1);

  test('is empty if both streams have each transfer, even many of one amount', async () => {
    const ids = Array.from({ length: 20 }, (_, nth) => nth);
    const tieOuts = await books.night(
      sides(
        ids.map((nth) => walletSide(`w${nth}`, '50')),
        ids.map((nth) => tradingSide(`m${nth}`, '50')),
      ),
    );
    expect(tieOuts[CLEARING]).toBe(undefined);
  });

  test('names the newest of many equal transfers as the one without a counterpart', async () => {
    const wallet = [0, 1, 2].map((nth) => walletSide(`w${nth}`, '50', { completedAt: instantAt(nth) }));
    const trading = [0, 1].map((nth) => tradingSide(`m${nth}`, '50', { createdAt: instantAt(nth) }));
    const tieOuts = await books.night(sides(wallet, trading));
    expect(tieOuts[CLEARING]).toMatchObject({ status: 'break', difference: '-50' });
    expect(tieOuts[CLEARING]?.reason).toBe(
      `no counterpart for wallet-transactions w2 (50 EUR, ${instantAt(2)}, 11 days old)`,
    );
  });

  test('is in transit for a day, and a break after that', async () => {
    const young = await books.night(sides([walletSide('w1', '50', { completedAt: YOUNG })], []));
    expect(young[CLEARING]?.status).toBe('in-transit');
    const old = await books.night(
      sides([walletSide('w2', '70', { completedAt: instantAt(AFTER - 86_400 - 1) })], []),
    );
    expect(old[CLEARING]?.status).toBe('break');
  });

  test('is uncovered if one of its streams was not read, because the missing record may be there', async () => {
    const tieOuts = await books.night({
      ...sides([], [tradingSide('m1', '50')]),
      uncovered: ['wallet-transactions'],
    });
    expect(tieOuts[CLEARING]?.status).toBe('uncovered');
  });
});
