// Authentication: key, nonce, signature over the raw target, and the entity.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nowMs } from '../../src/base/time.ts';
import { signature } from '../../src/gateway/signature.ts';
import { type Sandbox, sandboxLines, startSandbox, worldOf } from '../../src/sandbox/sandbox.ts';
import { as, ask, freshNonce, send, world } from './asker.ts';

const TARGET = '/v1/trading/trade?symbol=BTC/EUR';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1, until: '2026-11-03T00:00:00Z', days: 3 });
});
afterAll(() => sandbox.close());

const signed = (nonce: number, target = TARGET) => ({
  'x-nonce': String(nonce),
  'api-signature': signature(sandbox.apiSecret, { nonce, target }),
});

test('a signed request is served, its slash raw or encoded', async () => {
  expect((await ask(sandbox, TARGET)).status).toBe(200);
  expect((await ask(sandbox, '/v1/trading/trade?symbol=BTC%2FEUR')).status).toBe(200);
  expect((await ask(sandbox, '/v1/trading/trade/?symbol=BTC/EUR')).status).toBe(200);
});

test('an unknown key is 403 with the fixed shape', async () => {
  const { status, body } = await ask(sandbox, TARGET, { 'x-api-key': 'nobody' });
  expect([status, body]).toEqual([403, { code: '403', description: 'Invalid credentials' }]);
});

test('an unknown subaccount is 403, a known one is served', async () => {
  expect((await ask(sandbox, TARGET, as('00000000-0000-4000-8000-000000000000'))).body.code).toBe('403');
  const sub = sandbox.world.entities[1]?.entityId ?? '';
  expect((await ask(sandbox, TARGET, as(sub))).status).toBe(200);
  expect((await ask(sandbox, '/v1/account/subaccount', as(sub))).status).toBe(403);
});

test('a wrong signature is 401 with the default shape', async () => {
  const wrong = await ask(sandbox, TARGET, signed(freshNonce(), '/v1/trading/trade?symbol=BTC%2FEUR'));
  expect(wrong.status).toBe(401);
  expect(wrong.body).toMatchObject({
    error: 'Unauthorized',
    statusCode: '401',
    message: 'Invalid signature',
  });
  expect(wrong.body.reqId).toBeTruthy();
});

test('a nonce is valid within five seconds, again and out of order too', async () => {
  const nonce = freshNonce();
  expect((await ask(sandbox, TARGET, signed(nonce))).status).toBe(200);
  expect((await ask(sandbox, TARGET, signed(nonce))).status).toBe(200);
  expect((await ask(sandbox, TARGET, signed(nonce - 1000))).status).toBe(200);
  expect((await ask(sandbox, TARGET, signed(nowMs() - 6000))).status).toBe(401);
  expect((await ask(sandbox, TARGET, signed(nowMs() + 6000))).status).toBe(401);
});

test('a strict stand-in takes a nonce once, and none older than the last', async () => {
  const strict = await startSandbox({ seed: 1, days: 1, strictNonce: true });
  const nonce = freshNonce();
  expect((await ask(strict, TARGET, signed(nonce))).status).toBe(200);
  expect((await ask(strict, TARGET, signed(nonce))).status).toBe(401);
  expect((await ask(strict, TARGET, signed(nonce - 1))).status).toBe(401);
  expect((await ask(strict, TARGET, signed(nonce + 1))).status).toBe(200);
  await strict.close();
});

test('an unknown route and a product that an entity lacks are 404', async () => {
  const sub = sandbox.world.entities[1]?.entityId ?? '';
  expect((await ask(sandbox, '/v1/nothing')).body.statusCode).toBe('404');
  expect((await ask(sandbox, '/v2/earn/wallets', as(sub))).body.statusCode).toBe('404');
  expect((await ask(sandbox, '/v2/earn/wallets')).status).toBe(200);
});

test('keys derive from the seed and can be printed', async () => {
  const other = await startSandbox({ seed: 1, days: 1 });
  expect(other.apiKey).toBe(sandbox.apiKey);
  expect(sandboxLines(other)[1]).toBe(`GATEWAY_API_KEY=${sandbox.apiKey}`);
  await other.close();
});

test('another world can be served, and its routes need no key', async () => {
  const other = await startSandbox({
    seed: 4,
    world: worldOf({ seed: 7, until: '2026-11-03T00:00:00Z', days: 2 }),
  });
  expect(await world(other, 'now')).toEqual({ now: '2026-11-03T00:00:00.000Z' });
  expect(await world(other, 'defects')).toEqual([]);
  const sub = other.world.entities[1]?.entityId ?? '';
  const { headers } = await ask(other, TARGET, as(sub));
  expect(headers.get('x-request-id')).toBeTruthy();
  expect(headers.get('date')).toBeTruthy();
  expect(await world(other, 'log')).toMatchObject([
    { method: 'GET', target: TARGET, status: '200', entity: sub },
  ]);
  await other.close();
});

test.each([
  ['http://evil.example', '403'],
  ['http://127.0.0.1.evil.example', '403'],
  ['null', '403'],
  ['http://127.0.0.1:8787', undefined],
  ['http://localhost', undefined],
])('a page of another origin moves nothing in the world: %s', async (origin, statusCode) => {
  const change = JSON.stringify({ name: 'force-second-factor', on: false });
  const { body } = await send(sandbox, 'POST /__world/switch', { origin }, change);
  expect(body.statusCode).toBe(statusCode);
});
