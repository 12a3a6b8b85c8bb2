// Teller: orders by card and other means of payment, and the validity of bank accounts.
import { z } from 'zod';
import { EXECUTING, PREPARING } from './failures.ts';
import { areaOf } from './operation.ts';
import { one } from './pages.ts';
import { amount, code, nothing, result, text, uuid, word } from './shapes.ts';

const STATUSES = ['accepted', 'waiting-user', 'cancelled', 'pending', 'review'] as const;

const order = z.looseObject({
  orderId: z.string(),
  status: word(...STATUSES),
  provider: z
    .looseObject({
      requestConfiguration: z
        .looseObject({ type: word('iframe', 'external'), uri: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
});

const proforma = z.looseObject({
  orderId: z.string(),
  denomination: z.looseObject({}).nullish(),
  currency: z.string().nullish(),
  amountBeforeFee: z.string().nullish(),
  amountAfterFee: z.string().nullish(),
  fixedFee: z.string().nullish(),
  variableFee: z.string().nullish(),
  variableFeePercentage: z.string().nullish(),
});

export const teller = areaOf('teller', {
  prepareOrder: {
    name: 'teller-proforma',
    title: 'Prices a teller order without charging it.',
    method: 'POST',
    path: '/v1/teller/order/proforma',
    auth: 'private',
    scope: 'read',
    query: nothing,
    body: z.strictObject({
      amount,
      currency: code,
      orderType: z.enum(['deposit', 'purchase']),
      method: z.strictObject({ type: text, params: z.looseObject({}).optional() }),
      destination: z.strictObject({ type: text, value: text }).optional(),
      description: text.optional(),
      feeType: z.enum(['SEA', 'REA']).optional(),
    }),
    answer: proforma,
    failures: PREPARING,
    repeatable: true,
    section: 'Endpoints, Funding, POST /v1/teller/order/proforma',
    assumes: ['A-TELLER-PROFORMA'],
  },
  executeOrder: {
    name: 'teller-order',
    title: 'Executes a teller order that was priced before, once only.',
    method: 'POST',
    path: '/v1/teller/order',
    auth: 'private',
    scope: 'trade',
    query: nothing,
    body: z.strictObject({ orderId: uuid }),
    answer: order,
    failures: EXECUTING,
    shownBy: 'teller-order-status',
    section: 'Endpoints, Funding, POST /v1/teller/order',
  },
  cancelOrder: {
    name: 'teller-order-cancel',
    title: 'Cancels a teller order that waits for the user.',
    method: 'POST',
    path: '/v1/teller/order/cancel',
    auth: 'private',
    scope: 'trade',
    query: nothing,
    body: z.strictObject({ orderId: uuid, description: text }),
    answer: order,
    failures: [
      { status: 404, when: 'there is no such order' },
      { status: 406, when: 'the order does not wait for the user' },
    ],
    shownBy: 'teller-order-status',
    section: 'Endpoints, Funding, POST /v1/teller/order/cancel',
  },
  orderStatus: {
    name: 'teller-order-status',
    title: 'Returns the status of a teller order; an unknown id is pending.',
    method: 'GET',
    path: '/v1/teller/order/status',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ id: text }),
    answer: z.looseObject({ status: word(...STATUSES) }),
    page: one,
    rowsMax: 1,
    section: 'Endpoints, Funding, GET (teller order status)',
    assumes: ['A-TELLER-STATUS'],
  },
  validateIban: {
    name: 'iban-validate',
    title: 'Returns whether an IBAN is valid.',
    method: 'POST',
    path: '/v1/teller/iban/validate',
    auth: 'private',
    scope: 'read',
    query: nothing,
    body: z.strictObject({ iban: text }),
    answer: result,
    repeatable: true,
    section: 'Endpoints, Funding, POST /v1/teller/iban/validate',
    assumes: ['A-IBAN'],
  },
  validateIbanOld: {
    name: 'iban-validate-old',
    title: 'Returns whether an IBAN is valid, in its older form.',
    method: 'GET',
    path: '/v1/teller/iban/validate',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ iban: text }),
    answer: result,
    replacedBy: 'iban-validate',
    removal: '2027-04-05',
    section: 'Versioning, IBAN validity check',
    assumes: ['A-IBAN'],
  },
});
