// The checks of what was listed, landed and counted, one SQL file each: one violation gives one row that names it. What
// each run counts anyway opens no break; what is only unusual is a note.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { checksOf, reportChecks } from '../../src/reconcile/checks.ts';
import { expectWritten } from '../export/page/reasons.ts';
import { instantAt, movement, openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.rows(`truncate reconcile.tie_outs, land.records, land.inbox, land.people, land.coverage, land.pages, land.leaves,
    land.snapshots, land.balances, land.pockets, ledger.outcomes, ledger.entries, ledger.transfers, ledger.daily, ledger.totals,
    decide.dismissals`);
  stage = await stage.nextRun();
});

const check = (name: string) => stage.check(name);

const book = () => normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
const row = (subject: string, rest: Record<string, unknown>) => ({
  entity_id: 'main',
  subject,
  account: null,
  currency: null,
  reported: null,
  booked: null,
  difference: null,
  ...rest,
});
const wallet = (id: string, currency = 'EUR'): WireRecord => ({
  id,
  currency,
  balance: '5',
  blockedBalance: '0',
});

test('a check that every run counts itself opens no break', () => {
  expect(checksOf('counted').map(({ name }) => name)).toEqual([
    'booked_not_reported',
    'coverage_gaps',
    'rejects',
    'reported_not_booked',
    'trades_total',
  ]);
  expect(checksOf('finding').map(({ name }) => name)).toEqual([
    'earn_amounts',
    'flapping_records',
    'no_longer_listed',
    'unknown_currency',
    'unknown_status',
  ]);
});

test('rejects: one that is neither settled nor dismissed', async () => {
  await stage.tell('movements', movement('m1', { amount: 'much' }), movement('m2'));
  await book();
  const found = row('movements m1', { reason: expect.stringContaining('amount') });
  expect(await check('rejects')).toEqual([found]);
  await stage.rows(
    `insert into decide.dismissals values ('main', 'movements', 'm1', 1, 'Ada', 'a test', '${instantAt(0)}')`,
  );
  expect(await check('rejects')).toEqual([]);
});

test('coverage_gaps: before the first proved interval, and between two of them', async () => {
  const covers = (from: number | null, to: number) => ({
    covers: { from: from === null ? null : instantAt(from), to: instantAt(to), proof: 'window' as const },
  });
  await stage.land([{ rows: [], ...covers(0, 60) }]);
  expect(await check('coverage_gaps')).toEqual([
    row('movements from its beginning', {
      reason: 'movements is not proved complete from its beginning to 2026-03-01 10:00:00',
    }),
  ]);
  await stage.land([covers(null, 60)]);
  expect(await check('coverage_gaps')).toEqual([]);
  await stage.land([{ rows: [], ...covers(120, 180) }]);
  const reason = 'movements is not proved complete from 2026-03-01 10:01:00 to 2026-03-01 10:02:00';
  expect(await check('coverage_gaps')).toEqual([row('movements from 2026-03-01 10:01:00', { reason })]);
});

test('trades_total: more counted than landed', async () => {
  await stage.tell('trades', fill('t1'));
  expect(await check('trades_total')).toEqual([]);
  await stage.rows("update land.pages set list_total = 1 where stream = 'trades'");
  expect(await check('trades_total')).toEqual([]);
  await stage.rows("update land.pages set list_total = 3 where stream = 'trades'");
  const figures = { reported: '3', booked: '1', difference: '2' };
  expect(await check('trades_total')).toEqual([
    row('trades', { ...figures, reason: 'the gateway counts 3 trades, 1 distinct ones are landed' }),
  ]);
});

test('landed_not_listed: fewer counted than landed, in the last reading that proved the list', async () => {
  const proved = (total: number) => ({
    covers: { from: null, to: instantAt(60), proof: 'list' as const, total },
  });
  await stage.land([{ rows: [fill('t1'), fill('t2')], ...proved(2) }], { stream: 'trades' });
  expect(await check('landed_not_listed')).toEqual([]);
  await stage.land([{ rows: [fill('t2')], ...proved(1) }], { stream: 'trades' });
  await stage.rows("update land.pages set list_total = 2 where stream = 'trades'"); // of a reading that proved nothing
  const [found] = await check('landed_not_listed');
  const { reason_parts, ...gone } = found ?? {};
  const figures = { reported: '1', booked: '2', difference: '-1' };
  const reason = '1 of 2 landed records of trades are no longer listed';
  expect(gone).toEqual(row('trades', { ...figures, reason }));
  expectWritten(reason_parts);
  const entry = { entity: 'main', stream: 'address-book', scope: '' } as const;
  await stage.land([{ rows: [{ addressId: 'a1' }], ...proved(0) }], entry); // an expired address leaves that list
  await stage.land([{ rows: [fill('t1'), fill('t2')], ...proved(2) }], { stream: 'trades' });
  expect(await check('landed_not_listed')).toEqual([]);
});

describe('booked and reported', () => {
  const tieOut = (account: string, reported: string | null, booked: string) =>
    stage.rows(
      `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
       values ('main', $1, $2, 'EUR', '${instantAt(60)}', $3, $4, $3::numeric - $4, 'break')`,
      [stage.run.id, account, reported, booked],
    );

  test('booked_not_reported: a pocket that is in no list', async () => {
    await stage.read('pocket', 'after', [wallet('P1')], instantAt(60));
    await tieOut('assets:pocket:p1', '5', '4'); // it is in the list, and differs
    await tieOut('assets:pocket:p2', '0', '7');
    const account = 'assets:pocket:p2';
    const figures = { account, currency: 'EUR', reported: '0', booked: '7', difference: '-7' };
    expect(await check('booked_not_reported')).toEqual([
      row(`${account} EUR`, { ...figures, reason: 'booked, and not in the list that was read' }),
    ]);
  });

  test('booked_not_reported: a product whose list was not read', async () => {
    await stage.read('pocket', 'after', [wallet('P1')], instantAt(60));
    await tieOut('assets:earn', null, '7');
    expect(await check('booked_not_reported')).toMatchObject([
      { account: 'assets:earn', reason: 'booked, and its list was not read' },
    ]);
  });

  test('reported_not_booked: a pocket on which nothing was ever booked', async () => {
    await stage.tell('movements', movement('m1'), movement('m2', { movementType: 'withdrawal' }));
    await book();
    await tieOut('assets:trading', '5', '0'); // something was booked there, and is gone again
    await tieOut('assets:pocket:p1', '5', '0');
    const figures = {
      account: 'assets:pocket:p1',
      currency: 'EUR',
      reported: '5',
      booked: '0',
      difference: '5',
    };
    expect(await check('reported_not_booked')).toEqual([
      row('assets:pocket:p1 EUR', { ...figures, reason: 'reported, and nothing was ever booked on it' }),
    ]);
  });
});

test('no_longer_listed: a trading wallet with a balance', async () => {
  const wallets = [wallet('w1'), wallet('w2', 'BTC'), wallet('w3', 'ETH')];
  await stage.read('trading', 'after', wallets, instantAt(0));
  await stage.tell('movements', movement('m1'), movement('m2', { currency: 'BTC' }));
  await book();
  expect(await check('no_longer_listed')).toEqual([]);
  await stage.read('trading', 'after', [wallet('w2', 'BTC')], instantAt(60)); // ETH was empty
  const reason = `was listed until ${instantAt(0)} and is no longer; its books hold 10 EUR`;
  const place = { account: 'assets:trading', currency: 'EUR', booked: '10' };
  expect(await check('no_longer_listed')).toEqual([row('trading wallet EUR', { ...place, reason })]);
});

test('unknown_status: an unknown word on a waiting record', async () => {
  const statuses = [
    'pending',
    'waiting-user-information',
    'waiting-for-godot',
    'waiting-for-godot',
    'dreaming',
  ];
  await stage.tell('movements', ...statuses.map((status, nth) => movement(`m${nth}`, { status })));
  await book();
  const reason = 'movements has an unknown status, "waiting-for-godot", on 2 records so far: m2';
  expect(await check('unknown_status')).toEqual([row('movements status waiting-for-godot', { reason })]);
  expect((await check('rejects')).map(({ subject }) => subject)).toEqual(['movements m4']); // `dreaming` is not a waiting status
});

/** Ends the run as a night that compared the entity. */
const endAs = (exitCode: number) =>
  stage.rows(
    `with compared as (
      insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, booked, status) values ('main', $2, 'any', 'EUR', now(), 0, 'tied')
    ) update run.runs set job = 'nightly', exit_code = $1 where run_id = $2`,
    [exitCode, stage.run.id],
  );

test('flapping_records: one that changes back and forth, in the run that found it changed', async () => {
  const flip = async (id: string, ...amounts: string[]) => {
    for (const amount of amounts) await stage.tell('movements', movement(id, { amount }));
  };
  await flip('m1', '1', '2', '1');
  await flip('m2', '1', '2', '3', '4'); // always new states, never an earlier one
  expect(await check('flapping_records')).toEqual([]);
  await flip('m1', '2');
  const reason = 'changes back and forth: 4 versions so far, 2 of them different';
  expect(await check('flapping_records')).toEqual([
    row('movements m1', { reported: '2', booked: '4', reason }),
  ]);
  await endAs(1);
  stage = await stage.nextRun();
  expect(await check('flapping_records')).toEqual([]);
  await flip('m2', ...Array.from({ length: 46 }, (_, n) => `${n + 5}`));
  expect(await check('flapping_records')).toMatchObject([{ subject: 'movements m2', booked: '50' }]);
});

/** A fill of 0.1 BTC at 100.05 EUR. */
const fill = (id: string, rest: WireRecord = {}): WireRecord => ({
  id,
  orderId: 'o1',
  symbol: 'BTC/EUR',
  side: 'buy',
  createdAt: instantAt(5),
  orderType: 'limit',
  price: '100.05',
  amount: '0.1',
  cost: '10.005',
  feeAmount: '0',
  feeCurrency: 'EUR',
  ...rest,
});

describe('notes', () => {
  test('asset_below_zero: at the end of a day, bots with the trading wallet', async () => {
    const day = 86_400;
    await stage.tell(
      'movements',
      movement('m1', { serviceOrderName: 'bot', movementType: 'withdrawal', amount: '40' }), // 0 in all
      movement('m2', { movementType: 'withdrawal', amount: '25', createdAt: instantAt(60) }),
      movement('m3', { amount: '30', createdAt: instantAt(120) }), // and back within the day
      movement('m4', { movementType: 'withdrawal', amount: '7', createdAt: instantAt(day) }),
      movement('m5', { amount: '100', createdAt: instantAt(2 * day) }),
    );
    await book();
    const account = 'assets:trading';
    const reason = `${account} below zero at the end of one day on which it moved, first on 2026-03-02; the lowest is -2 on 2026-03-02`;
    expect(await check('asset_below_zero')).toEqual([
      row(`${account} EUR`, { account, currency: 'EUR', booked: '-2', reason }),
    ]);
  });

  test('price_times_amount: a cost that differs beyond its last decimal', async () => {
    await stage.tell(
      'trades',
      fill('t1'),
      fill('t2', { createdAt: instantAt(6), cost: '10.00' }), // written to the cent
      fill('t3', { createdAt: instantAt(7), cost: '10.003' }),
    );
    const figures = { reported: '10.003', booked: '10.005', difference: '-0.002' };
    expect(await check('price_times_amount')).toEqual([
      row('trades t3', {
        account: 'assets:trading',
        currency: 'EUR',
        ...figures,
        reason: '100.05 x 0.1 is 10.005, but the cost of the fill is 10.003',
      }),
    ]);
  });

  test('same_fill: only the id differs; another price, order or millisecond is another fill', async () => {
    await stage.tell(
      'trades',
      ...Array.from({ length: 1_500 }, (_, n) => fill(`u${n}`, { orderId: `many ${n}` })),
      ...['a1', 'a2', 'a3'].map((id) => fill(id, { orderId: 'three' })), // each is named with the one before it
      fill('t1'),
      fill('t2', { amount: '0.10' }), // the same figure
      fill('t4', { price: '100.06' }),
      fill('t5', { createdAt: instantAt(6) }),
    );
    const facts = { account: 'assets:trading', currency: 'BTC', booked: '0.1' };
    const alike = (pair: string) =>
      row(pair, { ...facts, reason: `${pair} look like one fill under two ids` });
    const pairs = ['trades a1 and a2', 'trades a2 and a3', 'trades t1 and t2'];
    expect(await check('same_fill')).toEqual(pairs.map(alike));
  });

  test('are stored once, as notes', async () => {
    await stage.tell('trades', fill('t1', { cost: '9' }));
    const run = async () => (await reportChecks(stage.db, stage.run, { entities: ['main'] })).get('main');
    expect([await run(), await run()]).toEqual(Array(2).fill({ coverage_gaps: 1, price_times_amount: 1 }));
    const found = 'select severity, subject from books.findings where run_id = $1';
    expect(await stage.rows(found, [stage.run.id])).toEqual([{ severity: 'note', subject: 'trades t1' }]);
    expect(await reportChecks(stage.db, stage.run, { entities: ['another'] })).toEqual(
      new Map([['another', {}]]),
    );
  });

  test('check what their run landed and a failed one before it, not the history again', async () => {
    await stage.tell('trades', fill('t1', { cost: '9' }), fill('t2', { cost: '9' }));
    await endAs(2);
    stage = await stage.nextRun();
    expect(await check('price_times_amount')).toHaveLength(2);
    await endAs(0);
    stage = await stage.nextRun();
    expect([await check('price_times_amount'), await check('same_fill')]).toEqual([[], []]);
    await stage.rows('update run.runs set requests_before = 0 where run_id = $1', [stage.run.id]);
    expect(await check('price_times_amount')).toHaveLength(2);
  });
});

test('unknown_addresses: one that no entry of an address book or no list of its pocket has, once there is one', async () => {
  const [pocket, chain] = [
    { class: 'pocket', pocketId: 'p1', amount: '1', currency: 'ETH' },
    { class: 'blockchain', amount: '1', currency: 'ETH' },
  ];
  const moved = (id: string, origin: WireRecord, destination: WireRecord) => ({
    id,
    date: instantAt(0),
    completedAt: instantAt(0),
    status: 'completed',
    origin,
    destination,
  });
  await stage.tell(
    'wallet-transactions',
    moved('w1', pocket, { ...chain, address: '0xAA' }),
    moved('w2', pocket, { ...chain, address: '0x0B' }),
    moved('w3', pocket, { ...chain, address: '0x0b' }),
    moved('d1', { ...chain, address: '0x0c' }, { ...pocket, address: '0x0D', addressNetwork: 'ethereum' }),
    moved('d2', chain, { ...pocket, address: '0x0E', addressNetwork: 'ethereum' }),
    moved('d3', chain, pocket),
  );
  await book();
  expect(await check('unknown_addresses')).toEqual([]);
  const entry = { addressId: 'a1', address: '0xaa', currency: 'ETH', network: 'other', status: 'expired' };
  await stage.land([{ rows: [entry] }], { stream: 'address-book' });
  const deposits = { pocketId: 'P1', network: 'ethereum', status: 'enabled' };
  await stage.land([{ rows: [{ ...deposits, address: '0x0d' }] }], { stream: 'deposit-addresses' });
  const found = (address: string, reason: string) => row(`address ${address}`, { currency: 'ETH', reason });
  expect(await check('unknown_addresses')).toEqual([
    found(
      '0x0b',
      '2 withdrawals to 0x0b, which is in no entry of the address book; the first record: wallet-transactions w2',
    ),
    found(
      '0x0e',
      '1 deposit on 0x0e, which is not among the addresses of pocket p1; the first record: wallet-transactions d2',
    ),
  ]);
});
