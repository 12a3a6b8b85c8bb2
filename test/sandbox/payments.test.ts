// Wallet transactions and teller orders of clients: priced, executed once, refused, cancelled, and what moves.
import { expect, test } from 'vitest';
import { textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { confirmByMail } from '../../src/sandbox/answers/address-book.ts';
import { refusal } from '../../src/sandbox/refusals.ts';
import type { Loose } from './asker.ts';
import { type Desk, deskOf } from './desk.ts';

const pocketsOf = (desk: Desk, currency: string) =>
  desk.world.pockets('main').filter((pocket) => pocket.currency === currency);

const pocketOf = (desk: Desk, currency: string) => pocketsOf(desk, currency)[0] as Loose;

const lastRow = (desk: Desk): Loose =>
  desk.call('wallet-transactions', { query: { limit: '1' } }).body.data[0];

const prepare = (desk: Desk, body: object): Loose => {
  const outcome = desk.call('wallet-proforma', { body });
  expect([outcome.status, outcome.body.message]).toEqual([200, undefined]);
  return outcome.body;
};

const run = (desk: Desk, proforma: string, more: object = {}) =>
  desk.call('wallet-transaction-execute', { body: { proforma, ...more } });

test('a proforma moves nothing; executing it does, once', () => {
  const desk = deskOf();
  const [from, to] = pocketsOf(desk, 'EUR');
  const before = JSON.stringify(desk.world.truth());
  const body = {
    amount: '25.5',
    currency: 'EUR',
    pocket: from?.id,
    destination: { pocket: to?.id },
    note: 'rent',
  };
  const proforma = prepare(desk, body);
  expect(proforma).toMatchObject({
    origin: { amount: '25.50' },
    destination: { amount: '25.50', currency: 'EUR' },
  });
  expect(JSON.stringify(desk.world.truth())).toBe(before);
  const done = run(desk, proforma.id, { concept: 'November' });
  expect(lastRow(desk)).toMatchObject({
    id: done.body.id,
    type: 'transfer',
    subtype: 'internal',
    note: 'rent',
    concept: 'November',
    origin: { pocketId: from?.id },
    destination: { pocketId: to?.id },
  });
  expect(unitsOf(from?.balance ?? '') - unitsOf(pocketOf(desk, 'EUR').balance)).toBe(unitsOf('25.5'));
  expect([run(desk, proforma.id).status, run(desk, '00000000-0000-4000-8000-000000000000').status]).toEqual([
    406, 404,
  ]);
  expect(desk.call('teller-order-status', { query: { id: proforma.id } }).body).toEqual({
    status: 'accepted',
  });
});

test('a proforma expires after two minutes, and its price is that of its moment', () => {
  const desk = deskOf();
  const body = { amount: '100', currency: 'EUR', pair: 'BTC/EUR', operation: 'buy' };
  const late = prepare(desk, body);
  desk.world.advance(120_000);
  expect(run(desk, late.id).status).toBe(406);
  const fresh = prepare(desk, body);
  desk.world.advance(60_000);
  expect(run(desk, fresh.id).status).toBe(200);
  expect(lastRow(desk)).toMatchObject({ subtype: 'purchase', destination: fresh.destination });
});

test('a withdrawal on chain needs a verified address; its amount is blocked until the network confirms', () => {
  const desk = deskOf();
  const entry = desk.call('address-book').body.find(({ status }: Loose) => status === 'verified');
  const { address, currency, network } = entry;
  const pocket = pocketOf(desk, currency);
  const amount = textOf((unitsOf(pocket.balance) / 10n ** 13n / 20n) * 10n ** 13n);
  const body = { amount, currency, pocket: pocket.id, destination: { address, network } };
  const unknown = { ...body, destination: { address: 'other', network } };
  expect(desk.call('wallet-proforma', { body: unknown }).status).toBe(406);
  expect(
    desk.call('wallet-proforma', { body: { ...body, destination: { address, network: 'moon' } } }).status,
  ).toBe(422);
  const inside = prepare(desk, body);
  const onTop = prepare(desk, { ...body, type: 'REA' });
  expect([inside.origin, onTop.destination]).toEqual([onTop.destination, inside.origin]);
  expect(run(desk, inside.id).status).toBe(200);
  expect(lastRow(desk)).toMatchObject({ type: 'withdrawal', status: 'pending', destination: { address } });
  const during = pocketOf(desk, currency);
  expect(unitsOf(during.blockedOutput)).toBeGreaterThanOrEqual(unitsOf(amount));
  desk.world.advance(10 * 60_000);
  expect(lastRow(desk)).toMatchObject({ status: 'completed' });
  expect(unitsOf(during.blockedOutput) - unitsOf(pocketOf(desk, currency).blockedOutput)).toBe(
    unitsOf(amount),
  );
});

test('a payment to a deposit address of another entity arrives there, under the same hash', () => {
  const desk = deskOf();
  const [, other] = desk.world.entities as Loose[];
  const target = desk.world.pockets(other.entityId).find(({ currency }) => currency === 'ETH');
  const query = { network: 'ethereum', walletPocketId: target?.id ?? '' };
  desk.call('deposit-address-create', { entity: other.entityId, body: query });
  desk.world.advance(60_000);
  const [{ address }] = desk.call('deposit-addresses', { entity: other.entityId, query }).body;
  const person = {
    name: 'Branch',
    surname: 'One',
    personType: 'person',
    walletOwnership: 'own',
    walletType: 'unhosted',
  };
  const entry = desk.call('address-book-create', {
    body: { address, currency: 'ETH', network: 'ethereum', ...person },
  }).body;
  const body = {
    amount: '0.05',
    currency: 'ETH',
    type: 'REA',
    destination: { address, network: 'ethereum' },
  };
  expect(desk.call('wallet-proforma', { body }).status).toBe(406);
  expect(confirmByMail(desk, entry.addressId)).toBe(true);
  expect(confirmByMail(desk, OTHER)).toBe(false);
  const { id } = run(desk, prepare(desk, body).id).body;
  const received = () =>
    desk.call('wallet-transactions', { entity: other.entityId, query: { limit: '1' } }).body.data[0];
  expect(received().denomination.amount).not.toBe('0.05000000');
  desk.world.advance(10 * 60_000);
  expect(received()).toMatchObject({
    type: 'deposit',
    subtype: 'receive',
    destination: { pocketId: target?.id, amount: '0.05000000' },
  });
  const hash = (entity: string, transaction: string) =>
    desk.call('wallet-transaction', { entity, params: { id: transaction } }).body.transaction.hash;
  expect(hash('main', id)).toBe(hash(other.entityId, received().id));
});

const OTHER = '00000000-0000-4000-8000-000000000000';
const BANK = { bankAccount: { bankAccount: 'DE89370400440532013000' } };

test.each([
  ['an unknown pocket', { pocket: OTHER, destination: BANK }, 404],
  ['too little', { amount: '0.5', destination: BANK }, 417],
  ['too much', { amount: '60000', destination: BANK }, 417],
  ['more than there is', { amount: '44000', destination: BANK }, 412],
  ['too many decimals', { amount: '5.001', destination: BANK }, 406],
  ['an IBAN that is none', { destination: { bankAccount: { bankAccount: 'DE00370400440532013000' } } }, 406],
  ['no destination', {}, 404],
  ['what is blocked', { operation: 'launchpad-purchase' }, 423],
])('a proforma with %s is refused: %j %i', (_, change, status) => {
  const desk = deskOf({ days: 2 });
  const body = { amount: '20', currency: 'EUR', ...change };
  expect(desk.call('wallet-proforma', { body }).status).toBe(status);
});

test('without a verified e-mail nothing is priced or executed', () => {
  const desk = deskOf();
  const { id } = prepare(desk, { amount: '20', currency: 'EUR', destination: BANK });
  desk.platform.switches.add('email-not-verified');
  expect(run(desk, id).status).toBe(401);
  expect(
    desk.call('wallet-proforma', { body: { amount: '20', currency: 'EUR', destination: BANK } }).status,
  ).toBe(401);
});

test('an authorization that is refused changes nothing, and names the transaction that would follow', () => {
  const desk = deskOf();
  const { id } = prepare(desk, { amount: '20', currency: 'EUR', destination: BANK });
  const before = JSON.stringify(desk.world.truth());
  const wanted: Loose[] = [];
  const authorize = (transaction: Loose) => {
    wanted.push(transaction);
    return refusal(423, 'no');
  };
  expect(desk.call('wallet-transaction-execute', { body: { proforma: id }, authorize }).status).toBe(423);
  expect(JSON.stringify(desk.world.truth())).toBe(before);
  const done = run(desk, id);
  expect(wanted).toEqual([
    {
      transactionId: done.body.id,
      userId: desk.world.entities[0]?.userId,
      type: 'withdrawal',
      amount: '20.00',
      currency: 'EUR',
    },
  ]);
});

const CARD = { amount: '200', currency: 'EUR', orderType: 'purchase', method: { type: 'card' } };
const buying = (desk: Desk, change: object = {}) => ({
  ...CARD,
  destination: { type: 'pocket', value: pocketOf(desk, 'BTC').id },
  ...change,
});
const price = (desk: Desk, body: object) => desk.call('teller-proforma', { body });
const order = (desk: Desk, orderId: string) => desk.call('teller-order', { body: { orderId } });
const statusOf = (desk: Desk, id: string) => desk.call('teller-order-status', { query: { id } }).body.status;

test('a purchase by card waits for the user, is paid later, and its row names the order', () => {
  const desk = deskOf();
  const proforma = price(desk, buying(desk)).body;
  expect(proforma).toMatchObject({
    denomination: { amount: '200.00', currency: 'EUR' },
    amountBeforeFee: '200.00',
    fixedFee: expect.stringMatching(/^0\.25/),
    variableFee: '1.00',
    amountAfterFee: expect.stringMatching(/^198\.75/),
  });
  expect(statusOf(desk, proforma.orderId)).toBe('pending');
  const waiting = order(desk, proforma.orderId).body;
  expect(waiting).toMatchObject({
    status: 'waiting-user',
    provider: { requestConfiguration: { type: 'iframe', uri: expect.stringContaining(proforma.orderId) } },
  });
  expect(lastRow(desk).fee?.teller?.id).not.toBe(proforma.orderId);
  desk.world.advance(15 * 60_000);
  expect(statusOf(desk, proforma.orderId)).toBe('accepted');
  expect(lastRow(desk)).toMatchObject({
    type: 'deposit',
    subtype: 'purchase',
    method: 'card',
    fee: { teller: { id: proforma.orderId } },
  });
  const found = desk.call('wallet-transactions', { query: { tellerId: proforma.orderId } }).body.data;
  expect(found).toEqual([lastRow(desk)]);
  expect(order(desk, proforma.orderId).status).toBe(406);
});

test('only an order that waits for the user can be cancelled, and then nothing is paid', () => {
  const desk = deskOf();
  const { orderId } = price(desk, buying(desk, { method: { type: 'apple-pay' } })).body;
  const cancel = () => desk.call('teller-order-cancel', { body: { orderId, description: 'no' } });
  expect(cancel().status).toBe(406);
  expect(order(desk, orderId).body.provider.requestConfiguration.type).toBe('external');
  const before = JSON.stringify(desk.world.truth());
  expect(cancel().body).toEqual({ orderId, status: 'cancelled' });
  desk.world.advance(20 * 60_000);
  expect(JSON.stringify(desk.world.truth())).toBe(before);
  expect([statusOf(desk, orderId), cancel().status]).toEqual(['cancelled', 406]);
  expect(desk.call('teller-order-cancel', { body: { orderId: OTHER, description: 'no' } }).status).toBe(404);
});

test('from a pocket an order is accepted at once, with its fee and a discount from 1,000 euro on', () => {
  const desk = deskOf();
  const rich = desk.world
    .pockets('main')
    .find(({ currency, balance }) => currency === 'EUR' && unitsOf(balance) > unitsOf('1200'));
  const method = { type: 'pocket', params: { pocketId: rich?.id } };
  const proforma = price(desk, buying(desk, { amount: '1000', method })).body;
  expect(proforma).toMatchObject({
    variableFee: '4.50',
    discount: { amount: '0.50', currency: 'EUR', percentage: '10' },
  });
  expect(order(desk, proforma.orderId).body).toEqual({ orderId: proforma.orderId, status: 'accepted' });
  expect(
    unitsOf(rich?.balance ?? '') -
      unitsOf(desk.world.pockets('main').find(({ id }) => id === rich?.id)?.balance ?? ''),
  ).toBe(unitsOf('1000'));
});

test('a deposit by bank brings the amount without the fee; REA puts the fee on top', () => {
  const desk = deskOf();
  const body = {
    amount: '100',
    currency: 'EUR',
    orderType: 'deposit',
    method: { type: 'bank-transfer' },
    feeType: 'REA',
  };
  const before = unitsOf(pocketOf(desk, 'EUR').balance);
  const proforma = price(desk, body).body;
  expect(proforma).toMatchObject({ amountBeforeFee: '100.75', amountAfterFee: '100.00' });
  order(desk, proforma.orderId);
  expect(unitsOf(pocketOf(desk, 'EUR').balance) - before).toBe(unitsOf('100'));
});

test.each([
  ['too low', { amount: '5' }, 417],
  ['too high', { amount: '20000' }, 417],
  ['an unknown pocket', { destination: { type: 'pocket', value: OTHER } }, 404],
  ['an unknown method', { method: { type: 'cheque' } }, 406],
  ['a deposit into coins', { orderType: 'deposit' }, 406],
  ['paid in coins', { currency: 'BTC', amount: '1' }, 406],
  ['a poor pocket', { amount: '9000', method: { type: 'pocket' } }, 412],
])('a teller proforma: %s %j gives %i', (_, change, status) => {
  const desk = deskOf({ days: 2 });
  expect(price(desk, buying(desk, change)).status).toBe(status);
});

test('an unknown teller order is pending, not found to execute, and a proforma expires', () => {
  const desk = deskOf();
  expect([statusOf(desk, OTHER), order(desk, OTHER).status]).toEqual(['pending', 404]);
  const { orderId } = price(desk, buying(desk)).body;
  desk.world.advance(120_000);
  expect(order(desk, orderId).status).toBe(406);
});

test('versions 1 and 2 of the list go by offset and have a total', () => {
  const desk = deskOf();
  const all = desk.world.rows('main', 'wallet-transactions').toReversed();
  for (const name of ['wallet-transactions-v1', 'wallet-transactions-v2']) {
    const { total, data } = desk.call(name, { query: { offset: '3', limit: '7' } }).body;
    expect([total, data.map((row: Loose) => row.id)]).toEqual([
      String(all.length),
      all.slice(3, 10).map(({ id }) => id),
    ]);
  }
  const pocketId = pocketOf(desk, 'BTC').id;
  const own = desk.call('wallet-transactions-v1', { query: { pocketId, limit: '100' } }).body.data;
  for (const { origin, destination } of own)
    expect([origin?.pocketId, destination?.pocketId]).toContain(pocketId);
  const purchases = desk.call('wallet-transactions-v2', { query: { operation: 'purchase' } }).body.data;
  for (const row of purchases) expect(row.subtype).toBe('purchase');
});
