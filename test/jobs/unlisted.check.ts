// A pocket or wallet that is no longer listed: a finding while it has a booked balance, and nothing after that.
import { describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { reportChecks } from '../../src/reconcile/reconcile.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { instantAt, movement, openStage, type Stage } from '../land/stage.ts';
import { openStage as openNights, WORLD } from './stage.ts';

const wallet = (id: string, currency: string): WireRecord => ({
  id,
  currency,
  balance: '1',
  blockedBalance: '0',
});
const earn = (walletId: string): WireRecord => ({ walletId, currency: 'ETH', balance: '1' });
const moved = (id: string, from: string, to: string, amount: string): WireRecord => {
  const end = (pocketId: string) =>
    pocketId === 'bank'
      ? { class: 'bank', amount, currency: 'EUR' }
      : { class: 'pocket', pocketId, amount, currency: 'EUR' };
  return {
    id,
    date: instantAt(0),
    completedAt: instantAt(0),
    status: 'completed',
    origin: end(from),
    destination: end(to),
  };
};
const reward = (movementId: string, value: string, type = 'deposit'): WireRecord => ({
  movementId,
  createdAt: instantAt(1),
  type,
  amount: { value, currency: 'ETH' },
});

const withStage = async (use: (stage: Stage) => Promise<void>): Promise<void> => {
  const stage = await openStage();
  await use(stage).finally(() => stage.close());
};

/** The findings of a later run, after everything landed is booked. */
const found = async (stage: Stage): Promise<unknown[]> => {
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
  const { db, run } = await stage.nextRun();
  await reportChecks(db, run, { entities: ['main'] });
  const rows = await stage.rows(
    "select severity, subject, detail from books.findings where run_id = $1 and severity = 'finding' order by subject",
    [run.id],
  );
  return rows.map(({ severity, subject, detail }) => `${severity}: ${subject} ${detail}`);
};

describe('a pocket that is no longer listed', () => {
  test('is a finding while it has a booked balance, and none afterwards', () =>
    withStage(async (stage) => {
      await stage.read('pocket', 'after', [wallet('P1', 'EUR'), wallet('p2', 'EUR')], instantAt(0));
      await stage.tell('wallet-transactions', moved('w1', 'bank', 'P1', '10.50'));
      expect(await found(stage)).toEqual([]);
      await stage.read('pocket', 'after', [wallet('p2', 'EUR')], instantAt(60));
      const gone = `finding: pocket p1 was listed until ${instantAt(0)} and is no longer; its books hold 10.5 EUR`;
      expect(await found(stage)).toEqual([gone]);
      expect(await found(stage)).toEqual([gone]); // in every run
      await stage.tell('wallet-transactions', moved('w2', 'p1', 'p2', '10.50'));
      expect(await found(stage)).toEqual([]);
    }));

  test('and is listed again is none', () =>
    withStage(async (stage) => {
      await stage.tell('wallet-transactions', moved('w1', 'bank', 'p1', '3'));
      for (const list of [['p1'], [], ['p1']]) {
        await stage.read(
          'pocket',
          'after',
          list.map((id) => wallet(id, 'EUR')),
          instantAt(0),
        );
      }
      expect(await found(stage)).toEqual([]);
    }));
});

test('an Earn wallet is checked by the balance of its own movements', () =>
  withStage(async (stage) => {
    const tell = (scope: string, ...rows: WireRecord[]) =>
      stage.land([{ rows }], { stream: 'earn-movements', scope });
    await stage.read('earn', 'after', [earn('e1'), earn('e2'), earn('e3')], instantAt(0));
    await tell('e1', reward('a', '2'), reward('b', '2', 'withdrawal'));
    await tell('e2', reward('c', '0.25'));
    await tell('e3', reward('d', '7'));
    await stage.read('earn', 'after', [earn('e3')], instantAt(60));
    expect(await found(stage)).toEqual([
      `finding: Earn wallet e2 was listed until ${instantAt(0)} and is no longer; its books hold 0.25 ETH`,
    ]);
  }));

test('a trading wallet is one currency of trading and its bots together', () =>
  withStage(async (stage) => {
    await stage.read(
      'trading',
      'after',
      [wallet('1', 'EUR'), wallet('2', 'BTC'), wallet('3', 'ETH')],
      instantAt(0),
    );
    await stage.tell(
      'movements',
      movement('m1'),
      movement('m2', { currency: 'BTC', serviceOrderName: 'bot' }),
    );
    await stage.read('trading', 'after', [wallet('3', 'ETH')], instantAt(60));
    expect(await found(stage)).toEqual([
      `finding: trading wallet EUR was listed until ${instantAt(0)} and is no longer; its books hold 10 EUR`,
    ]);
  }));

/** A world in which the main account has funds in Earn. */
const BUSY = { seed: 11, days: 20, perDay: 40 };

test('a product that answers 404 is a finding while it has a booked balance, and a note afterwards', async () => {
  const stage = await openNights(BUSY);
  await stage.night();
  expect(
    await stage.rows("select 1 from books.balances where entity_id = 'main' and account = 'assets:earn'"),
  ).not.toEqual([]);
  await stage.sandbox.close();
  stage.sandbox = await startSandbox({ ...WORLD, ...BUSY, faults: ['missing:earn-wallets'] });
  const findingAfterNight = async () => {
    await stage.night();
    return stage.rows(`select f.severity from books.findings f join books.runs r using (run_id)
      where f.subject = 'earn-wallets' and f.entity_id = 'main' order by r.started_at desc limit 1`);
  };
  expect(await findingAfterNight()).toEqual([{ severity: 'finding' }]);
  await stage.rows("delete from ledger.transfers where 'assets:earn' in (debit, credit)");
  await stage.rows("delete from ledger.daily where account = 'assets:earn'");
  await stage.rows("delete from ledger.totals where account = 'assets:earn'");
  expect(await findingAfterNight()).toEqual([{ severity: 'note' }]);
});
