// Identity verification: where it starts, and another try.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { nothing, text } from './shapes.ts';

const started = z.looseObject({ redirectUrl: z.string().nullish(), token: z.string().nullish() });

const verificationBody = z.strictObject({
  locale: text,
  errorUrl: text.optional(),
  successUrl: text.optional(),
  workflowId: z.literal(10011).optional(),
});

export const verification = areaOf('account', {
  startVerification: {
    name: 'verification-start',
    title: 'Starts the verification of identity and returns the page to open.',
    method: 'POST',
    path: '/v3/verifier/identity-verification/init',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: verificationBody,
    answer: started,
    section: 'Versioning, POST /v3/verifier/identity-verification/init',
    assumes: ['A-VERIFICATION'],
  },
  startVerificationOld: {
    name: 'verification-start-old',
    title: 'Starts the verification of identity, under its older path.',
    method: 'POST',
    path: '/v3/account/verify/identity/init',
    auth: 'private',
    scope: 'withdraw',
    query: nothing,
    body: verificationBody,
    answer: started,
    replacedBy: 'verification-start',
    section: 'Versioning, identity verification init',
    assumes: ['A-VERIFICATION'],
  },
  verificationRetry: {
    name: 'verification-retry',
    title: 'Returns whether the user can try the verification of identity again.',
    method: 'GET',
    path: '/v1/verifier/verify/identity/verification/retry',
    auth: 'private',
    scope: 'read',
    query: nothing,
    answer: z.unknown(),
    failures: [{ status: 406, when: 'no try is left' }],
    section: 'Versioning, GET /v1/verifier/verify/identity/verification/retry',
    assumes: ['A-VERIFICATION'],
  },
  verificationRetryOld: {
    name: 'verification-retry-old',
    title: 'Returns whether the user can try the verification of identity again, under its older path.',
    method: 'GET',
    path: '/v1/account/verify/identity/verification/retry',
    auth: 'private',
    scope: 'read',
    query: nothing,
    answer: z.unknown(),
    failures: [{ status: 406, when: 'no try is left' }],
    replacedBy: 'verification-retry',
    section: 'Versioning, identity verification retry',
    assumes: ['A-VERIFICATION'],
  },
});
