// Access: signing in, and the second factor.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { integer, nothing, result, totpCode, uuid, word } from './shapes.ts';

const token = z.looseObject({ token: z.string(), expirationTime: integer() });

/** The operations that a second factor may be checked for. */
const CHECKED = [
  'sfa.withdrawal',
  'sfa.emailModification',
  'sfa.phoneModification',
  'sfa.personalDataAccess',
  'sfa.login',
] as const;

export const access = areaOf('access', {
  signInByKey: {
    name: 'sign-in-by-key',
    title: 'Signs in with an API key and returns a JWT. Without `userId` no body is sent.',
    method: 'POST',
    path: '/v1/signin/apikey',
    auth: 'signed',
    scope: null,
    badCredentials: 403,
    query: nothing,
    body: z.strictObject({ userId: uuid }).optional(),
    answer: z.looseObject({ accessToken: token }),
    repeatable: true,
    section: 'Endpoints, Access, POST /v1/signin/apikey',
    assumes: ['A-SIGN-IN-BODY'],
  },
  signInByEmbedToken: {
    name: 'sign-in-by-embed-token',
    title: 'Signs in with an embed token and returns tokens and a session.',
    method: 'POST',
    path: '/v1/signin/embed',
    auth: 'embed-token',
    scope: null,
    totp: 'when-forced',
    query: nothing,
    body: z.strictObject({ accessToken: z.string().min(1) }),
    answer: z.looseObject({
      accessToken: token,
      refreshToken: token,
      session: z.looseObject({ id: z.string(), expirationTime: integer() }),
    }),
    repeatable: true,
    section: 'Endpoints, Access, POST /v1/signin/embed',
  },
  checkSecondFactor: {
    name: 'second-factor-check',
    title: 'Returns the active second factor, and sends a code if it is a phone-based one.',
    method: 'GET',
    path: '/v3/signin/sfa',
    auth: 'private',
    scope: 'read',
    query: z.strictObject({ operation: z.enum(CHECKED).optional() }),
    answer: z.looseObject({
      codeLength: integer(),
      sfaType: word('gauth', 'sms', 'call', 'whatsapp', 'email'),
      retryIntervalSeconds: integer().nullish(),
    }),
    section: 'Endpoints, Access, GET /v3/signin/sfa',
  },
  startSecondFactor: {
    name: 'second-factor-start',
    title: 'Starts the enrolment of an authenticator for the main account.',
    method: 'POST',
    path: '/v1/account/settings/sfa',
    auth: 'private',
    scope: 'withdraw',
    totp: 'required',
    query: nothing,
    body: nothing.optional(),
    answer: z.looseObject({
      secret: z.string(),
      qrImage: z.string().nullish(),
      name: z.string().nullish(),
    }),
    section: 'Endpoints, Access, Two-factor enrolment',
    assumes: ['A-ENROLMENT'],
  },
  endSecondFactor: {
    name: 'second-factor-end',
    title: 'Ends the enrolment of the main account with a code of the new authenticator.',
    method: 'PUT',
    path: '/v1/account/settings/sfa',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: z.strictObject({
      totp: totpCode,
      alwaysRequired: z.boolean().optional(),
      sessionId: uuid.optional(),
    }),
    answer: result,
    section: 'Endpoints, Access, Two-factor enrolment',
    assumes: ['A-ENROLMENT'],
  },
});
