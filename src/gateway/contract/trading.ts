// Trading: the trading wallet, its movements and the trades.
import { z } from 'zod';
import { STREAMS } from '../../base/streams.ts';
import { areaOf } from './operation.ts';
import { bare, counted } from './pages.ts';
import { code, codes, instant, LIST_MAX, pair, slack, text, uuid, WHOLE_MAX, whole } from './shapes.ts';

/** The closed sets of words that can split a window (Trading-wallet movement). */
export const MOVEMENT_TYPES = ['deposit', 'withdrawal'] as const;
export const MOVEMENT_ORIGINS = ['wallet', 'admin', 'working-capital', 'bot'] as const;

export const trading = areaOf('trading', {
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
    answer: z.unknown(),
    page: bare('id'),
    rowsMax: slack(STREAMS.movements.pageMax),
    section: 'Trading wallet and trading, GET /v1/trading/movement',
    assumes: ['A-MOVEMENT-FILTERS', 'A-MOVEMENT-STATUS'],
  },
  trades: {
    name: 'trades',
    title: 'Lists the trades of the user.',
    method: 'GET',
    path: '/v1/trading/trade',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      ids: text.optional(),
      symbol: pair.optional(),
      side: z.enum(['buy', 'sell']).optional(),
      orderType: text.optional(),
      limit: whole(1, WHOLE_MAX).optional(),
      offset: whole(0, WHOLE_MAX).optional(),
      startTime: instant.optional(),
      endTime: instant.optional(),
      sort: text.optional(),
      direction: z.enum(['asc', 'desc']).optional(),
    }),
    answer: z.unknown(),
    page: counted('id'),
    rowsMax: slack(STREAMS.trades.pageMax),
    perSecond: 5,
    section: 'Trading wallet and trading, GET (user trades)',
    assumes: ['A-TRADES-PATH', 'A-TRADES-ENVELOPE', 'A-TRADES-SORT', 'A-RATES'],
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
    answer: z.unknown(),
    page: bare('id'),
    rowsMax: LIST_MAX,
    perSecond: 5,
    section: 'Trading wallet and trading, GET /v1/trading/wallet/balance',
    assumes: ['A-BALANCE-FIELDS', 'A-RATES'],
  },
  workingCapital: {
    name: 'working-capital',
    title: 'Lists the limits of the working capital, by currency.',
    method: 'GET',
    path: '/v1/trading/working-capital',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ symbols: codes.optional() }),
    answer: z.unknown(),
    page: bare('currency'),
    rowsMax: LIST_MAX,
    section: 'Trading wallet and trading, GET /v1/trading/working-capital',
  },
});
