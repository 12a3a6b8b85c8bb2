// Subaccounts: the accounts of end users under a main account.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { counted } from './pages.ts';
import { LIST_MAX, listOf, nothing, offsetPage, result, text, totpCode, uuid, WHOLE_MAX } from './shapes.ts';

/** The files that a verification of identity leaves. */
const IDENTITY_FILES = [
  'backDocument',
  'frontDocument',
  'selfie',
  'livenessFrontDocument',
  'livenessBackDocument',
  'livenessSelfie',
] as const;

const phone = z.strictObject({ number: text, countryCode: text });

export const subaccounts = areaOf('subaccounts', {
  list: {
    name: 'subaccounts',
    title: 'Lists the subaccounts of the main account.',
    method: 'GET',
    path: '/v1/account/subaccount',
    auth: 'private',
    scope: 'read',
    query: z.strictObject(offsetPage(WHOLE_MAX)),
    answer: listOf(
      z.looseObject({
        id: z.string(),
        email: z.string().nullish(),
        name: z.string().nullish(),
        surname: z.string().nullish(),
        phone: z.looseObject({ number: z.string().nullish(), countryCode: z.string().nullish() }).nullish(),
      }),
    ),
    page: counted('id'),
    rowsMax: LIST_MAX,
    section: 'Resources, Subaccount (list: not shown)',
    assumes: ['A-SUBACCOUNTS'],
  },
  create: {
    name: 'subaccount-create',
    title: 'Creates a subaccount and returns its user id.',
    method: 'POST',
    path: '/v1/account/subaccount',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: z.strictObject({ email: z.email().max(96), name: text, surname: text, phone }),
    answer: z.looseObject({ userId: z.string() }),
    shownBy: 'subaccounts',
    section: 'Remaining operations (subaccount creation: not shown)',
    assumes: ['A-SUBACCOUNTS'],
  },
  identityFile: {
    name: 'subaccount-identity-file',
    title: 'Downloads a file of the identity of a subaccount.',
    method: 'GET',
    path: '/v1/verifier/subaccount/file',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ identityFileType: z.enum(IDENTITY_FILES), subAccountId: uuid }),
    answer: z.unknown(),
    isFile: true,
    failures: [{ status: 404, when: 'the subaccount has no such file' }],
    section: 'Remaining operations (identity-file download: not shown)',
    assumes: ['A-IDENTITY-FILE'],
  },
  startSecondFactor: {
    name: 'subaccount-second-factor-start',
    title: 'Starts the enrolment of an authenticator for a subaccount.',
    method: 'POST',
    path: '/v1/account/subaccount/sfa',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: z.strictObject({ subaccountUserId: uuid }),
    answer: z.looseObject({ secret: z.string() }),
    section: 'Endpoints, Access, Two-factor enrolment',
    assumes: ['A-ENROLMENT'],
  },
  endSecondFactor: {
    name: 'subaccount-second-factor-end',
    title: 'Ends the enrolment of a subaccount with a code of the new authenticator.',
    method: 'PUT',
    path: '/v1/account/subaccount/sfa',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: z.strictObject({ subaccountUserId: uuid, totp: totpCode }),
    answer: result,
    section: 'Endpoints, Access, Two-factor enrolment',
    assumes: ['A-ENROLMENT'],
  },
});
