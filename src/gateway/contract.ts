// The contract: every operation of the gateway that we use, as data. The client's calls and the stand-in's routes
// both come from here. `section` names the part of the gateway's specification; `assumes` lists the
// assumptions about what it leaves open, by their ids in README.md.
import { z } from 'zod';
import { STREAMS } from '../base/streams.ts';
import { catalog, chart, rates } from './market.ts';
import type { Operation } from './operation.ts';
import { bare, counted, cursored, single } from './pages.ts';

export { earnWalletId, type WireRow } from './pages.ts';

/** Query as the stand-in accepts it: strict, everything text. */
const text = z.string().min(1);
const instant = z.iso.datetime({ offset: true });
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const code = z.string().regex(/^[A-Z0-9]+$/);
const codes = z.string().regex(/^[A-Z0-9]+(,[A-Z0-9]+)*$/);
const wholeFrom = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const operation = <Page>(operation: Operation<Page>): Operation<Page> => operation;

/** A page may hold ten times the requested limit; a list that is read whole, as many as anybody has. */
const slack = (limit: number): number => 10 * limit;
const LIST_MAX = 10_000;

/** The closed sets of words that can split a window (Trading-wallet movement). */
export const MOVEMENT_TYPES = ['deposit', 'withdrawal'] as const;
export const MOVEMENT_ORIGINS = ['wallet', 'admin', 'working-capital', 'bot'] as const;

export const movements = operation({
  name: 'movements',
  method: 'GET',
  path: '/v1/trading/movement',
  query: z.strictObject({
    from: instant.optional(),
    to: instant.optional(),
    limit: wholeFrom(1, STREAMS.movements.pageMax).optional(),
    walletId: uuid.optional(),
    currency: code.optional(),
    serviceOrderName: z.enum(MOVEMENT_ORIGINS).optional(),
    movementType: z.enum(MOVEMENT_TYPES).optional(),
  }),
  rowsMax: slack(STREAMS.movements.pageMax),
  page: bare('id'),
  section: 'Trading wallet and trading, GET /v1/trading/movement',
  assumes: ['A-MOVEMENT-FILTERS', 'A-MOVEMENT-STATUS'],
});

export const trades = operation({
  name: 'trades',
  method: 'GET',
  path: '/v1/trading/trade',
  query: z.strictObject({
    ids: text.optional(),
    symbol: z
      .string()
      .regex(/^[A-Z0-9]+\/[A-Z0-9]+$/)
      .optional(),
    side: z.enum(['buy', 'sell']).optional(),
    orderType: text.optional(),
    limit: wholeFrom(1, 999_999_999).optional(),
    offset: wholeFrom(0, 999_999_999).optional(),
    startTime: instant.optional(),
    endTime: instant.optional(),
    sort: text.optional(),
    direction: z.enum(['asc', 'desc']).optional(),
  }),
  rowsMax: slack(STREAMS.trades.pageMax),
  page: counted('id'),
  perSecond: 5,
  section: 'Trading wallet and trading, GET (user trades)',
  assumes: ['A-TRADES-PATH', 'A-TRADES-ENVELOPE', 'A-TRADES-SORT', 'A-RATES'],
});

export const walletTransactions = operation({
  name: 'wallet-transactions',
  method: 'GET',
  path: '/v3/wallet/transaction',
  query: z.strictObject({
    cursor: text.optional(),
    limit: wholeFrom(1, STREAMS['wallet-transactions'].pageMax).optional(),
    year: text.optional(),
    currency: code.optional(),
    operation: text.optional(),
    tellerId: text.optional(),
  }),
  rowsMax: slack(STREAMS['wallet-transactions'].pageMax),
  page: cursored('id'),
  section: 'Versioning, GET /v3/wallet/transaction',
  assumes: ['A-WALLET-LIST', 'A-WALLET-LIMIT', 'A-WALLET-ORDER'],
});

export const walletTransaction = operation({
  name: 'wallet-transaction',
  method: 'GET',
  path: '/v1/wallet/transaction/{id}',
  query: z.strictObject({}),
  rowsMax: 1,
  page: single,
  section: 'Versioning, wallet transactions',
  assumes: ['A-WALLET-ONE'],
});

export const pockets = operation({
  name: 'pockets',
  method: 'GET',
  path: '/v1/wallet/pocket',
  query: z.strictObject({ id: uuid.optional() }),
  rowsMax: LIST_MAX,
  page: bare('id'),
  section: 'Resources (pockets: not shown)',
  assumes: ['A-POCKETS'],
});

export const tradingBalance = operation({
  name: 'trading-balance',
  method: 'GET',
  path: '/v1/trading/wallet/balance',
  query: z.strictObject({ symbols: codes.optional(), amountFormat: z.enum(['number', 'string']).optional() }),
  rowsMax: LIST_MAX,
  page: bare('id'),
  perSecond: 5,
  section: 'Trading wallet and trading, GET /v1/trading/wallet/balance',
  assumes: ['A-BALANCE-FIELDS', 'A-RATES'],
});

export const workingCapital = operation({
  name: 'working-capital',
  method: 'GET',
  path: '/v1/trading/working-capital',
  query: z.strictObject({ symbols: codes.optional() }),
  rowsMax: LIST_MAX,
  page: bare('currency'),
  section: 'Trading wallet and trading, GET /v1/trading/working-capital',
  assumes: [],
});

export const subaccounts = operation({
  name: 'subaccounts',
  method: 'GET',
  path: '/v1/account/subaccount',
  query: z.strictObject({ limit: text.optional(), offset: text.optional() }),
  rowsMax: LIST_MAX,
  page: counted('id'),
  section: 'Resources, Subaccount (list: not shown)',
  assumes: ['A-SUBACCOUNTS'],
});

export const earnWallets = operation({
  name: 'earn-wallets',
  method: 'GET',
  path: '/v2/earn/wallets',
  query: z.strictObject({
    limit: wholeFrom(1, STREAMS['earn-movements'].pageMax).optional(),
    offset: wholeFrom(0, 999_999_999).optional(),
  }),
  rowsMax: LIST_MAX,
  page: counted('walletId', 'id'),
  section: 'Remaining operations (earn movements: not shown)',
  assumes: ['A-EARN'],
});

export const earnMovements = operation({
  name: 'earn-movements',
  method: 'GET',
  path: '/v1/earn/wallets/{walletId}/movements',
  query: z.strictObject({
    limit: wholeFrom(1, STREAMS['earn-movements'].pageMax).optional(),
    offset: wholeFrom(0, 999_999_999).optional(),
  }),
  rowsMax: slack(STREAMS['earn-movements'].pageMax),
  page: counted('movementId'),
  section: 'Remaining operations (earn movements: not shown)',
  assumes: ['A-EARN'],
});

export const OPERATIONS = [
  movements,
  trades,
  walletTransactions,
  walletTransaction,
  pockets,
  tradingBalance,
  subaccounts,
  earnWallets,
  earnMovements,
  rates,
  chart,
  catalog,
  workingCapital,
] as const;
