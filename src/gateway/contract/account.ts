// Account: its deletion, its addresses, the options of onboarding, and the verification of identity.
import { z } from 'zod';
import { accountOptions } from './account-options.ts';
import { areaOf } from './operation.ts';
import { country, flag, nothing, result, text, uuid } from './shapes.ts';
import { verification } from './verification.ts';

const address = z.looseObject({
  id: z.string(),
  userId: z.string(),
  streetAddress: z.string(),
  city: z.string(),
  stateCode: z.string(),
  zip: z.string(),
  countryCode: z.string(),
  alias: z.string().nullish(),
  isDefaultAddress: z.boolean(),
  isResidence: z.boolean(),
});

/** An address as it is sent. */
const addressFields = z.strictObject({
  id: text.optional(),
  userId: text.optional(),
  streetAddress: text,
  city: text,
  stateCode: text,
  zip: text,
  countryCode: country,
  alias: z.string().max(50).optional(),
  isDefaultAddress: z.boolean().optional(),
  isResidence: z.boolean().optional(),
});

const addressQuery = z.strictObject({ addressId: uuid });

const addresses = areaOf('account', {
  remove: {
    name: 'account-remove',
    title: 'Deletes the account with its data and wallets. This cannot be undone.',
    method: 'DELETE',
    path: '/v1/account',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    answer: result,
    section: 'Endpoints, Account, DELETE /v1/account',
  },
  addresses: {
    name: 'addresses',
    title: 'Lists the addresses of the account, masked except for the country.',
    method: 'GET',
    path: '/v3/account/address',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ addressId: uuid.optional(), isResidence: flag.optional() }),
    answer: z.array(address),
    section: 'Versioning, GET /v3/account/address',
    assumes: ['A-ADDRESS-LIST'],
  },
  addressesV1: {
    name: 'addresses-v1',
    title: 'Lists the addresses of the account in full.',
    method: 'GET',
    path: '/v1/account/address',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ addressId: uuid.optional(), isResidence: flag.optional() }),
    answer: z.array(address),
    replacedBy: 'addresses',
    section: 'Versioning, account address list v1',
    assumes: ['A-ADDRESS-LIST'],
  },
  updateAddress: {
    name: 'address-update',
    title: 'Changes an address and returns the list of addresses.',
    method: 'PUT',
    path: '/v1/account/address',
    auth: 'private',
    scope: 'withdraw',
    query: addressQuery,
    body: addressFields,
    answer: z.array(address),
    failures: [
      { status: 404, when: 'user or address not found' },
      { status: 406, when: 'residence already established' },
    ],
    shownBy: 'addresses',
    section: 'Endpoints, Account, PUT /v1/account/address',
  },
  removeAddress: {
    name: 'address-remove',
    title: 'Removes an address.',
    method: 'DELETE',
    path: '/v1/account/address',
    auth: 'private',
    scope: 'withdraw',
    query: addressQuery,
    status: 204,
    answer: result.optional(),
    failures: [{ status: 404, when: 'address not found' }],
    shownBy: 'addresses',
    section: 'Endpoints, Account, DELETE /v1/account/address',
    assumes: ['A-EMPTY-ANSWER'],
  },
});

export const account = { ...addresses, ...accountOptions, ...verification } as const;
