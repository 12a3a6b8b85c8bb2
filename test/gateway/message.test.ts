// The message of a failed call: every shape of body, one line, and never a credential.
import { expect, test } from 'vitest';
import { openReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { redaction } from '../../src/gateway/redaction.ts';
import { failureOfCall, KEY, type Reply, SECRET, type Seen, scripted } from './listener.ts';

const messageFor = async (reply: Reply | ((signed: string) => Reply)): Promise<string> => {
  const script = (_: number, { headers }: Seen) =>
    typeof reply === 'function' ? reply(String(headers['api-signature'])) : reply;
  const { gateway } = await scripted(script, { retries: 0 });
  return ((await failureOfCall(gateway.call(CONTRACT.trading.movements, { query: { limit: 100 } }))) as Error)
    .message;
};

const VALIDATION = {
  message: 'Validation errors',
  errors: [
    {
      code: 'MAXIMUM',
      message: 'too large',
      in: 'query',
      name: 'limit',
      path: [],
      errors: [{ params: [101, 100] }],
    },
    { code: 'PATTERN', message: 'no match', in: 'query', name: 'currency', path: [] },
  ],
};

const BODY_VALIDATION = {
  message: 'Validation errors',
  errors: [
    {
      code: 'PATTERN',
      message: 'Invalid parameter (data): no match',
      in: 'body',
      name: 'data',
      path: ['body'],
      errors: [
        { code: 'PATTERN', message: 'no match', params: ['^[0-9]+$', 'x'], path: ['phone', 'number'] },
        {
          code: 'OBJECT_MISSING_REQUIRED_PROPERTY',
          message: 'Missing required property: amount',
          params: ['amount'],
          path: [],
        },
      ],
    },
  ],
};

test.each<[string, Reply, string]>([
  [
    'invalid credentials',
    { status: 403, body: { code: 403, description: 'Invalid credentials' } },
    'movements: the key may not do this (refused, status 403): Invalid credentials [GET /v1/trading/movement?limit=100]',
  ],
  [
    'validation errors',
    { status: 400, body: VALIDATION },
    'movements: the request was rejected (invalid, status 400): Validation errors, ' +
      'query limit MAXIMUM too large; query currency PATTERN no match [GET /v1/trading/movement?limit=100]',
  ],
  [
    'validation errors inside a body: each with its field',
    { status: 400, body: BODY_VALIDATION },
    'movements: the request was rejected (invalid, status 400): Validation errors, ' +
      'body phone.number PATTERN no match; body OBJECT_MISSING_REQUIRED_PROPERTY Missing required property: amount [GET /v1/trading/movement?limit=100]',
  ],
  [
    'default, with the id of the request in the body',
    {
      status: 404,
      body: { message: 'no wallet', error: 'Not Found', statusCode: 404, reqId: 'r-7', data: {} },
    },
    'movements: there is no such resource (missing, status 404, request r-7): no wallet, Not Found [GET /v1/trading/movement?limit=100]',
  ],
  [
    "an order error's code",
    {
      status: 412,
      body: { message: 'm', error: 'm', data: { errorPayload: { code: 'NOT_ENOUGH_BALANCE' } } },
    },
    'movements: the request was rejected (invalid, status 412): m, NOT_ENOUGH_BALANCE [GET /v1/trading/movement?limit=100]',
  ],
  [
    'the price chart, with the id of the request in a header',
    {
      status: 400,
      headers: { 'x-request-id': 'h-1' },
      body: { message: 'all-time is not for fiat', errorCode: 400 },
    },
    'movements: the request was rejected (invalid, status 400, request h-1): all-time is not for fiat, 400 [GET /v1/trading/movement?limit=100]',
  ],
  [
    'no known shape',
    { status: 502, body: '<html>bad gateway</html>' },
    'movements: the gateway is not available (unavailable, status 502) [GET /v1/trading/movement?limit=100]',
  ],
  [
    'a redirect, without the query of its address',
    { status: 308, headers: { location: 'https://new.example.com/v1/trading/movement?limit=100' } },
    'movements: redirects are not followed (redirected, status 308): to https://new.example.com/v1/trading/movement; check GATEWAY_BASE_URL [GET /v1/trading/movement?limit=100]',
  ],
  [
    'a redirect without an address',
    { status: 304, body: '' },
    'movements: redirects are not followed (redirected, status 304): it names no address [GET /v1/trading/movement?limit=100]',
  ],
  [
    'a page that is not JSON',
    { headers: { 'content-type': 'text/html' }, body: '<html>' },
    'movements: the answer is not the page that was asked for (badPage, status 200): not JSON (text/html, 6 bytes) [GET /v1/trading/movement?limit=100]',
  ],
  [
    'a page that is compressed although no encoding is accepted',
    { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' }, body: '<html>' },
    'movements: the answer is not the page that was asked for (badPage, status 200): not JSON (application/json, encoded as gzip, 6 bytes) [GET /v1/trading/movement?limit=100]',
  ],
  [
    'a wrong page, with the path of the first issue',
    { body: [{ id: 'a' }, { amount: 1 }] },
    'movements: the answer is not the page that was asked for (badPage, status 200): 1.id: ' +
      'Invalid input: expected string, received undefined [GET /v1/trading/movement?limit=100]',
  ],
])('%s', async (_, reply, message) => {
  expect(await messageFor(reply)).toBe(message);
});

test.each<[string, unknown]>([
  ['wrong types', { message: { a: 1 }, error: [], errors: 'x', reqId: {}, data: 'x' }],
  ['a list', [1, 2]],
  ['null', null],
])('a body of %s breaks nothing', async (_, body) => {
  expect(await messageFor({ status: 400, body })).toContain('(invalid, status 400) [');
});

test('a credential that the gateway echoes is removed anywhere in a message', async () => {
  for (const status of [400, 403, 418, 429, 500]) {
    const message = await messageFor((signed) => ({
      status,
      headers: { 'x-request-id': `id ${KEY}` },
      body: {
        message: `key ${KEY} signature ${signed} secret ${SECRET} ${encodeURIComponent(SECRET)} ${KEY.toUpperCase()}`,
        error: `${SECRET.slice(0, 5)}\u200b${SECRET.slice(5)} ${signed}`,
      },
    }));
    expect(message).toContain('key [redacted] signature [redacted] secret [redacted] [redacted] [redacted]');
    expect(message).not.toContain(KEY);
    expect(message).not.toContain(SECRET);
    expect(message).not.toContain(SECRET.slice(5));
    expect(message).not.toMatch(/[A-Za-z0-9+/]{86}==/);
  }
});

test('an e-mail address that the gateway echoes is removed', async () => {
  const message = 'no rights for luz.perez+a@mail.example.org (LUZ%40example.org) @ 5, a@b';
  const shown = await messageFor({ status: 403, body: { code: 403, description: message } });
  expect(shown).toContain('no rights for [redacted] ([redacted]) @ 5, a@b');
});

test.each([
  ['IBAN ES9121000418450200051332 is blocked', 'IBAN [redacted] is blocked'],
  ['to ES91 2100 0418 4502 0005 1332 will fail', 'to [redacted]'],
  ['gb82west12345698765432, no93 8601 1117 947', '[redacted], [redacted]'],
  ['id ab12cdef0123456789abcdef01234567 of de89370400440532013001', 'id ab12cdef0123456789abcdef01234567 of'],
])('a bank account that the gateway echoes is removed: %s', (message, shown) => {
  expect(redaction([])(message)).toContain(shown);
});

test('a message is one line of bounded length', async () => {
  const message = `a\nb\r\n\u001b[31mc\u2028d${'x'.repeat(50_000)}`;
  const shown = await messageFor({
    status: 400,
    headers: { 'x-request-id': 'i'.repeat(5_000) },
    body: { message },
  });
  expect(shown).toContain('a b [31mc d');
  expect(shown).not.toMatch(/[\n\r\u2028]/);
  expect(shown.length).toBeLessThan(800);
});

test('a cut never leaves part of a credential', () => {
  expect(redaction(['secret-secret'])(`${'x'.repeat(295)}secret-secret`)).not.toContain('secr');
});

const OPTIONS = { baseUrl: 'https://gateway.example', apiKey: KEY, apiSecret: SECRET, rpm: 600 };

test.each([
  [{ baseUrl: 'http://gateway.example' }, 'must be https (http is for loopback only)'],
  [{ baseUrl: 'ftp://127.0.0.1' }, 'must be https'],
  [
    { baseUrl: 'https://gateway.example/api' },
    'must be an origin, without path or query: https://gateway.example',
  ],
  [{ baseUrl: 'https://gateway.example/?a=1' }, 'must be an origin'],
  [{ baseUrl: `https://${KEY}:p@gateway.example` }, 'must not hold credentials'],
  [{ baseUrl: 'gateway' }, 'is not a URL'],
  [{ apiKey: '' }, 'API key is empty'],
  [{ apiKey: 'a\r\nb' }, 'holds what no header can'],
  [{ apiSecret: '' }, 'API secret is empty'],
  [{ rpm: 0 }, 'must be 1 or more, not 0'],
])('%o is refused at the door', (wrong, message) => {
  expect(() => openReadGateway({ ...OPTIONS, ...wrong })).toThrow(message);
  expect(() => openReadGateway({ ...OPTIONS, ...wrong })).not.toThrow(SECRET);
});

test.each([
  'https://gateway.example',
  'https://gateway.example/',
  'http://localhost:1',
  'http://127.0.0.1:1',
  'http://[::1]:1',
])('%s is an address', async (baseUrl) => {
  await openReadGateway({ ...OPTIONS, baseUrl }).close();
});

test('a token of a sign-in is no part of a message, although no setting holds it', () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"u1"}').toString('base64url')}.c2lnbmF0dXJl-_`;
  expect(redaction([])(`token ${token} expired`)).toBe('token [redacted] expired');
  expect(redaction([])('eyjafjallajokull.is is no token')).toBe('eyjafjallajokull.is is no token');
});
