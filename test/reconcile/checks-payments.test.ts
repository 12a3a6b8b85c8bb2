// Social-pay orders and teller orders beside the wallet transactions: which belongs to which, what may return, and the notes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LandedStream, WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

const DAY = 86_400;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.rows(`update run.entities set gateway_user_id = 'u1'`);
  await stage.rows(`insert into land.pockets values ('main', 'P1', 'EUR', '${instantAt(0)}')`);
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.rows(`truncate land.records, land.inbox, land.people, land.coverage, land.pages, land.leaves, ledger.outcomes,
    ledger.entries, ledger.transfers, ledger.daily, ledger.totals cascade`);
  stage = await stage.nextRun();
  await stage.rows('update run.runs set started_at = $1 where run_id = $2', [
    instantAt(9 * DAY),
    stage.run.id,
  ]);
});

/** A payment out of P1 to a person; `seconds` after the start. */
const sent = (id: string, seconds: number, rest: WireRecord = {}): WireRecord => ({
  id,
  date: instantAt(seconds),
  completedAt: instantAt(seconds),
  status: 'completed',
  type: 'transfer',
  subtype: 'social-pay',
  method: 'email',
  origin: { class: 'pocket', pocketId: 'P1', amount: '5', currency: 'EUR' },
  destination: { class: 'email', email: 'ana@example.com', amount: '5', currency: 'EUR' },
  ...rest,
});

const back = (id: string, seconds: number): WireRecord => ({
  ...sent(id, seconds),
  subtype: 'reimbursement',
  origin: { class: 'email', email: 'ana@example.com', amount: '5', currency: 'EUR' },
  destination: { class: 'pocket', pocketId: 'P1', amount: '5', currency: 'EUR' },
});

const order = (orderId: string, seconds: number, rest: WireRecord = {}): WireRecord => ({
  orderId,
  userId: 'u1',
  type: 'email',
  email: 'ana@example.com',
  amount: '5.00',
  currency: 'EUR',
  pocketId: 'p1',
  status: 'accepted',
  createdAt: instantAt(seconds),
  expiryDate: instantAt(seconds + 2 * DAY),
  walletMovementId: null,
  ...rest,
});

/** Lands records; the wallet's list is proved complete up to a time. */
const land = async (
  lists: { readonly [stream in LandedStream]?: readonly WireRecord[] },
  until = 8 * DAY,
) => {
  const covers = { from: null, to: instantAt(until), proof: 'cursor' } as const;
  for (const [stream, rows] of Object.entries(lists))
    await stage.land([{ rows, ...(stream === 'wallet-transactions' && { covers }) }], {
      stream: stream as LandedStream,
    });
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
};

const notes = async (check: string): Promise<string[]> =>
  (await stage.check(check)).map(({ subject, reason }) => `${subject}: ${reason}`);

const payments = async (): Promise<string[]> => {
  const rows = await stage.rows('select * from books.social_payments order by order_id');
  return rows.map((row) =>
    [
      row.order_id,
      row.record_id ?? 'none',
      row.grounds ?? '-',
      row.direction ?? '-',
      row.may_return ? 'may return' : (row.return_record_id ?? (row.is_returned ? 'cancelled' : '-')),
    ].join(' | '),
  );
};

test('an order meets the record that it names, or the nearest of its pocket, currency and amount if only one is', async () => {
  await land({
    'wallet-transactions': [
      sent('w1', 0),
      sent('w2', 600),
      sent('tie before', 7_000),
      sent('tie after', 7_200),
      sent('too late', 50_000),
      back('no payment', 50_100),
      { ...back('claimed', 90_000), subtype: 'social-pay' },
    ],
    'social-pay-orders': [
      order('by id', 5, { walletMovementId: 'w1' }),
      order('near', 590),
      order('tie', 7_100),
      order('far', 46_000),
      order('received', 80_000, {
        userId: 'u9',
        walletMovementId: 'of the sender',
        statusChanges: [
          { created: instantAt(80_000), newStatus: 'waiting-funds' },
          { created: instantAt(90_000), newStatus: 'accepted' },
        ],
      }),
      order('other amount', 600, { amount: '6' }),
      order('other pocket', 600, { pocketId: 'p2', userId: 'u9' }),
    ],
  });
  expect(await payments()).toEqual([
    'by id | w1 | id | sent | -',
    'far | none | - | sent | -',
    'near | w2 | pocket, amount and time | sent | -',
    'other amount | none | - | sent | -',
    'other pocket | none | - | received | -',
    'received | claimed | pocket, amount and time | received | -',
    'tie | none | - | sent | -',
  ]);
  const lacking = 'no wallet transaction has the id that the order names, or its pocket, amount and time';
  expect(await notes('social_pay')).toEqual([
    `social-pay-orders far: 5 EUR were accepted, and ${lacking}`,
    `social-pay-orders other amount: 6 EUR were accepted, and ${lacking}`,
    `social-pay-orders tie: 5 EUR were accepted, and ${lacking}`,
  ]);
});

test('two orders that fit one record equally have none', async () => {
  await land({ 'wallet-transactions': [sent('w1', 0)], 'social-pay-orders': [order('a', 5), order('b', 7)] });
  expect(await payments()).toEqual(['a | none | - | sent | -', 'b | none | - | sent | -']);
});

test('money that may return, has returned, or has not', async () => {
  const ended = (status: string, id: string, seconds: number): WireRecord =>
    order(status, seconds, {
      status,
      walletMovementId: id,
      statusChanges: [{ created: instantAt(seconds + DAY), newStatus: status }],
    });
  const waiting = (id: string, seconds: number) =>
    order(`waits ${id}`, seconds, { status: 'waiting-funds', walletMovementId: id });
  const lists = {
    'wallet-transactions': [
      sent('w1', 0),
      back('r1', DAY + 60),
      sent('w2', 3 * DAY),
      sent('w3', 7 * DAY),
      sent('w4', 100, { status: 'canceled', completedAt: null, canceledAt: instantAt(200) }),
      sent('w5', 200),
    ],
    'social-pay-orders': [
      ended('expired', 'w1', 0),
      ended('cancelled', 'w2', 3 * DAY),
      waiting('w3', 7 * DAY),
      ended('error', 'w4', 100),
      waiting('w5', 200),
    ],
  };
  await land(lists, 5 * DAY - 1);
  expect(await payments()).toEqual([
    'cancelled | w2 | id | sent | -',
    'error | w4 | id | sent | cancelled',
    'expired | w1 | id | sent | r1',
    'waits w3 | w3 | id | sent | may return',
    'waits w5 | w5 | id | sent | -',
  ]);
  const late =
    'social-pay-orders waits w5: the order ended (waiting-funds), and no wallet transaction of the subtype reimbursement has returned its 5 EUR to the pocket p1';
  expect(await notes('social_pay')).toEqual([late]);
  await land(lists, 5 * DAY);
  expect(await notes('social_pay')).toEqual([
    'social-pay-orders cancelled: the order ended (cancelled), and no wallet transaction of the subtype reimbursement has returned its 5 EUR to the pocket p1',
    late,
  ]);
  const { text, values } = loadSql('cookbook/social_payments_open.sql', {});
  expect(await stage.rows(text, values)).toMatchObject([
    { entity_id: 'main', currency: 'EUR', orders: '1', amount: '5', without_record: '0' },
  ]);
});

test('social_pay: of the orders that changed lately, those created in the last 120 days', async () => {
  const accepted = (id: string, seconds: number) =>
    order(id, seconds, { statusChanges: [{ created: instantAt(5 * DAY), newStatus: 'accepted' }] });
  const lists = {
    'wallet-transactions': [sent('w1', 0, { subtype: 'manual-send' })],
    'social-pay-orders': [accepted('young', -110 * DAY), accepted('old', -112 * DAY)],
  };
  await land(lists);
  expect(await notes('social_pay')).toEqual([
    expect.stringMatching(/^social-pay-orders young: 5 EUR were accepted/),
  ]);
});

test('social_pay: an amount or a currency that differs from the record that the order names is a note; the books follow the record', async () => {
  const fee = { class: 'email', amount: '5', amountAfterFees: '4.9', currency: 'EUR' };
  await land({
    'wallet-transactions': [sent('w1', 0), sent('w2', 10, { destination: fee }), sent('w3', 20)],
    'social-pay-orders': [
      order('amount', 0, { walletMovementId: 'w1', amount: '5.01' }),
      order('net', 10, { walletMovementId: 'w2', amount: '4.90' }),
      order('coin', 20, { walletMovementId: 'w3', currency: 'USD' }),
    ],
  });
  expect(await notes('social_pay')).toEqual([
    'social-pay-orders amount: the order has 5.01 EUR, its wallet transaction w1 has 5 EUR',
    'social-pay-orders coin: the order has 5 USD, its wallet transaction w3 has 5 EUR',
  ]);
});

test('teller_orders: a record that contradicts its cancelled teller order is a note: after a day while it is not final, at once if booked', async () => {
  const teller = (id: string, rest: WireRecord = {}) =>
    sent(id, 0, {
      subtype: 'manual-send',
      fee: { teller: { id: `o-${id}`, feeCurrency: 'EUR', fixedFee: '0', variableFee: '0' } },
      ...rest,
    });
  const open = { status: 'waiting-user-information', completedAt: null };
  await land({
    'wallet-transactions': [
      teller('booked'),
      teller('open', open),
      teller('paid', open),
      teller('unknown', open),
      teller('gone', { status: 'canceled', completedAt: null, canceledAt: instantAt(5) }),
    ],
    'teller-orders': [
      { orderId: 'o-booked', status: 'cancelled' },
      { orderId: 'o-open', status: 'cancelled' },
      { orderId: 'o-paid', status: 'accepted' },
      { orderId: 'o-unknown', status: 'pending' },
      { orderId: 'o-gone', status: 'cancelled' },
    ],
  });
  const booked =
    'wallet-transactions booked: a wallet transaction is booked as completed, and its teller order o-booked is cancelled';
  expect(await notes('teller_orders')).toEqual([booked]);
  await stage.rows(`update run.runs set started_at = now() + interval '1 day 1 hour'`);
  await stage.rows(
    `update land.records set record_at = now(), landed_at = now() where stream = 'wallet-transactions'`,
  );
  expect((await notes('teller_orders')).map((note) => note.replace(/since .*/, 'since'))).toEqual([
    booked,
    'wallet-transactions open: a wallet transaction is not final (waiting-user-information), and its teller order o-open has been cancelled since',
  ]);
});
