// Subaccounts: the accounts of end users under a main account.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { counted } from './pages.ts';
import { LIST_MAX, text } from './shapes.ts';

export const subaccounts = areaOf('subaccounts', {
  list: {
    name: 'subaccounts',
    title: 'Lists the subaccounts of the main account.',
    method: 'GET',
    path: '/v1/account/subaccount',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ limit: text.optional(), offset: text.optional() }),
    answer: z.unknown(),
    page: counted('id'),
    rowsMax: LIST_MAX,
    section: 'Resources, Subaccount (list: not shown)',
    assumes: ['A-SUBACCOUNTS'],
  },
});
