// Social pay: an order debits its sender at once, is claimed by its recipient, or returns after a week.
import { expect, test } from 'vitest';
import { unitsOf } from '../../src/sandbox/amount.ts';
import type { Loose } from './asker.ts';
import { type Desk, deskOf } from './desk.ts';

const DAY = 86_400_000;

const people = (desk: Desk) => {
  const [sender, recipient] = desk.world.entities;
  return { sender: sender as Loose, recipient: recipient as Loose };
};

const pocketOf = (desk: Desk, entityId: string, currency = 'EUR'): Loose =>
  desk.world.pockets(entityId).find((pocket) => pocket.currency === currency);

const create = (desk: Desk, change: object = {}, name = 'social-pay-create') => {
  const { recipient } = people(desk);
  const pocketId = pocketOf(desk, 'main').id;
  const body = {
    pocketId,
    type: 'email',
    email: recipient.email,
    amount: '15.25',
    currency: 'EUR',
    note: 'Lunch',
    ...change,
  };
  return desk.call(name, { body });
};

const claim = (desk: Desk, entity: string, orderId: string, pocketId: string) =>
  desk.call('social-pay-claim', { entity, body: [{ orderId, pocketId }] }).body[0];

/** The orders of this file: those of the history have other amounts. */
const listed = (desk: Desk, entity: string): Loose[] =>
  desk.call('social-pay-orders', { entity }).body.filter(({ amount }: Loose) => amount === '15.25');

test.each(['social-pay-create', 'social-pay-create-v1'])(
  '%s debits the pocket, and a claim credits another',
  (name) => {
    const desk = deskOf();
    const { recipient } = people(desk);
    const before = pocketOf(desk, 'main');
    const order = create(desk, {}, name).body;
    expect(order).toMatchObject({
      status: 'waiting-funds',
      amount: '15.25',
      senderName: 'Main',
      pocketId: before.id,
    });
    expect(unitsOf(before.balance) - unitsOf(pocketOf(desk, 'main').balance)).toBe(unitsOf('15.25'));
    const sent = desk.call('wallet-transaction', { params: { id: order.walletMovementId } }).body;
    expect(sent).toMatchObject({
      subtype: 'social-pay',
      status: 'completed',
      note: 'Lunch',
      destination: { email: recipient.email },
    });
    expect(listed(desk, recipient.entityId)).toMatchObject([
      { orderId: order.orderId, walletMovementId: null },
    ]);
    const target = pocketOf(desk, recipient.entityId);
    expect(claim(desk, recipient.entityId, order.orderId, target.id)).toEqual({
      orderId: order.orderId,
      result: true,
    });
    expect(unitsOf(pocketOf(desk, recipient.entityId).balance) - unitsOf(target.balance)).toBe(
      unitsOf('15.25'),
    );
    for (const entity of ['main', recipient.entityId])
      expect(listed(desk, entity)).toMatchObject([
        {
          status: 'accepted',
          statusChanges: [
            { newStatus: 'waiting-funds' },
            { newStatus: 'accepted', author: recipient.userId },
          ],
        },
      ]);
    const [own] = listed(desk, recipient.entityId);
    expect(own).toMatchObject({ pocketId: target.id });
    expect(own.walletMovementId).not.toBe(order.walletMovementId);
    expect(claim(desk, recipient.entityId, order.orderId, target.id)).toMatchObject({
      result: false,
      message: 'The order is accepted',
    });
    desk.world.advance(8 * DAY);
    expect(desk.call('wallet-transactions', { query: { operation: 'reimbursement' } }).body.data).toEqual([]);
  },
);

test('what nobody claims returns to its pocket after a week', () => {
  const desk = deskOf({ days: 3, perDay: 20 });
  const order = create(desk, { email: 'zoe@example.com' }).body;
  desk.world.advance(7 * DAY - 1);
  expect(listed(desk, 'main')).toMatchObject([{ status: 'waiting-funds' }]);
  desk.world.advance(1);
  expect(listed(desk, 'main')).toMatchObject([
    { status: 'expired', statusChanges: [{}, { newStatus: 'expired', created: order.expiryDate }] },
  ]);
  const [back] = desk.call('wallet-transactions', { query: { operation: 'reimbursement' } }).body.data;
  expect(back).toMatchObject({
    date: order.expiryDate,
    origin: { email: 'zoe@example.com' },
    destination: { pocketId: order.pocketId, amount: '15.25' },
  });
});

test('each item of a claim succeeds or fails alone', () => {
  const desk = deskOf();
  const { recipient } = people(desk);
  const ids = [create(desk), create(desk), create(desk, { email: 'zoe@example.com' })].map(
    ({ body }) => body.orderId,
  );
  const euro = pocketOf(desk, recipient.entityId).id;
  const body = [
    { orderId: ids[0], pocketId: euro },
    { orderId: ids[1], pocketId: pocketOf(desk, recipient.entityId, 'USD').id },
    { orderId: ids[1], pocketId: pocketOf(desk, 'main').id },
    { orderId: ids[2], pocketId: euro },
  ];
  expect(desk.call('social-pay-claim', { entity: recipient.entityId, body }).body).toEqual([
    { orderId: ids[0], result: true },
    { orderId: ids[1], result: false, message: 'The pocket is not in EUR' },
    { orderId: ids[1], result: false, message: 'Pocket not found' },
    { orderId: ids[2], result: false, message: 'Order not found' },
  ]);
  expect(claim(desk, 'main', ids[1], pocketOf(desk, 'main').id)).toMatchObject({ result: false });
});

test.each([
  ['alias', { type: 'alias', alias: 'branch 1' }],
  ['phone', { type: 'phone', phone: { countryCode: '+34', number: '600 000 000' } }],
])('a recipient is known by %s too', (_, change) => {
  const desk = deskOf();
  const { recipient } = people(desk);
  const order = create(desk, change).body;
  expect(claim(desk, recipient.entityId, order.orderId, pocketOf(desk, recipient.entityId).id).result).toBe(
    true,
  );
});

test.each([
  ['another currency', { currency: 'USD' }, 406],
  ['nothing', { amount: '0' }, 406],
  ['too many decimals', { amount: '1.001' }, 406],
  ['more than there is', { amount: '9999999' }, 412],
  ['an unknown pocket', { pocketId: '00000000-0000-4000-8000-000000000000' }, 404],
])('an order with %s is refused: %j %i', (_, change, status) => {
  expect(create(deskOf({ days: 2 }), change).status).toBe(status);
});

test('the field of the type is required', () => {
  expect(() => create(deskOf({ days: 2 }), { email: undefined })).toThrow(/email/);
});
