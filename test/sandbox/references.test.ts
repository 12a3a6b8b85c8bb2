// The world behind the lists that explain records: what each of them shows agrees with the records of the history.
import { expect, test } from 'vitest';
import { textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { explanationsOf } from '../../src/sandbox/explanations.ts';
import { decimalsOf } from '../../src/sandbox/world/coins.ts';
import type { Loose } from './asker.ts';
import { deskOf } from './desk.ts';

const DAY = 86_400_000;
const desk = deskOf({ references: true, perDay: 120 });
const OTHER = desk.world.entities[1]?.entityId ?? '';
const ENTITIES = ['main', OTHER];

/** What an order that has no fill yet reserves: a buy the cost and 0.10 % of it, a sale the amount; its fee is deducted. */
const reservedBy = ({ side, symbol, price, orderAmount }: Loose): [string, bigint][] => {
  const [base, quote] = symbol.split('/');
  const cost = (unitsOf(price) * unitsOf(orderAmount)) / 10n ** 18n;
  return side === 'buy' ? [[quote, cost + cost / 1000n]] : [[base, unitsOf(orderAmount)]];
};

const rows = (entity: string): Loose[] =>
  desk.world.rows(entity, 'wallet-transactions').map(({ body }) => body);

test('every trade belongs to an order that is known, and what is filled is the sum of its trades', () => {
  for (const entity of ENTITIES) {
    const trades: Loose[] = desk.world.rows(entity, 'trades').map(({ body }) => body);
    for (const id of new Set(trades.map(({ orderId }) => orderId))) {
      const { body: order } = desk.call('order', { entity, params: { id } });
      const own: Loose[] = desk.call('order-trades', { entity, params: { id } }).body;
      const filled = own.reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
      expect([order.id, order.filledAmount]).toEqual([id, textOf(filled)]);
      expect(order.status).toBe(filled === unitsOf(order.orderAmount) ? 'filled' : 'open');
      expect(new Set(own.map(({ symbol, side, orderType }) => `${symbol} ${side} ${orderType}`))).toEqual(
        new Set([`${order.symbol} ${order.side} ${order.orderType}`]),
      );
      expect(own.every(({ createdAt }) => createdAt >= order.createdAt && createdAt <= order.updatedAt)).toBe(
        true,
      );
    }
  }
});

test('every address that a withdrawal goes to is in the book, but for a stranger and a pocket of the world', () => {
  const book: Loose[] = desk.call('address-book').body;
  const isListed = ({ destination: { address, addressNetwork, currency } }: Loose) =>
    book.some(
      (one) => one.address === address && one.network === addressNetwork && one.currency === currency,
    );
  const sent = rows('main').filter(({ type, method }) => type === 'withdrawal' && method === 'blockchain');
  const unlisted = sent.filter((row) => !isListed(row));
  expect([sent.length > 10, unlisted.length]).toEqual([true, 2]);
  const ownAddresses: Loose[] = desk.world
    .pockets(OTHER)
    .filter(({ currency }) => currency === 'ETH')
    .flatMap(
      ({ id: walletPocketId }) =>
        desk.call('deposit-addresses', { entity: OTHER, query: { network: 'ethereum', walletPocketId } })
          .body,
    );
  const [transfer, ...strangers] = unlisted.filter(({ destination }) =>
    ownAddresses.some(({ address }) => address === destination.address),
  );
  expect(strangers).toEqual([]);
  const arrived = rows(OTHER).filter(
    ({ destination }) => destination?.amount === transfer.destination.amount,
  );
  expect(arrived).toMatchObject([{ type: 'deposit', status: 'completed', date: transfer.completedAt }]);
  expect(new Set(book.map((one) => one.walletOwnership))).toEqual(new Set(['own', 'other']));
  expect(new Set(book.map((one) => one.personType))).toEqual(new Set(['person', 'company']));
  expect(new Set(book.map((one) => one.status))).toEqual(new Set(['verified', 'validating']));
});

test('every payment by social pay has its order: accepted, waiting with the money gone, or expired and returned', () => {
  for (const entity of ENTITIES) {
    const orders: Loose[] = desk.call('social-pay-orders', { entity }).body;
    const paid = rows(entity).filter(({ subtype }) => subtype === 'social-pay');
    expect(orders.map((one) => one.walletMovementId).toSorted()).toEqual(paid.map(({ id }) => id).toSorted());
    for (const row of paid) {
      const order = orders.find(({ walletMovementId }) => walletMovementId === row.id);
      expect([unitsOf(order.amount), order.currency]).toEqual([
        unitsOf(row.denomination.amount),
        row.denomination.currency,
      ]);
      expect(order.statusChanges.at(-1)).toMatchObject({ newStatus: order.status });
      expect(order.statusChanges.every((one: Loose) => one.author !== '' && one.reason !== '')).toBe(true);
    }
  }
  const open: Loose[] = desk
    .call('social-pay-orders')
    .body.filter(({ status }: Loose) => status !== 'accepted');
  expect(open.map(({ status, amount }) => [status, amount])).toEqual([
    ['expired', '34.5'],
    ['waiting-funds', '27.25'],
  ]);
  const returned = rows('main').filter(({ subtype }) => subtype === 'reimbursement');
  expect(returned).toMatchObject([{ destination: { amount: '34.50' }, completedAt: open[0].expiryDate }]);
});

test('bank deposits carry the reference of their pocket', () => {
  const deposits = rows('main').filter(
    ({ subtype, method }) => subtype === 'funding' && method === 'bank-transfer',
  );
  expect(deposits.length).toBeGreaterThan(5);
  for (const { concept, destination } of deposits) {
    const query = { pocketId: destination.pocketId };
    expect(desk.call('pocket-reference', { query }).body.pocket.reference).toBe(concept);
  }
});

test('a row that was paid by card names its teller order, whose state is that of the row', () => {
  const statuses = rows('main').flatMap(({ fee, status }) =>
    fee?.teller === undefined
      ? []
      : [[status, desk.call('teller-order-status', { query: { id: fee.teller.id } }).body.status]],
  );
  const byCard = rows('main').filter(({ method }) => ['card', 'apple-pay'].includes(method));
  expect(byCard.filter(({ fee }) => fee?.teller?.id === undefined)).toEqual([]);
  expect(new Set(statuses.map(String))).toContain('completed,accepted');
  expect(new Set(statuses.map(String))).toContain('waiting-user-information,waiting-user');
});

const explained = explanationsOf(desk.world) as Loose;

test('what orders and bots block is what the balance says', () => {
  for (const entity of ENTITIES) {
    const blocked = new Map<string, bigint>();
    for (const { currency, orders, bots } of explained[entity].reserved)
      blocked.set(currency, unitsOf(orders) + unitsOf(bots));
    for (const { currency, blockedBalance } of desk.call('trading-balance', { entity }).body)
      expect([currency, unitsOf(blockedBalance)]).toEqual([currency, blocked.get(currency) ?? 0n]);
  }
});

test('two orders that have no fill yet block exactly what they would pay', () => {
  const quiet = deskOf({ references: true, perDay: 1, days: 12 });
  const open: Loose[] = quiet.call('orders', { query: { status_in: 'open' } }).body;
  expect(open.map(({ side, filledAmount }) => [side, filledAmount])).toEqual([
    ['sell', '0'],
    ['buy', '0'],
  ]);
  const reserved = new Map<string, bigint>();
  for (const order of open)
    for (const [currency, units] of reservedBy(order))
      reserved.set(currency, (reserved.get(currency) ?? 0n) + units);
  const { main } = explanationsOf(quiet.world) as Loose;
  const orders = main.reserved.filter((one: Loose) => one.orders !== '0');
  expect(orders.map((one: Loose) => [one.currency, one.orders]).toSorted()).toEqual(
    [...reserved].map(([currency, units]) => [currency, textOf(units)]).toSorted(),
  );
});

test('Earn movements name the pocket of the wallet row on their other side, in both lists', () => {
  const partners: Loose[] = explained.main.earn_partners;
  expect(partners.length).toBeGreaterThan(5);
  const all: Loose[] = desk.call('earn-movements-all', { query: { limit: '100' } }).body.data;
  for (const { record_id, pocket_id } of partners) {
    const movement = desk.world.rows('main', 'earn-movements').find(({ id }) => id === record_id)
      ?.body as Loose;
    const side = movement.type === 'deposit' ? 'origin' : 'destination';
    const fits = (row: Loose) =>
      row.subtype === 'earn' &&
      row[side].pocketId === pocket_id &&
      row[side].currency === movement.source.currency &&
      Math.abs(Date.parse(row.date) - Date.parse(movement.createdAt)) < 2000;
    expect(rows('main').filter(fits)).toHaveLength(1);
    const listed = all.find(({ movementId }) => movementId === record_id);
    if (listed !== undefined) expect(listed.source).toEqual(movement.source);
  }
});

test('the truth says which transfer is an own one, and what social pay may return', () => {
  expect(explained.main.transfers_to_own_addresses).toMatchObject([{ entity_id: OTHER }]);
  expect(explained.main.unpaid_social_orders).toMatchObject([
    { status: 'expired', amount: '34.5' },
    { status: 'waiting-funds', amount: '27.25' },
  ]);
  expect(explained[OTHER].unpaid_social_orders).toEqual([]);
});

test('the spread of a conversion is 0.95 % of what the market would have bought', () => {
  const spreads: Loose[] = explained.main.conversion_spreads;
  expect(spreads.length).toBeGreaterThan(20);
  for (const { record_id, currency, spread } of spreads) {
    const { destination } = rows('main').find(({ id }) => id === record_id);
    expect(destination.currency).toBe(currency);
    const market = unitsOf(destination.amount) + unitsOf(spread);
    const off = unitsOf(spread) - (market * 95n) / 10_000n;
    const digit = 10n ** BigInt(18 - Math.min(decimalsOf(currency), 8));
    expect(off >= -1n && off <= digit).toBe(true);
  }
});

test('some conversions show the rate of the market, from which their spread follows', () => {
  const shown = explained.main.conversion_spreads.filter(({ rate }: Loose) => rate !== undefined);
  expect(shown.length).toBeGreaterThan(5);
  for (const { record_id, spread, rate } of shown) {
    const { origin, destination, fee } = rows('main').find(({ id }) => id === record_id);
    const { base, quote } = destination.rate.pair;
    expect([base, quote].toSorted()).toEqual([origin.currency, destination.currency].toSorted());
    if (fee?.teller !== undefined) continue; // part of what left is the fee
    const [left, bought, value] = [origin.amount, destination.amount, rate].map(unitsOf) as [
      bigint,
      bigint,
      bigint,
    ];
    const atRate = base === origin.currency ? (left * value) / 10n ** 18n : (left * 10n ** 18n) / value;
    const off = atRate - bought - unitsOf(spread);
    expect(off * off <= (atRate / 10n ** 8n) ** 2n).toBe(true); // the rate has nine digits or more
  }
});

test('time settles what waits: the card is paid, and the money of an unclaimed order returns', () => {
  const later = deskOf({ references: true, days: 10, perDay: 20 });
  const before = later.world.truth();
  later.world.advance(5 * DAY);
  expect(later.world.truth()).not.toEqual(before);
  const orders: Loose[] = later.call('social-pay-orders').body;
  const unpaid = orders.filter(({ amount }) => ['34.5', '27.25'].includes(amount));
  expect(unpaid.map(({ status }) => status)).toEqual(['expired', 'expired']);
});
