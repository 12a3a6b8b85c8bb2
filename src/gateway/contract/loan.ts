// Loans: outside the specification, and written down because money moves there.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { bare, counted } from './pages.ts';
import { integer, LIST_MAX, numeric, offsetPage, word } from './shapes.ts';

const PAGE_MAX = 100;

const order = z.looseObject({
  id: z.string(),
  status: word('active', 'closed').nullish(),
  guaranteeAmount: numeric().nullish(),
  guaranteeSymbol: z.string().nullish(),
  loanAmount: numeric().nullish(),
  loanSymbol: z.string().nullish(),
  createdAt: z.string().nullish(),
});

/** The rows of either envelope, and how many there are in all; null if the answer does not say. */
const page = z.union([counted('id'), bare('id').transform(({ rows }) => ({ rows, total: null }))]);

export const loan = areaOf('loan', {
  orders: {
    name: 'loan-orders',
    title: 'Lists the orders of loans.',
    method: 'GET',
    path: '/v1/loan/orders',
    auth: 'private',
    scope: 'read',
    query: z.strictObject(offsetPage(PAGE_MAX)),
    answer: z.union([
      z.looseObject({ total: integer().nullish(), count: integer().nullish(), data: z.array(order) }),
      z.array(order),
    ]),
    page,
    rowsMax: LIST_MAX,
    section: 'Outside the specification',
    assumes: ['A-LOANS'],
  },
});
