// Records as the gateway would return them: just valid enough that every rule accepts them.
import type { StreamName } from '../../src/base/streams.ts';
import type { Random } from '../../src/sandbox/random.ts';
import { exact, type WireObject } from '../../src/sandbox/wire-json.ts';

const CURRENCIES = ['EUR', 'USD', 'GBP', 'BTC', 'ETH'] as const;
const ORIGINS = ['wallet', 'admin', 'working-capital', 'bot'] as const;

/** The wallets and pockets of one entity. */
export type Cast = {
  readonly trading: readonly { readonly id: string; readonly currency: string }[];
  readonly pockets: readonly { readonly id: string; readonly currency: string }[];
  readonly earn: readonly { readonly id: string; readonly currency: string }[];
};

export const castOf = (random: Random, wallets: number, earnWallets: number): Cast => {
  const some = (count: number) =>
    CURRENCIES.slice(0, count).map((currency) => ({ id: random.uuid(), currency }));
  return { trading: some(wallets), pockets: some(3), earn: some(earnWallets) };
};

type Making = {
  readonly random: Random;
  readonly cast: Cast;
  readonly id: string;
  /** Earn: the wallet. */
  readonly scope: string;
  /** The record's time as the gateway shows it. */
  readonly time: string;
  /** Wallet transactions: not final yet. */
  readonly isPending?: boolean;
  /** Movements: the filters that separate this one from others; any if absent. */
  readonly cell?: number;
};

const amountOf = ({ below }: Random) => exact(`${1 + below(900)}.${String(below(100)).padStart(2, '0')}`);

const movement = ({ random, cast, id, time, cell = random.below(1_000) }: Making): WireObject => {
  const wallet = cast.trading[cell % cast.trading.length] as Cast['trading'][number];
  const way = Math.floor(cell / cast.trading.length);
  return {
    id,
    walletId: wallet.id,
    amount: amountOf(random),
    currency: wallet.currency,
    createdAt: time,
    movementType: way % 2 === 0 ? 'deposit' : 'withdrawal',
    serviceOrderName: ORIGINS[Math.floor(way / 2) % ORIGINS.length] as string,
    status: 'completed',
  };
};

/** By the id, so that it uses no random number of the seed. */
const quoteOf = (id: string): string => ['EUR', 'USD', 'GBP'][id.charCodeAt(0) % 3] as string;

const trade = ({ random, id, time }: Making): WireObject => ({
  id,
  orderId: random.uuid(),
  symbol: `BTC/${quoteOf(id)}`,
  side: random.pick(['buy', 'sell']),
  orderType: 'limit',
  price: exact('50000.10'),
  amount: exact('0.001'),
  cost: exact('50.0001'),
  feeAmount: exact('0.08'),
  costEuro: exact('50.0001'),
  feePercentage: exact('0.16'),
  priceCurrency: quoteOf(id),
  amountCurrency: 'BTC',
  feeCurrency: quoteOf(id),
  createdAt: time,
});

const walletTransaction = ({ random, cast, id, time, isPending = false }: Making): WireObject => {
  const pocket = random.pick(cast.pockets);
  const amount = `${1 + random.below(900)}.00000000`;
  return {
    id,
    date: time,
    completedAt: isPending ? null : time,
    canceledAt: null,
    note: '',
    type: 'deposit',
    subtype: 'funding',
    method: 'bank-transfer',
    status: isPending ? random.pick(['pending', 'waiting-user-information']) : 'completed',
    denomination: { amount, currency: pocket.currency },
    origin: { class: 'bank-transfer', currency: pocket.currency, amount },
    destination: { class: 'pocket', currency: pocket.currency, amount, pocketId: pocket.id },
  };
};

const earnMovement = ({ random, cast, id, scope, time }: Making): WireObject => {
  const currency = cast.earn.find((wallet) => wallet.id === scope)?.currency ?? 'EUR';
  return {
    movementId: id,
    type: 'reward',
    createdAt: time,
    walletId: scope,
    amount: { value: `${1 + random.below(9)}.5`, currency },
    convertedAmount: { value: '1.00', currency: 'EUR' },
  };
};

/** Makes a record of a stream. */
export const RECORDS: Readonly<Record<StreamName, (making: Making) => WireObject>> = {
  movements: movement,
  trades: trade,
  'wallet-transactions': walletTransaction,
  'earn-movements': earnMovement,
};

/** A wallet transaction once it is final. */
export const settled = (body: WireObject, { random, time }: Pick<Making, 'random' | 'time'>): WireObject =>
  random.chance(70)
    ? { ...body, status: 'completed', completedAt: time }
    : { ...body, status: random.pick(['cancelled', 'canceled']), canceledAt: time };

/** The same record with a text edited by a person. */
export const edited = (body: WireObject, note: string): WireObject => ({ ...body, note });
