// Wallet: pockets and the transactions between them and the outside.
import { z } from 'zod';
import { STREAMS } from '../../base/streams.ts';
import { areaOf } from './operation.ts';
import { bare, cursored, single } from './pages.ts';
import { code, LIST_MAX, nothing, slack, text, uuid, whole } from './shapes.ts';

export const wallet = areaOf('wallet', {
  transactions: {
    name: 'wallet-transactions',
    title: 'Lists wallet transactions, page by page.',
    method: 'GET',
    path: '/v3/wallet/transaction',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      cursor: text.optional(),
      limit: whole(1, STREAMS['wallet-transactions'].pageMax).optional(),
      year: text.optional(),
      currency: code.optional(),
      operation: text.optional(),
      tellerId: text.optional(),
    }),
    answer: z.unknown(),
    page: cursored('id'),
    rowsMax: slack(STREAMS['wallet-transactions'].pageMax),
    section: 'Versioning, GET /v3/wallet/transaction',
    assumes: ['A-WALLET-LIST', 'A-WALLET-LIMIT', 'A-WALLET-ORDER'],
  },
  transaction: {
    name: 'wallet-transaction',
    title: 'Returns one wallet transaction.',
    method: 'GET',
    path: '/v1/wallet/transaction/{id}',
    auth: 'private',
    scope: 'read',
    pathParts: z.strictObject({ id: text }),
    query: nothing,
    answer: z.unknown(),
    page: single,
    rowsMax: 1,
    section: 'Versioning, wallet transactions',
    assumes: ['A-WALLET-ONE'],
  },
  pockets: {
    name: 'pockets',
    title: 'Lists the pockets and their balances.',
    method: 'GET',
    path: '/v1/wallet/pocket',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ id: uuid.optional() }),
    answer: z.unknown(),
    page: bare('id'),
    rowsMax: LIST_MAX,
    section: 'Resources (pockets: not shown)',
    assumes: ['A-POCKETS'],
  },
});
