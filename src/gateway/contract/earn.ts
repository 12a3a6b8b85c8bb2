// Earn: wallets that earn rewards, and their movements.
import { z } from 'zod';
import { STREAMS } from '../../base/streams.ts';
import { areaOf } from './operation.ts';
import { counted } from './pages.ts';
import { LIST_MAX, slack, text, WHOLE_MAX, whole } from './shapes.ts';

const paged = z.strictObject({
  limit: whole(1, STREAMS['earn-movements'].pageMax).optional(),
  offset: whole(0, WHOLE_MAX).optional(),
});

export const earn = areaOf('earn', {
  wallets: {
    name: 'earn-wallets',
    title: 'Lists the Earn wallets and their balances.',
    method: 'GET',
    path: '/v2/earn/wallets',
    auth: 'private',
    scope: 'read',
    query: paged,
    answer: z.unknown(),
    page: counted('walletId', 'id'),
    rowsMax: LIST_MAX,
    section: 'Remaining operations (earn movements: not shown)',
    assumes: ['A-EARN'],
  },
  walletMovements: {
    name: 'earn-movements',
    title: 'Lists the movements of one Earn wallet.',
    method: 'GET',
    path: '/v1/earn/wallets/{walletId}/movements',
    auth: 'private',
    scope: 'read',
    pathParts: z.strictObject({ walletId: text }),
    query: paged,
    answer: z.unknown(),
    page: counted('movementId'),
    rowsMax: slack(STREAMS['earn-movements'].pageMax),
    section: 'Remaining operations (earn movements: not shown)',
    assumes: ['A-EARN'],
  },
});
