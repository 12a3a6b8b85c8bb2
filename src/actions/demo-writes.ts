// Random writes of an integrator's client at the demo's stand-in gateway: each that the gateway accepts moves money of its world.
import { strict as assert } from 'node:assert';
import { type Gateway, GatewayError, openGateway } from '../gateway/gateway.ts';
import { type Random, randomOf, type Sandbox } from '../sandbox/sandbox.ts';

/** How many writes of each kind the gateway accepted. */
export type WriteCounts = Readonly<Record<string, number>>;

type Writer = {
  readonly gateway: Gateway;
  readonly random: Random;
  readonly url: string;
  /** Whose account it is: a header that the main account does not need. */
  readonly user: { readonly subaccount?: string };
};

/** Tries something; false if there is nothing to do it with. Throws if the gateway refuses. */
type Write = (writer: Writer) => Promise<boolean>;

/** Currencies with enough decimals for a part of a balance. */
const DECIMALS: Readonly<Record<string, number>> = {
  EUR: 2,
  USD: 2,
  GBP: 2,
  BTC: 6,
  ETH: 6,
  USDC: 6,
  SOL: 6,
};
const FIAT = ['EUR', 'USD', 'GBP'];

/** From 1 to 10 per cent of a balance, cut to the decimals of its currency; null if that is nothing. */
const partOf = ({ random }: Writer, balance: string, currency: string): string | null => {
  const decimals = DECIMALS[currency] ?? 0;
  const [whole = '', fraction = ''] = balance.split('.');
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const digits = ((units * BigInt(1 + random.below(10))) / 100n).toString().padStart(decimals + 1, '0');
  return /^0*$/.test(digits) ? null : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

type Purse = { readonly id: string; readonly currency: string; readonly amount: string };

/** A pocket with something in it, and a part of that. */
const purseOf = async (writer: Writer, currencies: readonly string[]): Promise<Purse | null> => {
  const pockets = await writer.gateway.wallet.pockets(writer.user);
  const fitting = pockets.flatMap(({ id, currency, balance }) => {
    const amount = currencies.includes(currency) ? partOf(writer, balance, currency) : null;
    return amount === null ? [] : [{ id, currency, amount }];
  });
  return fitting.length === 0 ? null : writer.random.pick(fitting);
};

const tradingDeposit: Write = async (writer) => {
  const purse = await purseOf(writer, Object.keys(DECIMALS));
  if (purse === null) return false;
  const { id: fromPocketId, amount, currency } = purse;
  await writer.gateway.trading.deposit({ ...writer.user, body: { fromPocketId, amount, currency } });
  return true;
};

const tradingWithdrawal: Write = async (writer) => {
  const { gateway, random, user } = writer;
  const wallets = await gateway.trading.balance({ ...user, query: { amountFormat: 'string' } });
  const { currency, balance } = random.pick(wallets.filter((one) => one.currency in DECIMALS));
  const amount = partOf(writer, balance, currency);
  if (amount === null) return false;
  await gateway.trading.withdraw({ ...user, body: { amount, currency } });
  return true;
};

/** At the market's price, or at a limit below or above which it waits. */
const order: Write = async ({ gateway, random, user }) => {
  const [ticker] = await gateway.trading.tickers({ query: { symbol: 'BTC/EUR' } });
  assert(ticker);
  const side = random.pick(['buy', 'sell'] as const);
  const amount = `0.0${1 + random.below(9)}`;
  const price = ticker.close.split('.')[0] ?? '';
  const terms = random.chance(40) ? { orderType: 'market' as const } : { orderType: 'limit' as const, price };
  await gateway.trading.createOrder({ ...user, body: { side, symbol: 'BTC/EUR', amount, ...terms } });
  return true;
};

const cancellation: Write = async ({ gateway, random, user }) => {
  const open = await gateway.trading.orders({ ...user, query: { status_in: 'open,inactive' } });
  if (open.length === 0) return false;
  await gateway.trading.cancelOrder({ ...user, path: { id: random.pick(open).id } });
  return true;
};

type Priced = Parameters<Gateway['wallet']['prepare']>[0]['body'];

const execute = async ({ gateway, user }: Writer, body: Priced): Promise<true> => {
  const { id: proforma } = await gateway.wallet.prepare({ ...user, body });
  assert(typeof proforma === 'string');
  await gateway.wallet.execute({ ...user, body: { proforma } });
  return true;
};

/** Between pockets: a transfer, or a conversion if their currencies differ. */
const exchange: Write = async (writer) => {
  const [from, to] = [
    await purseOf(writer, Object.keys(DECIMALS)),
    await purseOf(writer, Object.keys(DECIMALS)),
  ];
  if (from === null || to === null || from.id === to.id) return false;
  const { amount, currency, id: pocket } = from;
  return execute(writer, { amount, currency, pocket, destination: { pocket: to.id } });
};

const bankPayment: Write = async (writer) => {
  const purse = await purseOf(writer, FIAT);
  if (purse === null) return false;
  const { amount, currency, id: pocket } = purse;
  const bankAccount = { bankAccount: 'DE89370400440532013000', receiverName: 'Ana Example' };
  return execute(writer, { amount, currency, pocket, destination: { bankAccount } });
};

/** To a verified address of the address book. */
const chainPayment: Write = async (writer) => {
  const { gateway, random, user } = writer;
  const book = await gateway.funding.addressBook(user);
  const verified = book.filter(({ status, currency }) => status === 'verified' && currency in DECIMALS);
  if (verified.length === 0) return false;
  const { address, network, currency } = random.pick(verified);
  const purse = await purseOf(writer, [currency]);
  if (purse === null) return false;
  const type = random.pick(['SEA', 'REA'] as const);
  const { amount, id: pocket } = purse;
  return execute(writer, { amount, currency, pocket, type, destination: { address, network } });
};

/** Fiat by card or bank: it is there at once, or when the card is paid. */
const tellerOrder: Write = async ({ gateway, random, user }) => {
  const method = { type: random.pick(['card', 'bank-transfer']) };
  const amount = `${20 + random.below(900)}.${10 + random.below(90)}`;
  const body = { amount, currency: random.pick(FIAT), orderType: 'deposit' as const, method };
  const { orderId } = await gateway.teller.prepareOrder({ ...user, body });
  await gateway.teller.executeOrder({ ...user, body: { orderId } });
  return true;
};

/** To a person outside, who never claims it. Only the main account has an authenticator. */
const socialPayment: Write = async (writer) => {
  const purse = await purseOf({ ...writer, user: {} }, FIAT);
  if (purse === null) return false;
  const { id: pocketId, amount, currency } = purse;
  const body = { pocketId, amount, currency, type: 'email' as const, email: 'zoe@example.com' };
  await writer.gateway.socialPay.create({ body, totp: { code: await codeOf(writer.url), type: 'gauth' } });
  return true;
};

/** The code that the authenticator of the main account shows right now. */
const codeOf = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/__world/code`, { method: 'POST', body: '{"entity":"main"}' });
  return ((await response.json()) as { code: string }).code;
};

const WRITES: Readonly<Record<string, Write>> = {
  'trading deposits': tradingDeposit,
  'trading withdrawals': tradingWithdrawal,
  orders: order,
  cancellations: cancellation,
  'transfers and conversions': exchange,
  'bank payments': bankPayment,
  'chain payments': chainPayment,
  'teller orders': tellerOrder,
  'social payments': socialPayment,
};

const RPM = 6_000;
const TRIES_PER_WRITE = 20;

/** Makes `count` writes that the gateway accepts, over its entities. Throws if it is not available, or accepts hardly any. */
export const writeThroughClient = async (
  { url, apiKey, apiSecret, world }: Sandbox,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<WriteCounts> => {
  const gateway = openGateway({ baseUrl: url, rpm: RPM, credentials: { apiKey, apiSecret } });
  const random = randomOf(`writes:${seed}`);
  const written: Record<string, number> = {};
  try {
    for (let [accepted, tries] = [0, 0]; accepted < count; tries += 1) {
      assert(tries < TRIES_PER_WRITE * count, 'the gateway accepts hardly any write');
      const [name, write] = random.pick(Object.entries(WRITES));
      const { entityId } = random.pick(world.entities);
      const user = entityId === 'main' ? {} : { subaccount: entityId };
      if (!(await isAccepted(write({ gateway, random, url, user })))) continue;
      accepted += 1;
      written[name] = (written[name] ?? 0) + 1;
    }
  } finally {
    await gateway.close();
  }
  return written;
};

/** A business rule of the gateway may refuse a random write (no funds, an amount too low); anything else is a failure. */
const isAccepted = async (write: Promise<boolean>): Promise<boolean> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof GatewayError && error.failure === 'invalid') return false;
    throw error;
  }
};
