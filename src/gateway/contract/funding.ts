// Funding: deposit addresses, the address book of external addresses, bank references of pockets, and travel-rule data.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { bare, one } from './pages.ts';
import { code, country, empty, LIST_MAX, nothing, result, text, uuid, withRequired, word } from './shapes.ts';

const OWNERSHIPS = ['own', 'other'] as const;
const PERSON_TYPES = ['person', 'company'] as const;
const WALLET_TYPES = ['exchange', 'unhosted'] as const;

const entry = z.looseObject({
  addressId: z.string(),
  userId: z.string(),
  address: z.string(),
  currency: z.string(),
  network: z.string(),
  tag: z.string().nullish(),
  status: word('validating', 'verified', 'expired', 'disabled'),
  name: z.string().nullish(),
  surname: z.string().nullish(),
  personType: word(...PERSON_TYPES).nullish(),
  walletOwnership: word(...OWNERSHIPS),
  walletType: word(...WALLET_TYPES),
  exchangeName: z.string().nullish(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A company has no surname. */
const surnameOf = (personType: unknown): string[] => (personType === 'company' ? [] : ['surname']);

const entryBody = withRequired(
  z.strictObject({
    address: text,
    currency: code,
    network: text,
    name: text,
    surname: text.optional(),
    personType: z.enum(PERSON_TYPES),
    walletOwnership: z.enum(OWNERSHIPS),
    walletType: z.enum(WALLET_TYPES),
    exchangeName: text.optional(),
    tag: text.optional(),
  }),
  ({ personType }) => surnameOf(personType),
);

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

const bankAccount = z.looseObject({
  account: z.string(),
  address: z.string(),
  bankId: z.string(),
  bankName: z.string(),
  beneficiary: z.string(),
  public: z.boolean(),
  swift: z.string(),
});

const unsupportedNetwork = {
  status: 422,
  when: "the network is not supported for the pocket's currency",
} as const;
const unknownPocket = { status: 404, when: 'there is no such pocket' } as const;

export const funding = areaOf('funding', {
  createAddressBookEntry: {
    name: 'address-book-create',
    title: 'Adds an external address to the address book and sends an e-mail for its confirmation.',
    method: 'POST',
    path: '/v1/blockchain-manager/address-book',
    auth: 'private',
    scope: 'read',
    query: nothing,
    body: entryBody,
    answer: entry,
    failures: [
      {
        status: 406,
        when: 'an entry of this address is validating or verified for this currency and network',
      },
      { status: 422, when: 'the network is not supported for the currency' },
    ],
    shownBy: 'address-book',
    section: 'Endpoints, Funding, POST /v1/blockchain-manager/address-book',
    assumes: ['A-ADDRESS-BOOK'],
  },
  addressBook: {
    name: 'address-book',
    title:
      'Lists the entries of the address book that are validating or verified. The status is checked and does not filter.',
    method: 'GET',
    path: '/v1/blockchain-manager/address-book',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({
      currency: text.optional(),
      network: text.optional(),
      status: z.enum(['validating', 'verified', 'expired', 'disabled']).optional(),
    }),
    answer: z.array(entry),
    page: bare('addressId'),
    rowsMax: LIST_MAX,
    section: 'Endpoints, Funding, GET /v1/blockchain-manager/address-book',
  },
  confirmAddressBookEntry: {
    name: 'address-book-confirm',
    title: 'Confirms an entry of the address book of a subaccount. It may be repeated.',
    method: 'POST',
    path: '/v1/compliance/address-book/{addressBookId}/confirm',
    auth: 'private',
    scope: 'read',
    totp: 'gauth',
    pathParts: z.strictObject({ addressBookId: uuid }),
    query: nothing,
    body: nothing.optional(),
    status: 204,
    answer: empty,
    failures: [
      { status: 403, when: 'the user is not a subaccount' },
      { status: 404, when: 'there is no such entry' },
    ],
    repeatable: true,
    section: 'Endpoints, Funding, POST /v1/compliance/address-book/{addressBookId}/confirm',
  },
  confirmationStatus: {
    name: 'destination-confirmation-status',
    title: 'Returns whether the destination address of a wallet movement is confirmed.',
    method: 'GET',
    path: '/v1/compliance/destination-address/{walletMovementId}/status',
    auth: 'private',
    scope: 'read',
    pathParts: z.strictObject({ walletMovementId: uuid }),
    query: nothing,
    answer: z.looseObject({ status: word('pending', 'confirmed') }),
    failures: [{ status: 404, when: 'there is no such movement' }],
    replacedBy: 'address-book-confirm',
    section: 'Versioning, destination address confirmation status',
    assumes: ['A-DESTINATION-CONFIRMATION'],
  },
  confirmDestination: {
    name: 'destination-confirm',
    title: 'Confirms the destination address of a wallet movement.',
    method: 'POST',
    path: '/v1/compliance/destination-address/{walletMovementId}/confirm',
    auth: 'private',
    scope: 'read',
    totp: 'gauth',
    pathParts: z.strictObject({ walletMovementId: uuid }),
    query: nothing,
    body: nothing.optional(),
    status: 204,
    answer: empty,
    failures: [{ status: 404, when: 'there is no such movement' }],
    replacedBy: 'address-book-confirm',
    repeatable: true,
    section: 'Versioning, destination address confirmation by wallet movement',
    assumes: ['A-DESTINATION-CONFIRMATION'],
  },
  createDepositAddress: {
    name: 'deposit-address-create',
    title: 'Requests a deposit address of a pocket on a network.',
    method: 'POST',
    path: '/v1/blockchain-manager/address',
    auth: 'private',
    scope: 'read',
    query: nothing,
    body: z.strictObject({ network: text, walletPocketId: uuid }),
    answer: z.looseObject({ status: word('pending', 'enabled') }),
    failures: [unknownPocket, unsupportedNetwork],
    shownBy: 'deposit-addresses',
    section: 'Endpoints, Funding, POST /v1/blockchain-manager/address',
  },
  depositAddresses: {
    name: 'deposit-addresses',
    title: 'Lists the deposit addresses of a pocket on a network. An empty list means that none is ready.',
    method: 'GET',
    path: '/v1/blockchain-manager/address',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ network: text, walletPocketId: uuid }),
    answer: z.array(
      z.looseObject({
        address: z.string().optional(),
        createdAt: z.string(),
        network: z.string(),
        status: word('pending', 'enabled'),
      }),
    ),
    page: bare('network'),
    rowsMax: LIST_MAX,
    failures: [unknownPocket, unsupportedNetwork],
    section: 'Endpoints, Funding, GET /v1/blockchain-manager/address',
  },
  pocketReference: {
    name: 'pocket-reference',
    title: 'Returns the bank-transfer reference of a pocket and the accounts to send to.',
    method: 'GET',
    path: '/v1/teller/pocket/reference',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ pocketId: uuid }),
    answer: z.looseObject({
      pocket: z.looseObject({ pocketId: z.string(), reference: z.string(), userId: z.string() }),
      bankAccounts: z.record(z.string(), bankAccount),
    }),
    page: one,
    rowsMax: 1,
    failures: [unknownPocket],
    section: 'Endpoints, Funding, GET /v1/teller/pocket/reference',
  },
  completeTravelRule: {
    name: 'travel-rule',
    title: 'Submits the counterparty of a crypto order.',
    method: 'POST',
    path: '/v3/blockchain-manager/travel-rule-order/{orderId}',
    auth: 'private',
    scope: 'read',
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
    scope: 'read',
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
    scope: 'read',
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
