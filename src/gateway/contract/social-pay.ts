// Social pay: orders to a recipient known by e-mail, phone or alias, who claims them into a pocket.
import { z } from 'zod';
import { unfunded, unknownPocket } from './failures.ts';
import { areaOf } from './operation.ts';
import { bare } from './pages.ts';
import { amount, code, LIST_MAX, nothing, text, uuid, withRequired, word } from './shapes.ts';

const RECIPIENTS = ['email', 'phone', 'alias'] as const;
const STATUSES = ['waiting-funds', 'pending', 'accepted', 'cancelled', 'expired', 'error'] as const;

const order = z.looseObject({
  orderId: z.string(),
  userId: z.string(),
  type: word(...RECIPIENTS),
  amount: z.string(),
  currency: z.string(),
  concept: z.string().nullish(),
  note: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.looseObject({ countryCode: z.string(), number: z.string() }).nullish(),
  alias: z.string().nullish(),
  senderName: z.string().nullish(),
  pocketId: z.string(),
  status: word(...STATUSES),
  statusChanges: z.array(
    z.looseObject({
      author: z.string().nullish(),
      created: z.string(),
      newStatus: word(...STATUSES),
      reason: z.string().nullish(),
    }),
  ),
  createdAt: z.string(),
  expiryDate: z.string(),
  walletMovementId: z.string().nullish(),
});

const body = withRequired(
  z.strictObject({
    pocketId: uuid,
    type: z.enum(RECIPIENTS),
    amount,
    currency: code,
    email: z.email().max(96).optional(),
    phone: z.strictObject({ countryCode: text, number: text }).optional(),
    alias: text.optional(),
    concept: z.string().max(100).optional(),
    note: z.string().max(100).optional(),
  }),
  ({ type }) => [String(type)],
);

const failures = [
  { status: 403, when: 'the user may not create orders' },
  unknownPocket,
  { status: 406, when: 'the currency is not that of the pocket, or the amount is zero or too precise' },
  unfunded,
] as const;

export const socialPay = areaOf('social-pay', {
  claim: {
    name: 'social-pay-claim',
    title: 'Claims orders into pockets and returns what became of each.',
    method: 'POST',
    path: '/v1/social-pay/order/claim',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: z.array(z.strictObject({ orderId: uuid, pocketId: uuid })),
    answer: z.array(
      z.looseObject({ orderId: z.string(), result: z.boolean(), message: z.string().nullish() }),
    ),
    shownBy: 'social-pay-orders',
    section: 'Endpoints, Social pay, POST /v1/social-pay/order/claim',
  },
  orders: {
    name: 'social-pay-orders',
    title: 'Lists the orders that the user sent and received.',
    method: 'GET',
    path: '/v1/social-pay/order',
    auth: 'private',
    scope: 'read',
    query: nothing,
    answer: z.array(order),
    page: bare('orderId'),
    rowsMax: LIST_MAX,
    section: 'Endpoints, Social pay, GET /v1/social-pay/order',
  },
  create: {
    name: 'social-pay-create',
    title: "Creates an order and debits the sender's pocket.",
    method: 'POST',
    path: '/v2/social-pay/order',
    auth: 'private',
    scope: 'withdraw',
    totp: 'required',
    query: nothing,
    body,
    answer: order,
    failures,
    shownBy: 'social-pay-orders',
    section: 'Endpoints, Social pay, POST /v2/social-pay/order',
    assumes: ['A-SOCIAL-PAY', 'A-SCOPES'],
  },
  createV1: {
    name: 'social-pay-create-v1',
    title: "Creates an order and debits the sender's pocket, in the first version.",
    method: 'POST',
    path: '/v1/social-pay/order',
    auth: 'private',
    scope: 'withdraw',
    totp: 'legacy',
    query: nothing,
    body,
    answer: order,
    failures,
    replacedBy: 'social-pay-create',
    shownBy: 'social-pay-orders',
    section: 'Versioning, create social pay order v1',
    assumes: ['A-SOCIAL-PAY', 'A-SCOPES'],
  },
});
