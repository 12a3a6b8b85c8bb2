// Requests, receipts and their limits, over real sockets.
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { canonical, sha256 } from '../../src/base/json.ts';
import { openReadGateway, USER_AGENT } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOfCall, isSigned, KEY, type Reply, SECRET, scripted } from './listener.ts';

const FINE: Reply = { body: [{ id: 'a' }] };

test('a request takes no time below zero, although the clock of the machine is set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { gateway, events } = await scripted(() => {
    vi.setSystemTime(Date.now() - 3_600_000);
    return FINE;
  });
  await gateway.call(CONTRACT.trading.movements);
  expect(events.map(({ tookMs }) => tookMs >= 0)).toEqual([true]);
});

test('a call sends what the contract defines, percent-encoded and signed as sent', async () => {
  const { gateway, seen } = await scripted(() => ({ body: { total: 0, data: [] } }));
  const query = { symbol: 'BTC/EUR', limit: 50, startTime: '2026-01-01T00:00:00.000+01:00' };
  const { receipt } = await gateway.call(CONTRACT.trading.trades, { query, subaccount: 'a-subaccount' });
  const [request] = seen;
  expect(request?.target).toBe(
    '/v1/trading/trade?symbol=BTC%2FEUR&limit=50&startTime=2026-01-01T00%3A00%3A00.000%2B01%3A00',
  );
  expect(receipt.target).toBe(request?.target);
  expect(request && isSigned(request)).toBe(true);
  expect(request?.method).toBe('GET');
  expect(request?.headers).toMatchObject({
    'x-api-key': KEY,
    'x-subaccount-id': 'a-subaccount',
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
  });
});

test('the main account sends no subaccount header, and a GET no body', async () => {
  const { gateway, seen } = await scripted(() => FINE);
  await gateway.call(CONTRACT.trading.movements);
  for (const name of ['x-subaccount-id', 'content-type', 'content-length', 'transfer-encoding', 'x-totp']) {
    expect(seen[0]?.headers).not.toHaveProperty(name);
  }
});

test('the user agent has the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(USER_AGENT).toBe(`tieout/${version}`);
});

test('parts of a path are encoded; one that leaves the path is not sent', async () => {
  const { gateway, seen } = await scripted(() => ({ body: { id: 'a' } }));
  await gateway.call(CONTRACT.wallet.transaction, { path: { id: 'a/../b?c' } });
  expect(seen[0]?.target).toBe('/v1/wallet/transaction/a%2F..%2Fb%3Fc');
  for (const path of [{ id: '..' }, { id: '.' }, { id: '' }, undefined]) {
    const ask = path === undefined ? {} : { path };
    expect(await failureOfCall(gateway.call(CONTRACT.wallet.transaction, ask))).toMatchObject({
      failure: 'invalid',
      tries: 0,
    });
  }
  expect(seen).toHaveLength(1);
});

test('text that reads like the escape of a NUL is another value than a NUL', async () => {
  const { gateway } = await scripted(() => ({ body: String.raw`[{"id":"a","x":"\u0000","y":"\\u0000"}]` }));
  const { page } = await gateway.call(CONTRACT.trading.movements);
  expect(canonical(page.rows)).toBe(String.raw`[{"id":"a","x":"\\u0000","y":"\\u005cu0000"}]`);
});

test('a receipt proves the page', async () => {
  const body = '[ {"id":"a","amount":0.10} ]\n';
  const headers = { date: 'Thu, 01 Jan 2026 00:00:07 GMT', 'x-request-id': 'req-1' };
  const { gateway } = await scripted(() => ({ body, headers }));
  const { page, receipt } = await gateway.call(CONTRACT.trading.movements, { query: { limit: 100 } });
  expect(page.rows).toEqual([{ id: 'a', amount: '0.10' }]);
  expect(receipt).toEqual({
    method: 'GET',
    target: '/v1/trading/movement?limit=100',
    status: 200,
    date: '2026-01-01T00:00:07.000Z',
    bodySha256: sha256(body),
    requestId: 'req-1',
    sentAtMs: expect.any(Number),
    tries: 1,
  });
});

test.each(['never', 'Thu, 45 Jan 2026 00:00:07 GMT', '2026-01-01'])(
  'a Date of %s is ignored',
  async (date) => {
    const { gateway } = await scripted(() => ({ ...FINE, headers: { date } }));
    expect((await gateway.call(CONTRACT.trading.movements)).receipt).toMatchObject({
      date: null,
      requestId: null,
    });
  },
);

test('every attempt is logged, without secrets', async () => {
  const { gateway, events } = await scripted((n) => (n === 1 ? { status: 502 } : FINE));
  await gateway.call(CONTRACT.trading.movements);
  const common = { operation: 'movements', method: 'GET', target: '/v1/trading/movement', subaccount: null };
  expect(events).toMatchObject([
    { ...common, status: 502, failure: 'unavailable', tries: 1 },
    { ...common, status: 200, failure: null, tries: 2 },
  ]);
  for (const secret of [KEY, SECRET]) expect(JSON.stringify(events)).not.toContain(secret);
});

test('a body over the limit is refused without reading on, and is requested again like any refused page', async () => {
  const { gateway, seen } = await scripted(() => ({ body: `"${'x'.repeat(3_000_000)}"` }), {
    bodyMaxBytes: 1_000,
    retries: 2,
  });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({
    failure: 'oversized',
    status: null,
  });
  expect(seen).toHaveLength(3);
});

test('a failed call is classified by its status, however long its body', async () => {
  const { gateway } = await scripted(() => ({ status: 404, body: 'x'.repeat(3_000_000) }), {
    bodyMaxBytes: 1_000,
  });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({ failure: 'missing' });
});

test('an attempt has a time limit, and the next one follows', async () => {
  const script = (n: number): Reply => (n === 1 ? { ...FINE, delayMs: 5_000 } : FINE);
  const { gateway, events } = await scripted(script, { perTryMs: 300 });
  expect((await gateway.call(CONTRACT.trading.movements)).receipt.tries).toBe(2);
  expect(events[0]).toMatchObject({ failure: 'unreachable', status: null });
});

test('a call has a time limit over all its attempts, and names the last failure', async () => {
  const { gateway } = await scripted(() => ({ status: 502 }), {
    totalMs: 400,
    retries: 1_000,
    backoffMs: 20,
  });
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(error).toMatchObject({ failure: 'unavailable', status: 502 });
  expect(String(error)).toContain('time limit of 400 ms for all tries');
});

test('after the time limit of all attempts the error still says what was wrong with the last answer', async () => {
  const script = () => ({ body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } });
  const { gateway } = await scripted(script, { totalMs: 400, retries: 1_000, backoffMs: 20 });
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(String(error)).toMatch(/\(text\/html, 19 bytes\); time limit of 400 ms for all tries \[GET /);
});

test('a gateway that does not answer is unreachable', async () => {
  const { gateway } = await scripted(() => ({ ...FINE, delayMs: 5_000 }), { totalMs: 50 });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({
    failure: 'unreachable',
    tries: 1,
  });
  const options = { apiKey: KEY, apiSecret: SECRET, rpm: 600, retries: 1, backoffMs: 1 };
  const nobody = openReadGateway({ ...options, baseUrl: 'http://127.0.0.1:1' });
  const error = await failureOfCall(nobody.call(CONTRACT.trading.movements));
  expect(error).toMatchObject({ failure: 'unreachable', status: null, tries: 2 });
  expect(String(error)).toContain('ECONNREFUSED');
  await nobody.close();
});

test('at most four are in flight', async () => {
  let inFlight = 0;
  let most = 0;
  let isFull = () => {};
  const full = new Promise<void>((resolve) => {
    isFull = resolve;
  });
  const { gateway } = await scripted((n) => {
    if (n === 1) return FINE; // before the first answer, one at a time
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (inFlight === 4) isFull();
    const after = full.then(() => new Promise((resolve) => setTimeout(resolve, 20))); // time for a fifth
    return { ...FINE, after: after.then(() => (inFlight -= 1)) };
  });
  await gateway.call(CONTRACT.trading.movements);
  await Promise.all(Array.from({ length: 12 }, () => gateway.call(CONTRACT.trading.movements)));
  expect(most).toBe(4);
});

test('a closed gateway sends nothing and ends running calls', async () => {
  const { gateway, seen } = await scripted(() => ({ ...FINE, delayMs: 5_000 }));
  const running = failureOfCall(gateway.call(CONTRACT.trading.movements));
  while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  await gateway.close();
  expect(String(await running)).toContain('closed');
  expect(String(await failureOfCall(gateway.call(CONTRACT.trading.movements)))).toContain('closed');
  expect(seen).toHaveLength(1);
});
