// An independent sum: listed final rows, booked by the design's rules in whole units of 1e-18. It shares no code
// with the ledger or the world, so agreement is evidence.

import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { as, ask, type Loose } from './asker.ts';

type Row = Loose;
type Sums = Map<string, bigint>;

export const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(18, '0'));
  return text.startsWith('-') ? -size : size;
};

const add = (sums: Sums, account: string, currency: string, amount: bigint): void => {
  const key = `${account} ${currency}`;
  sums.set(key, (sums.get(key) ?? 0n) + amount);
};

/** An entity without Earn answers 404, which means no wallets. */
const earnWallets = async (get: (target: string) => Promise<Row>): Promise<Row[]> => {
  const body = await get('/v2/earn/wallets');
  return body.statusCode === '404' ? [] : body.data;
};

/** Every row of every list of one entity, walked to the end. */
export const walk = async (sandbox: Sandbox, entityId: string): Promise<Record<string, Row[]>> => {
  const get = async (target: string) => (await ask(sandbox, target, as(entityId))).body;
  const movements = new Map<string, Row>();
  for (let to = '', size = -1; size !== movements.size; ) {
    size = movements.size;
    const page: Row[] = await get(`/v1/trading/movement${to}`);
    for (const row of page) movements.set(row.id, row);
    to = page.length > 0 ? `?to=${page.at(-1).createdAt}` : to;
  }
  const trades: Row[] = [];
  for (let total = 1; trades.length < total; ) {
    const page = await get(`/v1/trading/trade?offset=${trades.length}`);
    total = page.data.length === 0 ? 0 : Number(page.total);
    trades.push(...page.data);
  }
  const wallet: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Row = await get(
      `/v3/wallet/transaction?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    wallet.push(...page.data);
    cursor = page.pageInfo.endCursor;
  }
  const earn: Row[] = [];
  for (const { walletId } of await earnWallets(get))
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const page = await get(`/v1/earn/wallets/${walletId}/movements?limit=100&offset=${offset}`);
      total = Number(page.total);
      earn.push(...page.data);
    }
  return { movements: [...movements.values()], trades, wallet, earn };
};

/** The balances of the accounts by the lists. */
export const booked = (lists: Record<string, Row[]>): Sums => {
  const sums: Sums = new Map();
  for (const row of lists.movements ?? []) bookMovement(sums, row);
  for (const row of lists.trades ?? []) bookTrade(sums, row);
  for (const row of lists.wallet ?? []) if (row.status === 'completed') bookWallet(sums, row);
  for (const row of lists.earn ?? []) bookEarn(sums, row);
  return sums;
};

const bookMovement = (sums: Sums, row: Row): void => {
  const amount = units(row.amount) * (row.movementType === 'deposit' ? 1n : -1n);
  if (row.serviceOrderName === 'bot') return;
  add(sums, 'assets:trading', row.currency, amount);
  if (row.serviceOrderName === 'wallet') add(sums, 'assets:clearing:trading', row.currency, -amount);
  if (row.serviceOrderName === 'working-capital')
    add(sums, 'liabilities:working-capital', row.currency, -amount);
};

const bookTrade = (sums: Sums, row: Row): void => {
  const sign = row.side === 'buy' ? 1n : -1n;
  add(sums, 'assets:trading', row.amountCurrency, sign * units(row.amount));
  add(sums, 'assets:trading', row.priceCurrency, -sign * units(row.cost));
  add(sums, 'assets:trading', row.feeCurrency, -units(row.feeAmount));
  add(sums, 'expenses:fees:trading', row.feeCurrency, units(row.feeAmount));
};

const tellerOf = (row: Row): bigint => {
  const { fixed, variable, fixedFee = fixed?.amount, variableFee = variable?.amount } = row.fee?.teller ?? {};
  return units(fixedFee ?? '0') + units(variableFee ?? '0');
};

const tellerCurrencyOf = ({ fee }: Row): string => fee.teller.feeCurrency ?? fee.teller.fixed.currency;

const bookWallet = (sums: Sums, row: Row): void => {
  const { origin, destination, fee } = row;
  if (!['pocket', 'trading', 'earn', 'email', 'blockchain', 'network'].includes(destination.class)) return; // a reject
  const entering = units(destination.amountAfterFees ?? destination.amount);
  const onTop = fee?.network ? units(fee.network.amount) : 0n;
  if (origin) bookSide(sums, origin, -units(origin.amount) - onTop);
  bookSide(sums, destination, entering);
  if (!origin) return;
  const sameRest = origin.currency === destination.currency ? units(origin.amount) - entering : 0n;
  if (tellerOf(row) > 0n) add(sums, 'expenses:fees:teller', tellerCurrencyOf(row), tellerOf(row));
  else if (sameRest + onTop > 0n) add(sums, 'expenses:fees:network', origin.currency, sameRest + onTop);
};

const bookSide = (sums: Sums, side: Row, amount: bigint): void => {
  if (side.class === 'pocket') add(sums, `assets:pocket:${side.pocketId}`, side.currency, amount);
  if (['trading', 'earn'].includes(side.class))
    add(sums, `assets:clearing:${side.class}`, side.currency, amount);
};

const bookEarn = (sums: Sums, row: Row): void => {
  const { value, currency } = row.amount;
  const net = row.netAmount ? units(row.netAmount.value) : units(value);
  const sign = row.type === 'withdrawal' ? -1n : 1n;
  add(sums, 'assets:earn', currency, sign * net);
  if (row.type !== 'reward') add(sums, 'assets:clearing:earn', currency, -sign * net);
  if (row.type !== 'reward') return;
  add(sums, 'assets:tax-withheld', currency, units(value) - net);
  add(sums, 'income:rewards', currency, -units(value));
};

/** The balances of the accounts by the reported balances. */
const reported = async (sandbox: Sandbox, entityId: string): Promise<Sums> => {
  const sums: Sums = new Map();
  const get = async (target: string) => (await ask(sandbox, target, as(entityId))).body;
  for (const wallet of await get('/v1/trading/wallet/balance'))
    add(sums, 'assets:trading', wallet.currency, units(wallet.balance) + units(wallet.blockedBalance));
  for (const pocket of await get('/v1/wallet/pocket'))
    add(
      sums,
      `assets:pocket:${pocket.id}`,
      pocket.currency,
      units(pocket.balance) + units(pocket.blockedBalance) + units(pocket.blockedOutputBalance),
    );
  for (const wallet of await earnWallets(get))
    add(sums, 'assets:earn', wallet.currency, units(wallet.balance));
  return sums;
};

/** Reported − booked for every account in the balances or in clearing, without zeros. */
export const differences = async (sandbox: Sandbox, entityId: string): Promise<Record<string, bigint>> => {
  const [theirs, ours] = [await reported(sandbox, entityId), booked(await walk(sandbox, entityId))];
  const spoken = [...new Set([...theirs.keys(), ...ours.keys()])].filter((key) =>
    /^assets:(trading|pocket|earn|clearing)/.test(key),
  );
  const rest = spoken.map((key) => [key, (theirs.get(key) ?? 0n) - (ours.get(key) ?? 0n)] as const);
  return Object.fromEntries(rest.filter(([, amount]) => amount !== 0n));
};
