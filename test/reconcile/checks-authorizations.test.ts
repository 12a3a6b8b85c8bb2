// Authorizations beside the wallet transactions that follow: the status of each, the breaks and the notes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

const HOUR = 3_600;
const NOW = 26 * HOUR;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.rows(`update run.entities set gateway_user_id = 'u1'`);
  await stage.rows(
    `insert into run.entities (entity_id, name, subaccount_id, first_seen_at) values ('sub', 'sub', 'u2', '${instantAt(0)}')`,
  );
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.rows(`truncate land.records, land.inbox, land.people, land.coverage, land.pages, land.leaves, land.snapshots,
    land.pockets, land.authorizations, ledger.outcomes, ledger.entries, ledger.transfers, ledger.daily, ledger.totals cascade`);
  await stage.rows(`insert into land.pockets values ('main', 'P1', 'EUR', '${instantAt(0)}')`);
  stage = await stage.nextRun();
  await stage.rows('update run.runs set started_at = $1 where run_id = $2', [instantAt(NOW), stage.run.id]);
});

type Row = Readonly<Record<string, unknown>>;
const deliver = (id: string | null, rest: Row = {}) => {
  const row: Row = {
    entity_id: 'main',
    delivery_number: null,
    received_at: instantAt(0),
    transaction_id: id,
    user_id: 'u1',
    transaction_type: 'withdrawal',
    amount: '5',
    currency: 'EUR',
    is_authorized: true,
    reason: 'every transaction is authorized',
    body: '{}',
    body_sha256: '0'.repeat(64),
    ...rest,
  };
  const values = Object.values(row).map((_, index) => `$${index + 1}`);
  values[1] = `(select count(*) + coalesce($2, 1) from land.authorizations)`;
  return stage.rows(
    `insert into land.authorizations (${Object.keys(row).join(', ')}) values (${values.join(', ')})`,
    Object.values(row),
  );
};

const paid = (id: string, amount = '5', rest: WireRecord = {}): WireRecord => ({
  id,
  date: instantAt(60),
  completedAt: instantAt(60),
  status: 'completed',
  type: 'withdrawal',
  origin: { class: 'pocket', pocketId: 'P1', amount, currency: 'EUR' },
  destination: { class: 'bank', amount, currency: 'EUR' },
  ...rest,
});

/** Lands wallet transactions, the list proved complete up to a time. */
const land = async (rows: readonly WireRecord[], until = 25 * HOUR) => {
  const covers = { from: null, to: instantAt(until), proof: 'cursor' } as const;
  await stage.land([{ rows, covers }], { stream: 'wallet-transactions' });
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
};

const check = async (name: string): Promise<[unknown, unknown][]> => {
  const rows = await stage.check(name);
  return rows.map(({ subject, reason }) => [subject, reason]);
};
const statuses = async (): Promise<Row> => {
  const rows = await stage.rows('select transaction_id, status from books.authorizations order by 1');
  return Object.fromEntries(rows.map((row) => [row.transaction_id, row.status]));
};

test('authorizations: matched on either side, differs, refused, cancelled, happened anyway', async () => {
  for (const id of ['both', 'gross', 'net', 'other', 'coin', 'gone']) await deliver(id);
  for (const id of ['no', 'anyway', 'pending', 'cancelled-no'])
    await deliver(id, { is_authorized: false, reason: 'above the limit of 1 EUR' });
  const fee = (origin: string, net: string): WireRecord => ({
    origin: { class: 'pocket', pocketId: 'P1', amount: origin, currency: 'EUR' },
    destination: { class: 'bank', amount: origin, amountAfterFees: net, currency: 'EUR' },
  });
  const cancelled = { status: 'canceled', completedAt: null, canceledAt: instantAt(90) };
  await land([
    paid('both'),
    paid('gross', '5', fee('5.00', '4')),
    paid('net', '6', fee('6', '5')),
    paid('other', '7'),
    paid('coin', '5', {
      origin: { class: 'pocket', pocketId: 'P1', amount: '5', currency: 'USD' },
      destination: { class: 'bank', amount: '5', currency: 'USD' },
    }),
    paid('gone', '5', cancelled),
    paid('anyway'),
    paid('pending', '5', { status: 'pending', completedAt: null }),
    paid('cancelled-no', '5', cancelled),
  ]);
  expect(await statuses()).toEqual({
    both: 'matched',
    gross: 'matched',
    net: 'matched',
    other: 'differs',
    coin: 'differs',
    gone: 'cancelled',
    no: 'refused',
    anyway: 'happened anyway',
    pending: 'refused',
    'cancelled-no': 'cancelled',
  });
  expect(await check('authorizations')).toEqual([
    [
      'authorization anyway of user u1',
      '5 EUR was refused (above the limit of 1 EUR), and the record is there',
    ],
    ['authorization coin of user u1', '5 EUR was authorized, the record has 5 USD'],
    ['authorization other of user u1', '5 EUR was authorized, the record has 7 EUR'],
  ]);
  expect(await check('authorizations_open')).toEqual([]);
});

test('authorizations_open: without a record it waits, until the list is proved a day further', async () => {
  await deliver('t1', { received_at: instantAt(HOUR) });
  expect(await statuses()).toEqual({ t1: 'waiting' });
  await land([], 24 * HOUR);
  expect(await statuses()).toEqual({ t1: 'waiting' });
  expect(await check('authorizations_open')).toEqual([]);
  await land([], 25 * HOUR);
  expect(await statuses()).toEqual({ t1: 'not followed' });
  expect(await check('authorizations_open')).toEqual([
    [
      'authorization t1 of user u1',
      '5 EUR was authorized, and no wallet transaction followed within 24 hours',
    ],
  ]);
  expect(await check('authorizations')).toEqual([]);
  await stage.rows('update run.runs set started_at = $1', [instantAt(31 * 24 * HOUR)]);
  expect(await check('authorizations_open')).toEqual([]);
});

test('a repeated delivery is one transaction; the first answer counts', async () => {
  await deliver('t1');
  await deliver('t1', { received_at: instantAt(5), amount: '9', is_authorized: false });
  await land([paid('t1')]);
  expect(
    await stage.rows('select deliveries, amount, is_authorized, status from books.authorizations'),
  ).toEqual([{ deliveries: '2', amount: '5', is_authorized: true, status: 'matched' }]);
});

test('a transaction belongs to the books of its user, and is unknown until there are any', async () => {
  await deliver('t1', { user_id: 'u2' });
  await deliver('t2', { user_id: 'u3' });
  const rows = await stage.rows(
    'select transaction_id, entity_id, is_known_user from books.authorizations order by 1',
  );
  expect(rows).toEqual([
    { transaction_id: 't1', entity_id: 'sub', is_known_user: true },
    { transaction_id: 't2', entity_id: 'main', is_known_user: false },
  ]);
  expect(await check('authorizations_open')).toEqual([
    [
      'authorizations of unknown users',
      '1 of the requests that the webhook received name users without books (u3)',
    ],
  ]);
});

test('requests that cannot be read are counted', async () => {
  await deliver(null, {
    amount: null,
    is_authorized: false,
    reason: 'cannot be read: transactionId is missing',
  });
  expect(await check('authorizations_open')).toEqual([
    [
      'unreadable authorizations',
      '1 of the requests that the webhook received cannot be read, and were refused; the last: cannot be read: transactionId is missing',
    ],
  ]);
});

test('records that nobody authorized are counted, of the types that the webhook covers and in the time that it was in use', async () => {
  await deliver('t1');
  await deliver('t9', { received_at: instantAt(120), is_authorized: false });
  await land([
    paid('t1'),
    paid('t2'),
    paid('t3', '5', { type: 'deposit' }),
    paid('t4', '5', { date: instantAt(200) }),
  ]);
  expect(await check('authorizations_open')).toEqual([
    [
      'wallet transactions without authorization: withdrawal',
      '1 of type withdrawal between the first and the last request to the webhook were not authorized, such as t2',
    ],
  ]);
});
