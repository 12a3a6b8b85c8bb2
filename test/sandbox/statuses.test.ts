// Every status of the specification's table can be met, in the shape that it has.
import { afterEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { act, ask, type Loose, send, tell } from './asker.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

const open = async (...faults: string[]): Promise<void> => {
  sandbox = await startSandbox({ seed: 14, until: '2026-11-03T00:00:00Z', days: 5, faults });
};

const POCKETS = '/v1/wallet/pocket';
const ID = '00000000-0000-4000-8000-000000000000';
const PROFORMA = '/v1/wallet/transaction/proforma';

const priced = (amount: string) =>
  tell(sandbox, `POST ${PROFORMA}`, { amount, currency: 'EUR', pair: 'BTC/EUR' });

const poorest = async (): Promise<Loose> =>
  (await ask(sandbox, POCKETS)).body.find((row: Loose) => row.currency === 'EUR');

const order = (price: string) =>
  tell(sandbox, 'POST /v1/trading/order', {
    side: 'buy',
    symbol: 'BTC/EUR',
    price,
    amount: '1',
    orderType: 'limit',
  });

const CASES: Readonly<Record<string, () => Promise<{ status: number; body: Loose }>>> = {
  '400 Bad Request': () => ask(sandbox, '/v3/wallet/transaction?cursor=nonsense'),
  '401 Unauthorized': () => ask(sandbox, POCKETS, { 'api-signature': 'bm8=' }),
  '401 e-mail': async () => {
    await act(sandbox, 'switch', { name: 'email-not-verified', on: true });
    return tell(sandbox, 'POST /v1/wallet/transaction', { proforma: ID });
  },
  '403 Forbidden': async () => {
    await act(sandbox, 'second-factor', { delivery: 'gauth' });
    const { code } = await act(sandbox, 'code', {});
    return tell(sandbox, `POST /v1/compliance/address-book/${ID}/confirm`, undefined, { 'x-totp': code });
  },
  '404 Not Found': () => ask(sandbox, `/v1/wallet/transaction/${ID}`),
  '406 Not Acceptable': () => tell(sandbox, 'PUT /v1/account/settings/sfa', { totp: '000000' }),
  '412 Precondition Failed': async () => {
    const { id: pocket, balance } = await poorest();
    const amount = String(Math.floor(Number(balance)) + 1);
    return tell(sandbox, `POST ${PROFORMA}`, { amount, currency: 'EUR', pocket, pair: 'BTC/EUR' });
  },
  '412 price': () => order('0.01'),
  '417 Expectation Failed': () => priced('0.01'),
  '420 Invalid Two-Factor Code': () =>
    tell(sandbox, 'POST /v1/account/settings/sfa', undefined, { 'x-totp': '000000' }),
  '422 Unprocessable Entity': async () => {
    const { id } = await poorest();
    return ask(sandbox, `/v1/blockchain-manager/address?network=bitcoin&walletPocketId=${id}`);
  },
  '423 Locked': async () => {
    await act(sandbox, 'switch', { name: 'blocked:wallet-proforma', on: true });
    return priced('25');
  },
  '428 Precondition Required': () => tell(sandbox, 'POST /v1/account/settings/sfa'),
};

test.each(Object.entries(CASES))('%s', async (title, meet) => {
  await open();
  const { status, body } = await meet();
  const [code, ...words] = title.split(' ');
  expect(String(status), JSON.stringify(body)).toBe(code);
  const isNamed = /^[A-Z]/.test(words[0] ?? '');
  expect(body).toMatchObject({
    message: expect.any(String),
    reqId: expect.any(String),
    statusCode: code,
    ...(isNamed && { error: words.join(' ') }),
  });
});

test.each([
  ['throttle:1', 429, 'Too Many Requests'],
  ['server-error:1', 500, 'Internal Server Error'],
  ['unavailable:1', 502, 'Bad Gateway'],
  ['ban:1', 418, "I'm a Teapot"],
])('%s', async (fault, status, error) => {
  await open(fault);
  const answer = await ask(sandbox, POCKETS);
  expect([answer.status, answer.body]).toEqual([
    status,
    { message: expect.any(String), error, statusCode: String(status), reqId: expect.any(String), data: {} },
  ]);
});

test('who ignores 429 is banned with 418', async () => {
  await open('rpm:3');
  const statuses: number[] = [];
  for (let nth = 0; nth < 8; nth += 1) statuses.push((await ask(sandbox, POCKETS)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 418, 418]);
});

test('the chart of all time between two fiat currencies has an errorCode instead of a statusCode', async () => {
  await open();
  const { status, body } = await send(sandbox, 'GET /v3/currency/chart?ticker=EUR/USD&temporality=all-time');
  expect([status, body.errorCode, body.statusCode]).toEqual([400, '400', undefined]);
  expect(body).toMatchObject({
    message: expect.any(String),
    error: 'Bad Request',
    reqId: expect.any(String),
  });
});
