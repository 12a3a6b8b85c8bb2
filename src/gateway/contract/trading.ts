// Trading: the trading wallet with its movements; the orders and the markets have files of their own.
import { z } from 'zod';
import { STREAMS } from '../../base/streams.ts';
import { unfunded } from './failures.ts';
import { markets } from './markets.ts';
import { areaOf } from './operation.ts';
import { orderRejected, orders } from './orders.ts';
import { bare } from './pages.ts';
import {
  amount,
  code,
  codes,
  instant,
  integer,
  LIST_MAX,
  nothing,
  number,
  numeric,
  slack,
  uuid,
  whole,
  word,
} from './shapes.ts';

/** The closed sets of words that can split a window (Trading-wallet movement). */
export const MOVEMENT_TYPES = ['deposit', 'withdrawal'] as const;
export const MOVEMENT_ORIGINS = ['wallet', 'admin', 'working-capital', 'bot'] as const;

const movement = z.looseObject({
  id: z.string(),
  walletId: z.string(),
  amount: number(),
  currency: z.string(),
  createdAt: z.string(),
  movementType: word(...MOVEMENT_TYPES),
  serviceOrderName: word(...MOVEMENT_ORIGINS),
  status: word('completed', 'pending', 'canceled'),
});

const balance = z.looseObject({
  id: z.string(),
  userId: z.string().nullish(),
  currency: z.string(),
  balance: numeric(),
  blockedBalance: numeric(),
  createdAt: z.string().nullish(),
});

const tradingWallet = areaOf('trading', {
  movements: {
    name: 'movements',
    title: 'Lists movements of the trading wallet, newest first.',
    method: 'GET',
    path: '/v1/trading/movement',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      from: instant.optional(),
      to: instant.optional(),
      limit: whole(1, STREAMS.movements.pageMax).optional(),
      walletId: uuid.optional(),
      currency: code.optional(),
      serviceOrderName: z.enum(MOVEMENT_ORIGINS).optional(),
      movementType: z.enum(MOVEMENT_TYPES).optional(),
    }),
    answer: z.array(movement),
    page: bare('id'),
    rowsMax: slack(STREAMS.movements.pageMax),
    section: 'Endpoints, Trading wallet and trading, GET /v1/trading/movement',
    assumes: ['A-MOVEMENT-FILTERS', 'A-MOVEMENT-STATUS'],
  },
  balance: {
    name: 'trading-balance',
    title: 'Lists the balances of the trading wallet.',
    method: 'GET',
    path: '/v1/trading/wallet/balance',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      symbols: codes.optional(),
      amountFormat: z.enum(['number', 'string']).optional(),
    }),
    answer: z.array(balance),
    page: bare('id'),
    rowsMax: LIST_MAX,
    perSecond: 5,
    section: 'Endpoints, Trading wallet and trading, GET /v1/trading/wallet/balance',
    assumes: ['A-BALANCE-FIELDS', 'A-RATES'],
  },
  deposit: {
    name: 'trading-deposit',
    title: 'Moves funds from a pocket to the trading wallet.',
    method: 'POST',
    path: '/v1/trading/wallet/deposit',
    auth: 'private',
    scope: 'trade',
    badCredentials: 403,
    query: nothing,
    body: z.strictObject({ fromPocketId: uuid.optional(), amount, currency: code }), // MISSING_FROM_POCKET_ID without a pocket
    answer: balance,
    failures: [orderRejected, { status: 404, when: 'wallet not found' }, unfunded],
    perSecond: 1,
    shownBy: 'movements',
    section: 'Endpoints, Trading wallet and trading, POST /v1/trading/wallet/deposit',
    assumes: ['A-TRADING-FUNDING', 'A-RATES', 'A-SCOPES'],
  },
  withdraw: {
    name: 'trading-withdraw',
    title: 'Moves funds from the trading wallet to a pocket.',
    method: 'POST',
    path: '/v1/trading/wallet/withdraw',
    auth: 'private',
    scope: 'trade',
    badCredentials: 403,
    query: nothing,
    body: z.strictObject({ amount, currency: code, toPocketId: uuid.optional() }),
    answer: balance,
    failures: [orderRejected, { status: 412, when: 'insufficient funds in the trading wallet' }],
    perSecond: 1,
    shownBy: 'movements',
    section: 'Endpoints, Trading wallet and trading, POST /v1/trading/wallet/withdraw',
    assumes: ['A-TRADING-FUNDING', 'A-RATES', 'A-SCOPES'],
  },
  workingCapital: {
    name: 'working-capital',
    title: 'Lists the limits of the working capital, by currency.',
    method: 'GET',
    path: '/v1/trading/working-capital',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ symbols: codes.optional() }),
    answer: z.array(
      z.looseObject({
        currency: z.string(),
        type: word('deposit'),
        limit: number(),
        used: number(),
        remaining: number(),
        refillThreshold: number(),
      }),
    ),
    page: bare('currency'),
    rowsMax: LIST_MAX,
    section: 'Endpoints, Trading wallet and trading, GET /v1/trading/working-capital',
  },
  socketToken: {
    name: 'trading-socket-token',
    title: 'Returns a token for the trading WebSocket, valid for one minute.',
    method: 'GET',
    path: '/v1/trading/wallet/token',
    auth: 'private',
    scope: 'read',
    query: nothing,
    answer: z.looseObject({ token: z.string(), expirationTime: integer().nullish() }),
    section: 'Limits, Trading wallet authentication token',
    assumes: ['A-TRADING-TOKEN'],
  },
});

export const trading = { ...tradingWallet, ...orders, ...markets } as const;
