// Access: sign-in, tokens, scopes, addresses, rotation, and the second factor with both enrolments.
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { nowMs } from '../../src/base/time.ts';
import { totpCode } from '../../src/sandbox/access/totp.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { act, as, ask, type Loose, send, signedBy, tell } from './asker.ts';

const POCKETS = '/v1/wallet/pocket';
const INVALID = { code: '403', description: 'Invalid credentials' };
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 5, until: '2026-11-03T00:00:00Z', days: 3 });
});
afterAll(() => sandbox.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const subaccount = () => sandbox.world.entities[1]?.userId ?? '';

test('a signed sign-in returns a token that private operations accept', async () => {
  const { status, body } = await tell(sandbox, 'POST /v1/signin/apikey');
  expect(status).toBe(200);
  const { token, expirationTime } = body.accessToken;
  expect(Number(expirationTime) - nowMs() / 1000).toBeGreaterThan(3500);
  const mine = await send(sandbox, `GET ${POCKETS}`, bearer(token));
  expect([mine.status, mine.body]).toEqual([200, (await ask(sandbox, POCKETS)).body]);
  expect((await send(sandbox, `GET ${POCKETS}`, bearer(`${token}x`))).status).toBe(401);
});

test('an empty object counts as a body: signed as one it is accepted, signed as none it is not', async () => {
  expect((await tell(sandbox, 'POST /v1/signin/apikey', {})).status).toBe(200);
  const unsigned = await send(
    sandbox,
    'POST /v1/signin/apikey',
    signedBy(sandbox, '/v1/signin/apikey'),
    '{}',
  );
  expect([unsigned.status, unsigned.body]).toEqual([403, INVALID]);
  const empty = signedBy(sandbox, '/v1/signin/apikey');
  expect((await send(sandbox, 'POST /v1/signin/apikey', empty, '')).status).toBe(200);
});

test('the body of a GET is signed like any other', async () => {
  const ofGet = async (signed?: string) => {
    const headers = { 'content-length': 2, ...signedBy(sandbox, POCKETS, signed) };
    const sent = request(sandbox.url + POCKETS, { method: 'GET', headers });
    sent.end('{}');
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  };
  expect([await ofGet('{}'), await ofGet()]).toEqual([200, 401]);
});

test('the signature is over the bytes of the body', async () => {
  const target = '/v1/signin/apikey';
  const compact = `{"userId":"${subaccount()}"}`;
  const status = async (signed: string, sent: string) =>
    (await send(sandbox, `POST ${target}`, signedBy(sandbox, target, signed), sent)).status;
  expect(await status(compact, compact)).toBe(200);
  for (const spaced of [`{"userId": "${subaccount()}"}`, `${compact}\n`, `\t${compact}`]) {
    expect(await status(spaced, spaced)).toBe(403); // "compact with no spaces"
    expect(await status(compact, spaced)).toBe(403);
  }
  const inside = '{"userId":"a \\" b"}';
  expect(await status(inside, inside)).toBe(400); // credentials are right, the id is not
});

test('a sign-in for a subaccount opens that subaccount only', async () => {
  const { body } = await tell(sandbox, 'POST /v1/signin/apikey', { userId: subaccount() });
  const headers = bearer(body.accessToken.token);
  const own = await send(sandbox, `GET ${POCKETS}`, headers);
  expect(own.body).toEqual((await ask(sandbox, POCKETS, as(subaccount()))).body);
  expect((await send(sandbox, 'GET /v1/account/subaccount', headers)).status).toBe(403);
  const main = sandbox.world.entities[0]?.userId ?? '';
  expect((await send(sandbox, `GET ${POCKETS}`, { ...headers, ...as(main) })).body).toEqual(INVALID);
  const unknown = await tell(sandbox, 'POST /v1/signin/apikey', {
    userId: '00000000-0000-4000-8000-000000000000',
  });
  expect([unknown.status, unknown.body]).toEqual([403, INVALID]);
});

test('a token expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] }); // seconds that pass only here, however busy the machine is
  onTestFinished(() => void vi.useRealTimers());
  const brief = await startSandbox({ seed: 5, days: 1, tokenSeconds: 60 });
  const { token } = (await tell(brief, 'POST /v1/signin/apikey')).body.accessToken;
  const status = async () => (await send(brief, `GET ${POCKETS}`, bearer(token))).status;
  expect(await status()).toBe(200);
  vi.advanceTimersByTime(59_000);
  expect(await status()).toBe(200);
  vi.advanceTimersByTime(1_000);
  expect(await status()).toBe(401);
  await brief.close();
});

test('a key does what its scopes allow', async () => {
  const reader = { ...sandbox, ...(await act(sandbox, 'key', { scopes: ['read'] })) };
  expect((await ask(reader, POCKETS)).status).toBe(200);
  const order = await tell(reader, 'POST /v1/trading/order', {});
  expect(order.body).toMatchObject({ statusCode: '403', message: 'The key lacks the scope trade' });
  const { token } = (await tell(reader, 'POST /v1/signin/apikey')).body.accessToken;
  expect((await send(sandbox, 'POST /v1/trading/order', bearer(token))).status).toBe(403);
  const removal = await tell(reader, 'DELETE /v1/account');
  expect(removal.body).toMatchObject({ statusCode: '403', message: 'The key lacks the scope withdraw' });
  expect((await ask(reader, POCKETS)).status).toBe(200);
  const narrow = await startSandbox({ seed: 5, days: 1, scopes: ['trade'] });
  expect((await ask(narrow, POCKETS)).body.message).toBe('The key lacks the scope read');
  await narrow.close();
});

test('a key works from its addresses only, and a change counts at once', async () => {
  const key = await act(sandbox, 'key', { addresses: ['10.0.0.1'] });
  const other = { ...sandbox, ...key };
  expect((await ask(other, POCKETS)).body).toEqual(INVALID);
  await act(sandbox, 'key-change', { apiKey: key.apiKey, addresses: ['10.0.0.1', '127.0.0.1'] });
  expect((await ask(other, POCKETS)).status).toBe(200);
});

test('rotation: a new key works beside the old one, which is revoked at once with its tokens', async () => {
  const old = { ...sandbox, ...(await act(sandbox, 'key', {})) };
  const { token } = (await tell(old, 'POST /v1/signin/apikey')).body.accessToken;
  const fresh = { ...sandbox, ...(await act(sandbox, 'key', {})) };
  expect([(await ask(old, POCKETS)).status, (await ask(fresh, POCKETS)).status]).toEqual([200, 200]);
  await act(sandbox, 'key-revoke', { apiKey: old.apiKey });
  expect((await ask(old, POCKETS)).body).toEqual(INVALID);
  expect((await send(sandbox, `GET ${POCKETS}`, bearer(token))).status).toBe(401);
  expect((await ask(fresh, POCKETS)).status).toBe(200);
});

test('an embed token signs its subaccount in, and no key is needed', async () => {
  const embed = await act(sandbox, 'embed-token', { entity: subaccount() });
  const json = JSON.stringify(embed);
  const { status, body } = await send(sandbox, 'POST /v1/signin/embed', {}, json);
  expect([status, Object.keys(body)]).toEqual([200, ['accessToken', 'refreshToken', 'session']]);
  expect((await send(sandbox, `GET ${POCKETS}`, bearer(body.accessToken.token))).status).toBe(200);
  expect((await send(sandbox, `GET ${POCKETS}`, bearer(body.refreshToken.token))).status).toBe(401);
  const forged = JSON.stringify({ accessToken: body.accessToken.token });
  expect((await send(sandbox, 'POST /v1/signin/embed', {}, forged)).body).toEqual(INVALID);
});

test('where the second factor is forced, an embed sign-in needs a code', async () => {
  await act(sandbox, 'switch', { name: 'force-second-factor', on: true });
  await act(sandbox, 'second-factor', { entity: subaccount(), delivery: 'sms' });
  const json = JSON.stringify(await act(sandbox, 'embed-token', { entity: subaccount() }));
  const signIn = (headers: Record<string, string>) => send(sandbox, 'POST /v1/signin/embed', headers, json);
  const missing = await signIn({});
  expect([missing.status, missing.body.data]).toEqual([
    428,
    { codeLength: '6', sfaType: 'sms', retryIntervalSeconds: '30' },
  ]);
  const { code } = await act(sandbox, 'code', { entity: subaccount() });
  expect((await signIn({ 'x-totp': code })).status).toBe(420); // of another kind: gauth where none is given
  expect((await signIn({ 'x-totp': '0000', 'x-totp-type': 'sms' })).status).toBe(420);
  const malformed = await signIn({ 'x-totp': 'none', 'x-totp-type': 'pigeon' });
  expect(malformed.body.errors.map((error: Loose) => [error.in, error.name, error.code])).toEqual([
    ['header', 'x-totp', 'PATTERN'],
    ['header', 'x-totp-type', 'ENUM_MISMATCH'],
  ]);
  expect((await signIn({ 'x-totp': code, 'x-totp-type': 'sms' })).status).toBe(200);
  await act(sandbox, 'switch', { name: 'force-second-factor', on: false });
});

test('a key with the scope withdraw needs no code to withdraw; a user without a key does', async () => {
  const embed = JSON.stringify(await act(sandbox, 'embed-token', { entity: 'main' }));
  const { body } = await send(sandbox, 'POST /v1/signin/embed', {}, embed);
  await act(sandbox, 'switch', { name: 'force-second-factor', on: true });
  const call = 'POST /v1/wallet/transaction';
  const unknown = { proforma: '00000000-0000-4000-8000-000000000000' };
  const withdraw = (headers: Record<string, string>) => send(sandbox, call, headers, JSON.stringify(unknown));
  const person = bearer(body.accessToken.token);
  expect((await tell(sandbox, call, unknown)).status).toBe(404);
  const { token } = (await tell(sandbox, 'POST /v1/signin/apikey')).body.accessToken;
  expect((await withdraw(bearer(token))).status).toBe(404);
  expect((await withdraw(person)).status).toBe(428);
  expect((await withdraw({ ...person, 'x-totp': '000000' })).status).toBe(420);
  const { code } = await act(sandbox, 'code', {});
  expect((await withdraw({ ...person, 'x-totp': code })).status).toBe(404);
  const { id } = (await ask(sandbox, POCKETS)).body[0];
  const payment = { pocketId: id, type: 'email', email: 'a@example.com', amount: '1', currency: 'EUR' };
  expect((await tell(sandbox, 'POST /v2/social-pay/order', payment)).status).toBe(428);
  await act(sandbox, 'switch', { name: 'force-second-factor', on: false });
});

test('the check of the second factor sends a code by phone', async () => {
  const other = await startSandbox({ seed: 6, days: 1 });
  const check = async () => (await ask(other, '/v3/signin/sfa?operation=sfa.withdrawal')).body;
  expect(await check()).toEqual({ codeLength: '6', sfaType: 'gauth' });
  await act(other, 'second-factor', { delivery: 'whatsapp' });
  expect(await check()).toEqual({ codeLength: '6', sfaType: 'whatsapp', retryIntervalSeconds: '30' });
  expect((await act(other, 'code', {})).code).toMatch(/^\d{6}$/);
  expect((await ask(other, '/v3/signin/sfa?operation=sfa.tea')).status).toBe(400);
  await other.close();
});

test('the main account enrols an authenticator with a code of the old one', async () => {
  const other = await startSandbox({ seed: 6, days: 1 });
  const settings = '/v1/account/settings/sfa';
  expect((await tell(other, `POST ${settings}`)).status).toBe(428);
  expect((await tell(other, `PUT ${settings}`, { totp: '000000' })).status).toBe(406);
  const old = { 'x-totp': totpCode(other.totpSecret, nowMs()), 'x-totp-type': 'gauth' };
  const { secret } = (await tell(other, `POST ${settings}`, undefined, old)).body;
  expect((await tell(other, `PUT ${settings}`, { totp: '000000' })).status).toBe(420);
  const done = await tell(other, `PUT ${settings}`, { totp: totpCode(secret, nowMs()) });
  expect([done.status, done.body]).toEqual([200, { result: true }]);
  expect((await tell(other, `POST ${settings}`, undefined, old)).status).toBe(420);
  await other.close();
});

test('the main account enrols a subaccount, nobody else does', async () => {
  const path = '/v1/account/subaccount/sfa';
  const unknown = { subaccountUserId: '00000000-0000-4000-8000-000000000000' };
  expect((await tell(sandbox, `POST ${path}`, unknown)).status).toBe(404);
  expect((await tell(sandbox, `POST ${path}`, unknown, as(subaccount()))).status).toBe(403);
  const own = { subaccountUserId: subaccount() };
  const { secret } = (await tell(sandbox, `POST ${path}`, own)).body;
  expect((await tell(sandbox, `PUT ${path}`, { ...own, totp: '000000' })).status).toBe(420);
  const totp = totpCode(secret, nowMs());
  expect((await tell(sandbox, `PUT ${path}`, { ...own, totp })).body).toEqual({ result: true });
  expect((await act(sandbox, 'code', { entity: subaccount() })).secret).toBe(secret);
});

test('codes are those of RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const times = [59, 1_111_111_109, 1_234_567_890, 20_000_000_000];
  expect(times.map((seconds) => totpCode(secret, seconds * 1000))).toEqual([
    '287082',
    '081804',
    '005924',
    '353130',
  ]);
});

test('the pockets and wallets of a new subaccount begin when it is created', async () => {
  const own = await startSandbox({ seed: 5, days: 2, until: '2026-11-20T00:00:00Z' });
  await act(own, 'advance', { ms: 60_000 });
  const phone = { number: '600111222', countryCode: '34' };
  const person = { name: 'New', surname: 'Branch', email: 'new-branch@example.com', phone };
  const { userId } = (await tell(own, 'POST /v1/account/subaccount', person)).body;
  const lists = ['/v1/wallet/pocket', '/v1/trading/wallet/balance', '/v2/earn/wallets'];
  const since = async (entity: string) => {
    const bodies = await Promise.all(lists.map(async (list) => (await ask(own, list, as(entity))).body));
    return new Set(
      bodies.flatMap((body) => (body.data ?? body) as Loose[]).map(({ createdAt }) => createdAt),
    );
  };
  expect(await since(userId)).toEqual(new Set(['2026-11-20T00:01:00.000Z']));
  expect(await since('main')).toEqual(new Set(['2026-11-18T00:00:00.000Z']));
  await own.close();
});
