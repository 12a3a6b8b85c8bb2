// Writes over HTTP: signed requests with a body, the moods and the e-mail of the world's own routes, and bodies that are wrong.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { act, ask, send, tell, world } from './asker.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 21, until: '2026-11-03T00:00:00.000Z', days: 5 });
});
afterAll(() => sandbox.close());

const LIMIT = { side: 'buy', symbol: 'BTC/EUR', orderType: 'limit', amount: '0.001', price: '5000' };

test('an order is created, shown and cancelled', async () => {
  const created = await tell(sandbox, 'POST /v1/trading/order', LIMIT);
  expect([created.status, created.body.status]).toEqual([200, 'open']);
  const target = `/v1/trading/order/${created.body.id}`;
  expect((await ask(sandbox, target)).body).toEqual(created.body);
  expect((await tell(sandbox, `DELETE ${target}`)).body.status).toBe('cancelled');
  const again = await tell(sandbox, `DELETE ${target}`);
  expect([again.status, again.body.data.errorPayload.code]).toEqual([400, 'DELETE_CLOSED_ORDER']);
});

test('a switch turns an order error on and off', async () => {
  const mood = (on: boolean) => act(sandbox, 'switch', { name: 'CREATE_ORDERS_DISABLED_TEMPORALLY', on });
  await mood(true);
  const refused = await tell(sandbox, 'POST /v1/trading/order', LIMIT);
  expect(refused.body.data.errorPayload.code).toBe('CREATE_ORDERS_DISABLED_TEMPORALLY');
  await mood(false);
  expect((await tell(sandbox, 'POST /v1/trading/order', LIMIT)).status).toBe(200);
});

test.each(['nonsense', 'blocked:nonsense', 'create_orders_disabled_temporally'])(
  'no mood depends on the switch %s: it is refused',
  async (name) => {
    const refused = await send(sandbox, 'POST /__world/switch', {}, JSON.stringify({ name, on: true }));
    expect(refused.status).toBe(400);
    expect(await world(sandbox, 'switches')).not.toContain(name);
  },
);

test('the user of the main account confirms an address by e-mail', async () => {
  const address = `0x${'ef'.repeat(20)}`;
  const person = { name: 'Eva', surname: 'Example', personType: 'person', walletOwnership: 'own' };
  const entry = { address, currency: 'ETH', network: 'ethereum', walletType: 'unhosted', ...person };
  const { body } = await tell(sandbox, 'POST /v1/blockchain-manager/address-book', entry);
  expect(body.status).toBe('validating');
  expect(await act(sandbox, 'confirm-address', { addressId: body.addressId })).toEqual({
    status: 'verified',
  });
  const listed = (await ask(sandbox, '/v1/blockchain-manager/address-book?currency=ETH')).body;
  expect(listed).toContainEqual(expect.objectContaining({ addressId: body.addressId, status: 'verified' }));
  const unknown = await act(sandbox, 'confirm-address', {
    addressId: '00000000-0000-4000-8000-000000000000',
  });
  expect(unknown.statusCode).toBe('400');
});

test.each([
  ['a negative amount', { ...LIMIT, amount: '-1' }],
  ['an amount that is a number', { ...LIMIT, amount: 1 }],
  ['an exponent', { ...LIMIT, price: '1e5' }],
  ['no price', { ...LIMIT, price: undefined }],
  ['a list', [LIMIT]],
])('%s is a validation error, and nothing moves', async (_, body) => {
  const before = JSON.stringify(sandbox.world.truth());
  const { status, body: answer } = await tell(sandbox, 'POST /v1/trading/order', body);
  expect([status, answer.message]).toEqual([400, 'Validation errors']);
  expect(JSON.stringify(sandbox.world.truth())).toBe(before);
});
