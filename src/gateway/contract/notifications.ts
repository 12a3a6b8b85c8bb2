// Notifications: what the service sends. A WebSocket pushes events, and a webhook asks the integrator to authorize each
// transaction. Neither is a request to the service, so the area has no operation.
import { z } from 'zod';
import type { Operation } from './operation.ts';
import { nothing, text, word } from './shapes.ts';

/** A withdrawal has no `transactionId`. */
const money = {
  pocketId: z.string(),
  amount: z.string(),
  currency: z.string(),
  transactionId: z.string().nullish(),
};

/** The webhook: the service calls it on the integrator's backend. */
const authorization = {
  name: 'transaction-authorization',
  title: "Asks the integrator's backend to authorize a transaction.",
  area: 'notifications',
  method: 'POST',
  path: '/v1/{vendor}/transaction/authorize',
  auth: 'custom-key',
  scope: null,
  badCredentials: 401,
  pathParts: z.strictObject({ vendor: text }),
  query: nothing,
  body: z.looseObject({
    transactionId: z.string().optional(),
    userId: z.string().nullish(),
    type: z.string().nullish(),
    amount: z.string().optional(),
    currency: z.string().optional(),
  }),
  status: 200,
  answer: z.looseObject({ authorized: z.boolean() }),
  failures: [],
  section: 'Events, Transaction authorization webhook',
  assumes: ['A-AUTHORIZATION'],
} as const satisfies Operation;

/** The notification socket: what the client sends, what the service sends, and how it closes. */
const socket = {
  path: '/v1',
  section: 'Events, Notification WebSocket',
  assumes: ['A-EVENTS', 'A-LISTENING'],
  closeCodes: { authenticationFailed: 4000, tooManyMessages: 4001 },
  /** The first message after the connection opens; further members, such as `id` and `time`, mean nothing. */
  sent: z.object({
    type: z.literal('authenticate'),
    payload: z.union([z.object({ token: text }), z.object({ apikey: z.tuple([text]) })]),
  }),
  received: z.looseObject({ type: z.string(), payload: z.unknown().optional() }),
  /** The payloads by event. Only the first is named by the specification. */
  events: {
    'address-book-updated-v1': z.looseObject({}),
    'wallet-transaction-v1': z.looseObject({
      ...money,
      userId: z.string(),
      status: z.string(),
      tellerId: z.string().nullish(),
    }),
    'teller-order-v1': z.looseObject({
      orderId: z.string(),
      status: z.string(),
      type: z.string(),
      userId: z.string().nullish(),
    }),
    'wallet.trx.received': z.looseObject(money),
    'wallet.trx.confirmed': z.looseObject(money),
    'wallet.withdrawal.sent': z.looseObject({}),
    'social.payment.success': z.looseObject({}),
    'social.payment.pending': z.looseObject({}),
    'social.payment.expiration': z.looseObject({}),
    'activity.balance.refresh': z.looseObject({
      service: word('wallet', 'trading', 'earn'),
      userId: z.string(),
    }),
  },
} as const;

export const NOTIFICATIONS = { authorization, socket } as const;
