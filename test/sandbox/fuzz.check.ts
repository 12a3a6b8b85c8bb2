// Whatever a client sends, the stand-in goes on, and every refusal has one of the three shapes.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/gateway/contract/contract.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ask, send, signedBy } from './asker.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 13, until: '2026-11-03T00:00:00Z', days: 2 });
});
afterAll(() => sandbox.close());

const CODES = [
  'REQUIRED',
  'OBJECT_MISSING_REQUIRED_PROPERTY',
  'ENUM_MISMATCH',
  'PATTERN',
  'MAX_LENGTH',
  'MAXIMUM',
  'INVALID_TYPE',
];
const code = z.enum(CODES);
const violation = z.strictObject({
  code,
  message: z.string(),
  description: z.string(),
  params: z.array(z.unknown()),
  path: z.array(z.string()),
});
const SHAPE = z.union([
  z.strictObject({ code: z.literal('403'), description: z.literal('Invalid credentials') }),
  z.strictObject({
    message: z.literal('Validation errors'),
    errors: z
      .array(
        z.strictObject({
          code,
          message: z.string(),
          in: z.enum(['body', 'query', 'path', 'header']),
          name: z.string(),
          path: z.array(z.string()),
          errors: z.array(violation).min(1),
        }),
      )
      .min(1),
  }),
  z.strictObject({
    message: z.string(),
    error: z.string(),
    statusCode: z.string(),
    reqId: z.string(),
    data: z.looseObject({}),
  }),
]);

const expectShape = ({ status, body, text }: { status: number; body: unknown; text: string }) => {
  expect(status, text).toBeLessThan(500);
  if (status >= 400) expect(SHAPE.safeParse(body).error?.issues, text.slice(0, 300)).toBeUndefined();
};

/** All but the one that would end the account. */
const SAFE = OPERATIONS.filter(({ name }) => name !== 'account-remove');

const ID = '11111111-2222-4333-8444-555555555555';

/** A request to an operation with this body, signed. */
const hit = async (operation: (typeof OPERATIONS)[number], body: Uint8Array<ArrayBuffer>, query = '') => {
  const target = operation.path.replaceAll(/\{\w+\}/g, ID) + query;
  const signed = signedBy(sandbox, target, body.length === 0 ? undefined : Buffer.from(body));
  const content = operation.method === 'GET' ? undefined : body;
  const headers = operation.method === 'GET' ? signedBy(sandbox, target) : signed;
  return send(sandbox, `${operation.method} ${target}`, headers, content);
};

const BODIES: Readonly<Record<string, string | Buffer>> = {
  nothing: '',
  'an empty object': '{}',
  null: 'null',
  'a number': '1e400',
  'half an object': '{"amount":',
  'an array': '[[],{},null,"a",1]',
  prototypes: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"amount":"1"}',
  'deep arrays': '['.repeat(100_000) + ']'.repeat(100_000),
  'deep objects': `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'lone surrogates': '{"orderId":"\\ud800","amount":"\\u0000"}',
  'every name with the wrong type': JSON.stringify(
    Object.fromEntries(
      'amount currency orderId pocketId type name phone email userId totp network proforma price side symbol'
        .split(' ')
        .map((name) => [name, [{ [name]: -1 }]]),
    ),
  ),
};

test.each(Object.entries(BODIES))(
  '%s as a body of every operation',
  async (_, body) => {
    for (const operation of SAFE) expectShape(await hit(operation, new Uint8Array(Buffer.from(body))));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  },
  120_000,
);

test('random bytes as a body, seeded', async () => {
  const random = randomOf('fuzz');
  const writing = SAFE.filter(({ method }) => method !== 'GET');
  for (let nth = 0; nth < 300; nth += 1) {
    const bytes = Uint8Array.from({ length: 1 + random.below(200) }, () => random.below(256));
    expectShape(await hit(random.pick(writing), bytes));
  }
});

test.each([
  '?__proto__=1&constructor=2',
  '?limit=-1&offset=1e9&cursor=%00',
  '?limit=99999999999999999999&from=tomorrow&time=9999999999999',
  `?symbol=${'A'.repeat(2_000)}&currency=%ff%fe&ids=,,,`,
  '?a[b][c]=1&a=1&a=2&%zz=%',
  '?limit=1&limit=2&walletPocketId=x&type=&langCode=e',
])('the query %s of every reading operation', async (query) => {
  for (const operation of OPERATIONS.filter(({ method }) => method === 'GET'))
    expectShape(await hit(operation, new Uint8Array(), query));
});

test.each([
  ['text/plain', 'amount=1'],
  ['application/x-www-form-urlencoded', 'a=1&b=2'],
  ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
  ['application/json; charset=utf-16', '{}'],
  ['nonsense', '{}'],
])('the content type %s', async (type, body) => {
  const target = '/v1/trading/order';
  const headers = { ...signedBy(sandbox, target, body), 'content-type': type };
  const answer = await send(sandbox, `POST ${target}`, headers, body);
  expect(answer.status).toBe(400);
  expectShape(answer);
});

test('a body that is too large is refused', async () => {
  const answer = await send(sandbox, 'POST /v1/trading/order', {}, 'x'.repeat(2_000_000));
  expect(answer.status).toBe(413);
  expectShape(answer);
});

test('every method on every path, and paths that lead elsewhere', async () => {
  const paths = [
    '/v1/trading/order',
    '/',
    '//',
    '/v1/../../etc/passwd',
    '/docs/static/..%2f..%2f..%2fpackage.json',
  ];
  for (const path of [
    ...paths,
    '/docs/%2e%2e/%2e%2e/package.json',
    '/%zz',
    `/v1/${'a'.repeat(3_000)}`,
    '/v9/x',
  ])
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expectShape(await send(sandbox, `${method} ${path}`));
});

/** Sends bytes as they are; resolves with the answer when the server closes. */
const raw = (bytes: string | Buffer): Promise<string> =>
  new Promise((done) => {
    const { hostname, port } = new URL(sandbox.url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => done(text));
  });

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['random bytes', Buffer.from('00ff17f3a1b2c3d4e5f60718293a4b5c', 'hex'), 400],
  ['huge headers', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 431],
  ['a request without a host', 'GET /v1/none HTTP/1.1\r\nconnection: close\r\n\r\n', 404],
  ['another expectation', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: tea\r\n\r\n', 417],
  ['every route at once', 'OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 404],
  ['a whole URL', 'GET http://a/v1/none HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 404],
  ['another protocol', 'GET /v1 HTTP/1.1\r\nhost: a\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n', 400],
  [
    'a handshake without a key',
    'GET /v1 HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    400,
  ],
  ['a header of control characters', 'GET / HTTP/1.1\r\nhost: a\r\nx: \u0001\r\n\r\n', 400],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
])('%s over the socket', async (_, bytes, status) => {
  const answer = await raw(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const body = JSON.parse(answer.slice(answer.indexOf('{')));
  expect(SHAPE.safeParse({ ...body, statusCode: String(body.statusCode) }).success).toBe(true);
});

test.each([
  ['a body', 'POST /v1/signin/apikey HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{'],
  ['headers', 'GET /v1/wallet/pocket HTTP/1.1\r\nhost: a\r\n'],
])(
  '%s that never ends is cut off',
  async (_, bytes) => {
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 408 /);
  },
  20_000,
);

test('a temporality that every object inherits is none', async () => {
  const { status } = await send(sandbox, 'GET /v3/currency/chart?ticker=BTC/EUR&temporality=constructor');
  expect(status).toBeLessThan(500);
});

test('after all of it the stand-in still answers', async () => {
  expect((await ask(sandbox, '/v1/wallet/pocket')).status).toBe(200);
});
