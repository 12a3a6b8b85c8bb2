// Wallet: pockets and the transactions between them and the outside.
import { z } from 'zod';
import { STREAMS } from '../../base/streams.ts';
import { blocked, EXECUTING, PREPARING, unsupportedNetwork } from './failures.ts';
import { areaOf } from './operation.ts';
import { bare, cursored, single } from './pages.ts';
import {
  amount,
  code,
  instant,
  integer,
  LIST_MAX,
  nothing,
  offsetPage,
  pair,
  slack,
  sparse,
  text,
  uuid,
  whole,
  word,
} from './shapes.ts';

/** One side of a transaction. The other side may hold a class and nothing else. */
const side = z.looseObject({
  class: word('pocket', 'blockchain', 'bank-transfer', 'card', 'email', 'earn', 'trading').nullish(),
  currency: z.string().nullish(),
  amount: z.string().nullish(),
});

const row = z.looseObject({
  id: z.string(),
  date: z.string().nullish(),
  completedAt: z.string().nullish(),
  type: word('deposit', 'withdrawal', 'transfer'),
  subtype: word('purchase', 'sell', 'swap', 'funding', 'automatic-send', 'manual-send', 'receive').nullish(),
  method: word('pocket', 'blockchain', 'card', 'bank-transfer', 'email').nullish(),
  status: word('completed', 'pending', 'canceled', 'cancelled', 'waiting-user-information').nullish(),
  origin: side.nullish(),
  destination: side.nullish(),
});

const money = z.looseObject({ amount: z.string(), currency: z.string() });

const proforma = z.looseObject({
  id: z.string(),
  expirationTime: z.string().nullish(),
  origin: money.nullish(),
  destination: money.nullish(),
});

/** Where a transaction goes: one of a pocket, an address and a bank account. */
const destination = z.strictObject({
  pocket: uuid.optional(),
  address: text.optional(),
  network: text.optional(),
  tag: text.optional(),
  bankAccount: z
    .looseObject({ bankAccount: text, country: text.optional(), receiverName: text.optional() })
    .optional(),
});

const OPERATIONS = [
  'purchase',
  'withdrawal-trading',
  'deposit-trading',
  'social-payment',
  'launchpad-purchase',
  'buy',
  'sell',
] as const;

const remark = z.string().max(100).optional();

const unverified = { status: 401, when: 'the e-mail of the user is not verified' } as const;

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
    answer: z.looseObject({
      data: z.array(row),
      pageInfo: z.looseObject({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    }),
    page: cursored('id'),
    rowsMax: slack(STREAMS['wallet-transactions'].pageMax),
    section: 'Versioning, GET /v3/wallet/transaction',
    assumes: ['A-WALLET-LIST', 'A-WALLET-LIMIT', 'A-WALLET-ORDER', 'A-CONVERSION-RATE'],
  },
  transactionsV1: {
    name: 'wallet-transactions-v1',
    title: 'Lists wallet transactions by offset, in the first version.',
    method: 'GET',
    path: '/v1/wallet/transaction',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      pocketId: text.optional(),
      ...offsetPage(100),
      keyword: z.string().max(120).optional(),
      type: text.optional(),
      subtype: text.optional(),
      method: text.optional(),
      from: instant.optional(),
      to: instant.optional(),
      userCurrency: code.optional(),
    }),
    answer: z.looseObject({ total: integer(), data: z.array(row) }),
    replacedBy: 'wallet-transactions',
    section: 'Versioning, wallet transactions list with offset pagination',
    assumes: ['A-WALLET-OFFSET'],
  },
  transactionsV2: {
    name: 'wallet-transactions-v2',
    title: 'Lists wallet transactions by offset, in the second version.',
    method: 'GET',
    path: '/v2/wallet/transaction',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      ...offsetPage(100),
      year: whole(1970, 9999).optional(),
      currency: code.optional(),
      operation: z.enum(['purchase', 'sell', 'swap', 'deposit', 'withdrawal']).optional(),
    }),
    answer: z.looseObject({ total: integer(), data: z.array(row) }),
    replacedBy: 'wallet-transactions',
    section: 'Versioning, wallet transactions list with offset pagination',
    assumes: ['A-WALLET-OFFSET'],
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
    answer: sparse(row),
    page: single,
    rowsMax: 1,
    failures: [{ status: 404, when: 'there is no such transaction' }],
    section: 'Remaining operations (wallet transactions: not shown)',
    assumes: ['A-WALLET-ONE'],
  },
  prepare: {
    name: 'wallet-proforma',
    title: 'Prices a wallet transaction without executing it.',
    method: 'POST',
    path: '/v1/wallet/transaction/proforma',
    auth: 'private',
    scope: 'read',
    query: nothing,
    body: z.strictObject({
      amount,
      currency: code,
      operation: z.enum(OPERATIONS).optional(),
      pair: pair.optional(),
      pocket: uuid.optional(),
      origin: z.looseObject({}).optional(),
      destination: destination.optional(),
      type: z.enum(['SEA', 'REA']).optional(),
      userCurrency: code.optional(),
      concept: remark,
      note: remark,
      receiverName: text.optional(),
      queryParams: z.looseObject({}).optional(),
    }),
    answer: proforma,
    failures: [unverified, ...PREPARING, unsupportedNetwork, blocked],
    repeatable: true,
    section: 'Errors, HTTP statuses (wallet transactions: not shown)',
    assumes: ['A-WALLET-PROFORMA'],
  },
  execute: {
    name: 'wallet-transaction-execute',
    title: 'Executes a wallet transaction that was priced before, once only.',
    method: 'POST',
    path: '/v1/wallet/transaction',
    auth: 'private',
    scope: 'withdraw',
    totp: 'when-forced',
    query: nothing,
    body: z.strictObject({ proforma: uuid, concept: remark, note: remark }),
    answer: z.looseObject({ id: z.string().nullish(), result: z.boolean().nullish() }),
    failures: [unverified, ...EXECUTING],
    shownBy: 'wallet-transactions',
    section: 'Errors, HTTP statuses, POST /v1/wallet/transaction',
    assumes: ['A-WALLET-PROFORMA', 'A-SCOPES'],
  },
  pockets: {
    name: 'pockets',
    title: 'Lists the pockets and their balances.',
    method: 'GET',
    path: '/v1/wallet/pocket',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ id: uuid.optional() }),
    answer: z.array(
      z.looseObject({
        id: z.string(),
        userId: z.string().nullish(),
        currency: z.string(),
        name: z.string().nullish(),
        balance: z.string(),
        blockedBalance: z.string(),
        blockedOutputBalance: z.string().nullish(),
        createdAt: z.string().nullish(),
      }),
    ),
    page: bare('id'),
    rowsMax: LIST_MAX,
    section: 'Resources (pockets: not shown)',
    assumes: ['A-POCKETS'],
  },
});
