// The travel rule: who is on the other side of a crypto order.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { country, nothing, result, text, uuid, withRequired } from './shapes.ts';

export const OWNERSHIPS = ['own', 'other'] as const;
export const PERSON_TYPES = ['person', 'company'] as const;
export const WALLET_TYPES = ['exchange', 'unhosted'] as const;

/** A company has no surname. */
export const surnameOf = (personType: unknown): string[] => (personType === 'company' ? [] : ['surname']);

/** The counterparty of a crypto order. */
const counterparty = z.strictObject({
  walletOwnership: z.enum(OWNERSHIPS),
  personType: z.enum(PERSON_TYPES).optional(),
  name: text.optional(),
  surname: text.optional(),
  address: z.strictObject({ countryCode: country }).optional(),
  ownershipVerified: z.boolean().optional(),
});

const neededOf = ({ walletOwnership, personType }: Readonly<Record<string, unknown>>): string[] =>
  walletOwnership === 'other' ? ['personType', 'name', 'address', ...surnameOf(personType)] : [];

const olderCounterparty = counterparty.omit({ ownershipVerified: true }).extend({
  walletType: z.enum(WALLET_TYPES).optional(),
  exchangeName: text.optional(),
});

/** The first form: the full address, an identity document, place and date of birth. */
const fullCounterparty = olderCounterparty.extend({
  address: z.strictObject({ streetAddress: text, city: text, zip: text, countryCode: country }).optional(),
  identityDocument: z.strictObject({ type: text, number: text, countryCode: country.optional() }).optional(),
  birth: z.strictObject({ date: z.iso.date(), place: text, countryCode: country.optional() }).optional(),
});

const orderPart = z.strictObject({ orderId: uuid });
const travelFailures = [{ status: 404, when: 'there is no such order' }] as const;

export const travelRule = areaOf('funding', {
  completeTravelRule: {
    name: 'travel-rule',
    title: 'Submits the counterparty of a crypto order.',
    method: 'POST',
    path: '/v3/blockchain-manager/travel-rule-order/{orderId}',
    auth: 'private',
    scope: 'withdraw',
    pathParts: orderPart,
    query: nothing,
    body: withRequired(counterparty, neededOf),
    answer: result,
    failures: travelFailures,
    section: 'Endpoints, Funding, POST (complete travel rule order, current form)',
    assumes: ['A-TRAVEL-RULE'],
  },
  completeTravelRuleV2: {
    name: 'travel-rule-v2',
    title: 'Submits the counterparty of a crypto order, in the second form.',
    method: 'POST',
    path: '/v2/blockchain-manager/travel-rule-order/{orderId}',
    auth: 'private',
    scope: 'withdraw',
    pathParts: orderPart,
    query: nothing,
    body: withRequired(olderCounterparty, neededOf),
    answer: result,
    failures: travelFailures,
    replacedBy: 'travel-rule',
    section: 'Versioning, POST /v2/blockchain-manager/travel-rule-order/{orderId}',
    assumes: ['A-TRAVEL-RULE'],
  },
  completeTravelRuleV1: {
    name: 'travel-rule-v1',
    title: 'Submits the counterparty of a crypto order, in the first form.',
    method: 'POST',
    path: '/v1/blockchain-manager/travel-rule-order/{orderId}',
    auth: 'private',
    scope: 'withdraw',
    pathParts: orderPart,
    query: nothing,
    body: withRequired(fullCounterparty, neededOf),
    answer: result,
    failures: travelFailures,
    replacedBy: 'travel-rule-v2',
    section: 'Endpoints, Funding, POST /v1/blockchain-manager/travel-rule-order/{orderId}',
    assumes: ['A-TRAVEL-RULE'],
  },
});
