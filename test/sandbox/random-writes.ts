// Random writes of clients through the stand-in's operations: each that the world accepts moves its money.
import { strict as assert } from 'node:assert';
import { textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { confirmByMail } from '../../src/sandbox/answers/address-book.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';
import { decimalsOf, isFiat } from '../../src/sandbox/world/coins.ts';
import { depositAddressOf } from '../../src/sandbox/world/networks.ts';
import type { Loose } from './asker.ts';
import type { Desk } from './desk.ts';

type Writer = { readonly desk: Desk; readonly random: Random; readonly entity: string };
type Write = (writer: Writer) => number;

const status = (desk: Desk, name: string, call: Parameters<Desk['call']>[1]): number =>
  desk.call(name, call).status;

const pocketsOf = ({ desk, entity }: Writer) => desk.world.pockets(entity);

/** A part of a balance, as text with at most the decimals of its currency. */
const partOf = (
  { random }: Writer,
  balance: string,
  currency: string,
  decimals = decimalsOf(currency),
): string => {
  const units = (unitsOf(balance) * BigInt(1 + random.below(20))) / 100n;
  const step = 10n ** BigInt(18 - decimals);
  return textOf((units / step) * step);
};

const intoTrading: Write = (writer) => {
  const { id, currency, balance } = writer.random.pick(pocketsOf(writer));
  const body = { fromPocketId: id, amount: partOf(writer, balance, currency), currency };
  return status(writer.desk, 'trading-deposit', { entity: writer.entity, body });
};

const outOfTrading: Write = (writer) => {
  const { currency, balance } = writer.random.pick(writer.desk.world.trading(writer.entity));
  const body = { amount: partOf(writer, balance, currency), currency };
  return status(writer.desk, 'trading-withdraw', { entity: writer.entity, body });
};

/** At the price, above or below it, in every type of order. */
const placeOrder: Write = (writer) => {
  const { desk, random, entity } = writer;
  const [symbol, decimals] = random.pick([
    ['BTC/EUR', 6],
    ['ETH/EUR', 5],
    ['ETH/BTC', 5],
    ['SOL/USDC', 4],
  ] as const);
  const ticker = desk.call('tickers', { query: { symbol } }).body[0];
  const [base = '', quote = ''] = symbol.split('/');
  const side = random.pick(['buy', 'sell']);
  const wallet = desk.world
    .trading(entity)
    .find(({ currency }) => currency === (side === 'buy' ? quote : base));
  const worth =
    side === 'buy'
      ? (unitsOf(wallet?.balance ?? '0') * 10n ** 18n) / unitsOf(ticker.ask)
      : unitsOf(wallet?.balance ?? '0');
  const amount = partOf(writer, textOf(worth), base, decimals);
  const orderType = random.pick(['market', 'limit', 'limit', 'stop-limit']);
  const near = (unitsOf(ticker.close) * BigInt(985 + random.below(31))) / 1000n;
  const step = 10n ** BigInt(18 - (quote === 'BTC' ? 6 : 2));
  const price = textOf((near / step) * step);
  const body = {
    side,
    symbol,
    orderType,
    amount,
    ...(orderType !== 'market' && { price }),
    ...(orderType === 'stop-limit' && { stopPrice: price }),
  };
  return status(desk, 'order-create', { entity, body });
};

const cancelOrder: Write = ({ desk, random, entity }) => {
  const open: Loose[] = desk.call('orders', { entity, query: { status_in: 'open,inactive' } }).body;
  return open.length === 0
    ? 0
    : status(desk, 'order-cancel', { entity, params: { id: random.pick(open).id } });
};

const execute = ({ desk, entity }: Writer, body: object): number => {
  const priced = desk.call('wallet-proforma', { entity, body });
  return priced.status === 200
    ? status(desk, 'wallet-transaction-execute', { entity, body: { proforma: priced.body.id } })
    : priced.status;
};

const betweenPockets: Write = (writer) => {
  const [from, to] = [writer.random.pick(pocketsOf(writer)), writer.random.pick(pocketsOf(writer))];
  const amount = partOf(writer, from.balance, from.currency);
  return execute(writer, {
    amount,
    currency: from.currency,
    pocket: from.id,
    destination: { pocket: to.id },
  });
};

const onChain: Write = (writer) => {
  const { desk, random, entity } = writer;
  const entries: Loose[] = desk
    .call('address-book', { entity })
    .body.filter((it: Loose) => it.status === 'verified');
  if (entries.length === 0) return 0;
  const { address, currency, network } = random.pick(entries);
  const pocket = pocketsOf(writer).find((it) => it.currency === currency);
  assert(pocket);
  const amount = partOf(writer, pocket.balance, currency, Math.min(8, decimalsOf(currency)));
  const type = random.pick(['SEA', 'REA']);
  return execute(writer, { amount, currency, pocket: pocket.id, type, destination: { address, network } });
};

const toBank: Write = (writer) => {
  const pocket = writer.random.pick(pocketsOf(writer).filter(({ currency }) => isFiat(currency)));
  const bankAccount = { bankAccount: 'DE89370400440532013000', receiverName: 'Ana Example' };
  const amount = partOf(writer, pocket.balance, pocket.currency);
  return execute(writer, {
    amount,
    currency: pocket.currency,
    pocket: pocket.id,
    destination: { bankAccount },
  });
};

const byTeller: Write = (writer) => {
  const { desk, random, entity } = writer;
  const orderType = random.pick(['deposit', 'purchase']);
  const pocket = random.pick(
    pocketsOf(writer).filter(({ currency }) => isFiat(currency) === (orderType === 'deposit')),
  );
  const currency = orderType === 'deposit' ? pocket.currency : 'EUR';
  const types = orderType === 'deposit' ? ['card', 'bank-transfer'] : ['card', 'apple-pay', 'pocket'];
  const method = { type: random.pick(types) };
  const amount = `${20 + random.below(1500)}.${10 + random.below(90)}`;
  const body = {
    amount,
    currency,
    orderType,
    method,
    feeType: random.pick(['SEA', 'REA']),
    destination: { type: 'pocket', value: pocket.id },
  };
  const priced = desk.call('teller-proforma', { entity, body });
  if (priced.status !== 200) return priced.status;
  const executed = desk.call('teller-order', { entity, body: { orderId: priced.body.orderId } });
  if (executed.body.status !== 'waiting-user' || random.chance(60)) return executed.status;
  const cancel = { orderId: priced.body.orderId, description: 'another card' };
  return status(desk, 'teller-order-cancel', { entity, body: cancel });
};

/** To somebody outside, or to another entity, which claims it half of the time. */
const socially: Write = (writer) => {
  const { desk, random, entity } = writer;
  const other = random.pick(desk.world.entities.filter(({ entityId }) => entityId !== entity));
  const email = random.chance(50) ? other.email : 'zoe@example.com';
  const pocket = random.pick(pocketsOf(writer).filter(({ currency }) => isFiat(currency)));
  const body = {
    pocketId: pocket.id,
    type: 'email',
    email,
    currency: pocket.currency,
    amount: partOf(writer, pocket.balance, pocket.currency),
  };
  const created = desk.call('social-pay-create', { entity, body });
  if (created.status !== 200 || email !== other.email || random.chance(50)) return created.status;
  const target = desk.world.pockets(other.entityId).find(({ currency }) => currency === pocket.currency);
  const claims = [{ orderId: created.body.orderId, pocketId: target?.id }];
  const [outcome] = desk.call('social-pay-claim', { entity: other.entityId, body: claims }).body;
  assert.equal(outcome.result, true, outcome.message);
  return created.status;
};

/** An address outside, or a deposit address of any entity, is added and confirmed. */
const addAddress: Write = ({ desk, random, entity }) => {
  const [currency, network] = random.pick([
    ['ETH', 'ethereum'],
    ['USDC', 'ethereum'],
  ] as const);
  const owner = random.pick(desk.world.entities).entityId;
  const pocket = random.pick(desk.world.pockets(owner).filter((it) => it.currency === currency));
  const outside = `0x${random.uuid().replaceAll('-', '')}${random.uuid().slice(0, 8)}`;
  const address = random.chance(50) ? outside : depositAddressOf(network, pocket.id);
  const person = {
    name: 'Eva',
    surname: 'Example',
    personType: 'person',
    walletOwnership: 'other',
    walletType: 'unhosted',
  };
  const created = desk.call('address-book-create', {
    entity,
    body: { address, currency, network, ...person },
  });
  if (created.status !== 200) return created.status;
  const { addressId: addressBookId } = created.body;
  if (entity === 'main') assert(confirmByMail(desk, addressBookId));
  else assert.equal(status(desk, 'address-book-confirm', { entity, params: { addressBookId } }), 204);
  return created.status;
};

const WRITES: readonly Write[] = [
  intoTrading,
  outOfTrading,
  placeOrder,
  placeOrder,
  cancelOrder,
  betweenPockets,
  betweenPockets,
  onChain,
  toBank,
  byTeller,
  socially,
  addAddress,
];

/** Makes `count` writes that the world accepts, over all its entities, minutes apart. Returns how many of each kind. */
export const writeAtRandom = (desk: Desk, seed: number, count: number): Record<string, number> => {
  const random = randomOf(`writes:${seed}`);
  const made: Record<string, number> = {};
  for (let [accepted, tries] = [0, 0]; accepted < count; tries += 1) {
    assert(tries < 40 * count, 'the world accepts hardly any write');
    const write = random.pick(WRITES);
    const outcome = write({ desk, random, entity: random.pick(desk.world.entities).entityId });
    assert(outcome < 500);
    if (outcome !== 200) continue;
    accepted += 1;
    made[write.name] = (made[write.name] ?? 0) + 1;
    if (random.chance(50)) desk.world.advance(1 + random.below(20 * 60_000));
  }
  return made;
};
