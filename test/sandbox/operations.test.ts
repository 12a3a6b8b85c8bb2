// Every operation of the contract: it is routed, it refuses without credentials, and it names each required part that is
// missing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import { ANSWERS } from '../../src/sandbox/answers.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { act, type Loose, send, tell } from './asker.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 9, until: '2026-11-03T00:00:00Z', days: 3 });
});
afterAll(() => sandbox.close());

const ID = '11111111-2222-4333-8444-555555555555';

const callOf = ({ method, path }: Operation): string => `${method} ${path.replaceAll(/\{\w+\}/g, ID)}`;

/** The required members of a schema for an object. */
const requiredIn = (schema: z.ZodType | undefined): readonly string[] =>
  schema === undefined
    ? []
    : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).required ?? []);

const needsQuery = OPERATIONS.filter(({ query }) => requiredIn(query).length > 0);
const needsBody = OPERATIONS.filter(
  ({ body }) => requiredIn(body).length > 0 && body?.safeParse(undefined).success === false,
);
const needsNothing = OPERATIONS.filter((it) => !needsQuery.includes(it) && !needsBody.includes(it));
const byName = (operations: readonly Operation[]) => operations.map((it) => [it.name, it] as const);

test('every operation has an answer, and every answer an operation', () => {
  expect(Object.keys(ANSWERS).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});

test.each(byName(OPERATIONS))('%s is routed', async (_, operation) => {
  const { body } = await send(sandbox, callOf(operation));
  expect(body?.message).not.toBe('Route not found');
});

test('no operation takes Basic credentials or a custom key', () => {
  expect(OPERATIONS.filter(({ auth }) => ['basic', 'custom-key'].includes(auth))).toEqual([]);
});

const PRIVATE = OPERATIONS.filter(({ auth }) => ['private', 'signed'].includes(auth));

test.each(byName(PRIVATE))('%s refuses without credentials', async (_, operation) => {
  const { status, body } = await send(sandbox, callOf(operation));
  expect(status).toBe(operation.badCredentials);
  if (status === 403) expect(body).toEqual({ code: '403', description: 'Invalid credentials' });
  else expect(body).toMatchObject({ statusCode: '401', error: 'Unauthorized', reqId: expect.any(String) });
});

test.each(byName(PRIVATE))('%s refuses a signature over something else', async (_, operation) => {
  const call = callOf(operation);
  const { status } = await tell(sandbox, call, undefined, { 'api-signature': 'bm8=' });
  expect(status).toBe(operation.badCredentials);
});

describe('what is missing', () => {
  test.each(byName(needsQuery))('%s names the parameters of its query', async (_, operation) => {
    const { status, body } = await tell(sandbox, callOf(operation));
    expect([status, body.message]).toEqual([400, 'Validation errors']);
    const faults = body.errors.filter((error: Loose) => error.in === 'query');
    expect(faults.map((error: Loose) => error.name).sort()).toEqual([...requiredIn(operation.query)].sort());
    for (const error of faults)
      expect(error).toMatchObject({
        code: 'REQUIRED',
        path: ['query', error.name],
        errors: [{ code: 'REQUIRED' }],
      });
  });

  test.each(byName(needsBody))('%s names the fields of its body', async (_, operation) => {
    const query = requiredIn(operation.query).map((name) => `?${name}=${ID}`);
    const { status, body } = await tell(sandbox, `${callOf(operation)}${query}`, {});
    expect([status, body.message]).toEqual([400, 'Validation errors']);
    const [error] = body.errors.filter((candidate: Loose) => candidate.in === 'body');
    expect(error).toMatchObject({ code: 'OBJECT_MISSING_REQUIRED_PROPERTY', name: 'data', path: ['body'] });
    const names = error.errors.flatMap((inner: Loose) => inner.params);
    expect(names).toEqual(expect.arrayContaining([...requiredIn(operation.body)]));
  });
});

describe('what is answered', () => {
  const reads = needsNothing.filter(({ method, pathParts }) => method === 'GET' && pathParts === undefined);

  test.each(byName(reads))('%s fits the contract', async (_, operation) => {
    const { status, body } = await tell(sandbox, callOf(operation));
    expect(status).toBe(200);
    expect(operation.answer.safeParse(body).error?.issues).toBeUndefined();
  });
});

describe('the second factor', () => {
  const BODIES: Readonly<Record<string, () => Promise<unknown>>> = {
    'sign-in-by-embed-token': () => act(sandbox, 'embed-token', { entity: 'main' }),
    'social-pay-create': async () => PAYMENT,
    'social-pay-create-v1': async () => PAYMENT,
  };
  const PAYMENT = { pocketId: ID, type: 'email', email: 'a@example.com', amount: '1', currency: 'EUR' };
  // A key that may execute a wallet transaction needs no code for it: access.test.ts.
  const guarded = OPERATIONS.filter(
    ({ name, totp }) => totp !== undefined && name !== 'wallet-transaction-execute',
  );

  test.each(byName(guarded))('%s asks for a code, and refuses a wrong one', async (name, operation) => {
    await act(sandbox, 'switch', { name: 'force-second-factor', on: true });
    const body = await BODIES[name]?.();
    const missing = await tell(sandbox, callOf(operation), body);
    expect(missing.status).toBe(operation.totp === 'legacy' ? 420 : 428);
    if (missing.status === 428) expect(missing.body.data).toEqual({ codeLength: '6', sfaType: 'gauth' });
    const wrong = await tell(sandbox, callOf(operation), body, { 'x-totp': '000000' });
    expect(wrong.status).toBe(420);
    const { code } = await act(sandbox, 'code', {});
    const right = await tell(sandbox, callOf(operation), body, { 'x-totp': code });
    expect([420, 428]).not.toContain(right.status);
    await act(sandbox, 'switch', { name: 'force-second-factor', on: false });
  });
});
