// The account: addresses, options, verification, deletion; and the subaccounts that it creates.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { advance, as, ask, type Loose, send, tell, world } from './asker.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 8, until: '2026-11-03T00:00:00Z', days: 3, entities: 3 });
});
afterAll(() => sandbox.close());

const V1 = '/v1/account/address';
const FIELDS = {
  streetAddress: 'Calle 3',
  city: 'Sevilla',
  stateCode: 'ES-SE',
  zip: '41001',
  countryCode: 'ES',
};

test('the newer list of addresses is masked except for the country', async () => {
  const [home] = (await ask(sandbox, V1)).body;
  const [masked] = (await ask(sandbox, '/v3/account/address')).body;
  expect(home.streetAddress).toBe('Calle Mayor 1');
  expect(masked).toMatchObject({ id: home.id, countryCode: 'ES', streetAddress: '****', zip: '****' });
});

test('an address is changed, refused as a second residence, and removed', async () => {
  const [home, office] = (await ask(sandbox, V1)).body;
  const put = (id: string, body: object) => tell(sandbox, `PUT ${V1}?addressId=${id}`, body);
  const changed = await put(office.id, { ...FIELDS, isDefaultAddress: true });
  expect(changed.body.map((it: Loose) => [it.city, it.isDefaultAddress])).toEqual([
    ['Madrid', false],
    ['Sevilla', true],
  ]);
  expect((await put(office.id, { ...FIELDS, isResidence: true })).body).toMatchObject({ statusCode: '406' });
  expect((await put(home.id, { ...FIELDS, isResidence: true })).status).toBe(200);
  expect((await put('00000000-0000-4000-8000-000000000000', FIELDS)).status).toBe(404);
  const removed = await tell(sandbox, `DELETE ${V1}?addressId=${office.id}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await tell(sandbox, `DELETE ${V1}?addressId=${office.id}`)).status).toBe(404);
  expect((await ask(sandbox, V1)).body).toHaveLength(1);
});

test('a body with several faults names each, with its params', async () => {
  const [home] = (await ask(sandbox, V1)).body;
  const { city: _, ...rest } = FIELDS;
  const body = { ...rest, countryCode: 'es', alias: 'x'.repeat(51), zip: 5 };
  const { errors } = (await tell(sandbox, `PUT ${V1}?addressId=${home.id}`, body)).body;
  expect(errors).toHaveLength(1);
  expect(errors[0].errors.map(({ code, params, path }: Loose) => [code, params, path])).toEqual([
    ['OBJECT_MISSING_REQUIRED_PROPERTY', ['city'], []],
    ['INVALID_TYPE', ['string', 'number'], ['zip']],
    ['PATTERN', ['^[A-Z]{2}$', 'es'], ['countryCode']],
    ['MAX_LENGTH', ['51', '50'], ['alias']],
  ]);
});

test('old lists of options are text in a language, new ones are keys', async () => {
  const text = (await ask(sandbox, '/v1/account/employment-status?langCode=es')).body;
  expect(text.data[0]).toEqual({
    id: 'employed',
    name: 'Empleado',
    description: 'Trabaja por cuenta ajena',
    langCode: 'es',
  });
  const keys = (await ask(sandbox, '/v2/account/employment-status')).body;
  expect(keys.data[0].name).toBe('employment-status.employed.name');
  expect((await ask(sandbox, '/v1/account/employment-status')).body.errors[0].code).toBe('REQUIRED');
  expect((await ask(sandbox, '/v1/account/funds-origin')).status).toBe(200);
});

test.each([
  ['/v2/account/professions', '/v1/account/professions'],
  ['/v2/account/purposes', '/v1/account/purposes'],
  ['/v2/account/funds-origin', '/v1/account/funds-origin'],
])('%s has keys for the texts of %s, under the same ids', async (newer, older) => {
  const [keys, texts] = [(await ask(sandbox, newer)).body, (await ask(sandbox, `${older}?langCode=es`)).body];
  expect(Number(keys.total)).toBe(keys.data.length);
  expect(keys.data.map(({ id }: Loose) => id)).toEqual(texts.data.map(({ id }: Loose) => id));
  for (const { id, name } of keys.data) expect(name).toMatch(new RegExp(`\\.${id}\\.name$`));
  expect(new Set(texts.data.map(({ langCode }: Loose) => langCode))).toEqual(new Set(['es']));
});

test('the ranges of an estimated deposit follow each other', async () => {
  const { data } = (await ask(sandbox, '/v1/account/deposit-estimation')).body;
  expect(data.map(({ minimum }: Loose) => minimum)).toEqual([
    '0',
    ...data.slice(0, -1).map(({ maximum }: Loose) => maximum),
  ]);
});

test('the older paths of the verification share its tries', async () => {
  const branch = as(
    (await world(sandbox, 'truth')).balances.find((it: Loose) => it.entity_id !== 'main').entity_id,
  );
  const older = '/v1/account/verify/identity/verification/retry';
  expect((await ask(sandbox, older, branch)).body).toMatchObject({ triesLeft: '3' });
  const start = await tell(sandbox, 'POST /v3/account/verify/identity/init', { locale: 'es-ES' }, branch);
  expect(start.status).toBe(200);
  const newer = '/v1/verifier/verify/identity/verification/retry';
  expect((await ask(sandbox, newer, branch)).body).toMatchObject({ triesLeft: '2' });
});

test('verification can be tried three times', async () => {
  const retry = '/v1/verifier/verify/identity/verification/retry';
  const start = () => tell(sandbox, 'POST /v3/verifier/identity-verification/init', { locale: 'es-ES' });
  expect((await ask(sandbox, retry)).status).toBe(200);
  const statuses = [
    (await start()).status,
    (await start()).status,
    (await start()).status,
    (await start()).status,
  ];
  expect(statuses).toEqual([200, 200, 200, 406]);
  expect((await ask(sandbox, retry)).status).toBe(406);
});

const PERSON = {
  email: 'new@example.com',
  name: 'Nora',
  surname: 'Ibarra',
  phone: { number: '611111111', countryCode: '34' },
};

test.each(['limit=many', 'offset=-1'])('a list of subaccounts with %s is refused', async (query) => {
  const { status, body } = await ask(sandbox, `/v1/account/subaccount?${query}`);
  expect([status, body.errors?.[0].in]).toEqual([400, 'query']);
  expect((await ask(sandbox, '/v1/account/subaccount?limit=1&offset=1')).body.data).toHaveLength(1);
});

test('a new subaccount is listed, has empty balances, and stays empty', async () => {
  const created = await tell(sandbox, 'POST /v1/account/subaccount', PERSON);
  const { userId } = created.body;
  expect(created.status).toBe(200);
  expect((await tell(sandbox, 'POST /v1/account/subaccount', PERSON)).status).toBe(406);
  const { data, total } = (await ask(sandbox, '/v1/account/subaccount')).body;
  expect([total, data.at(-1)]).toEqual(['3', { id: userId, ...PERSON }]);
  await advance(sandbox, { days: 2 });
  const pockets = (await ask(sandbox, '/v1/wallet/pocket', as(userId))).body;
  expect(pockets.length).toBeGreaterThan(0);
  expect(pockets.every((pocket: Loose) => pocket.balance === '0')).toBe(true);
  expect((await ask(sandbox, '/v3/wallet/transaction', as(userId))).body.data).toEqual([]);
  expect((await ask(sandbox, '/v1/trading/trade', as(userId))).body.total).toBe('0');
  const { balances } = await world(sandbox, 'truth');
  expect(balances.some((row: Loose) => row.entity_id === userId)).toBe(false);
});

test('identity files: an image for who is verified, 404 for a new subaccount, 403 for subaccounts', async () => {
  const file = (id: string) => `/v1/verifier/subaccount/file?identityFileType=selfie&subAccountId=${id}`;
  const [, verified] = sandbox.world.entities;
  const image = await ask(sandbox, file(verified?.userId ?? ''));
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  const fresh = sandbox.world.entities.at(-1)?.userId ?? '';
  expect((await ask(sandbox, file(fresh))).status).toBe(404);
  expect((await ask(sandbox, file(fresh), as(fresh))).status).toBe(403);
});

test('a deleted account is gone for every request', async () => {
  const id = sandbox.world.entities[2]?.userId ?? '';
  const { body } = await tell(sandbox, 'POST /v1/signin/apikey', { userId: id });
  expect((await tell(sandbox, 'DELETE /v1/account', undefined, as(id))).body).toEqual({ result: true });
  expect((await ask(sandbox, '/v1/wallet/pocket', as(id))).status).toBe(403);
  const token = { authorization: `Bearer ${body.accessToken.token}` };
  expect((await send(sandbox, 'GET /v1/wallet/pocket', token)).status).toBe(403);
  expect((await tell(sandbox, 'POST /v1/signin/apikey', { userId: id })).status).toBe(403);
  const { data } = (await ask(sandbox, '/v1/account/subaccount')).body;
  expect(data.map((row: Loose) => row.id)).not.toContain(id);
});
