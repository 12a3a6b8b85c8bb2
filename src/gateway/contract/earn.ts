// Earn: wallets that earn rewards, their movements, and summaries of them.
import { z } from 'zod';
import { STREAMS } from '../../base/streams.ts';
import { areaOf } from './operation.ts';
import { counted } from './pages.ts';
import { code, LIST_MAX, listOf, numeric, offsetPage, slack, text, word } from './shapes.ts';

const PAGE_MAX = STREAMS['earn-movements'].pageMax;

const paged = {
  ...offsetPage(PAGE_MAX),
  userCurrency: code.optional(),
  sortBy: text.optional(),
  sortDirection: z.enum(['ascending', 'descending']).optional(),
};

const money = z.looseObject({ value: z.string().nullish(), currency: z.string().nullish() });

/** The shape of these is not shown: booked records have either. */
const part = money.or(numeric()).nullish();

const wallet = z.looseObject({
  walletId: z.string().nullish(),
  id: z.string().nullish(),
  userId: z.string().nullish(),
  currency: z.string(),
  balance: z.string(),
  convertedBalance: part,
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
});

const movement = z.looseObject({
  movementId: z.string(),
  userId: z.string().nullish(),
  type: word('deposit', 'withdrawal', 'reward', 'fee', 'discount-funds', 'discount-rewards'),
  status: word('completed', 'pending', 'cancelled').nullish(),
  createdAt: z.string(),
  walletId: z.string(),
  amount: money,
  netAmount: part,
  withholdingAmount: part,
  convertedAmount: money.nullish(),
  source: z.looseObject({ walletId: z.string().nullish(), currency: z.string().nullish() }).nullish(),
});

const summary = z.array(
  z.looseObject({
    type: z.string(),
    currency: z.string(),
    total: z.string(),
    converted: z.looseObject({ amount: z.string(), currency: z.string() }).nullish(),
  }),
);

const summaryQuery = z.strictObject({
  userCurrency: code.optional(),
  rateMoment: z.enum(['creation', 'current']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
});

export const earn = areaOf('earn', {
  wallets: {
    name: 'earn-wallets',
    title: 'Lists the Earn wallets and their balances.',
    method: 'GET',
    path: '/v2/earn/wallets',
    auth: 'private',
    scope: 'read',
    query: z.strictObject(paged),
    answer: listOf(wallet),
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
    query: z.strictObject(paged),
    answer: listOf(movement),
    page: counted('movementId'),
    rowsMax: slack(PAGE_MAX),
    failures: [{ status: 404, when: 'there is no such wallet' }],
    section: 'Remaining operations (earn movements: not shown)',
    assumes: ['A-EARN', 'A-EARN-SOURCE'],
  },
  movements: {
    name: 'earn-movements-all',
    title: 'Lists the movements of all Earn wallets.',
    method: 'GET',
    path: '/v1/earn/movements',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ ...paged, type: text.optional(), currency: code.optional() }),
    answer: listOf(movement),
    page: counted('movementId'),
    rowsMax: slack(PAGE_MAX),
    section: 'Remaining operations (earn movements: not shown)',
    assumes: ['A-EARN-ALL', 'A-EARN-SOURCE'],
  },
  rewardSummary: {
    name: 'earn-reward-summary',
    title: 'Returns the sums of rewards, by currency.',
    method: 'GET',
    path: '/v1/earn/movements/reward/summary',
    auth: 'private',
    scope: 'read',
    query: summaryQuery,
    answer: summary,
    section: 'Versioning, GET /v1/earn/movements/reward/summary',
    assumes: ['A-EARN-SUMMARY'],
  },
  movementSummary: {
    name: 'earn-movement-summary',
    title: 'Returns the sums of movements of one type, by currency.',
    method: 'GET',
    path: '/v1/earn/movements/{type}/summary',
    auth: 'private',
    scope: 'read',
    pathParts: z.strictObject({ type: z.enum(['deposit', 'reward', 'withdrawal']) }),
    query: summaryQuery,
    answer: summary,
    replacedBy: 'earn-reward-summary',
    section: 'Versioning, earn movements summary by type',
    assumes: ['A-EARN-SUMMARY'],
  },
});
