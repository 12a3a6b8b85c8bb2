// What is retried and what is not, over real sockets.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOf } from '../../src/gateway/errors.ts';
import { failureOfCall, isSigned, type Reply, scripted } from './listener.ts';

const FINE: Reply = { body: [{ id: 'a' }] };

test.each<[string, Reply]>([
  ['429', { status: 429, body: { message: 'slow down', error: 'Too Many Requests' } }],
  ['500', { status: 500 }],
  ['502, not JSON', { status: 502, body: '<html>bad gateway</html>' }],
  ['503 broken off', { status: 503, reset: 'midway' }],
  ['a socket closed', { reset: 'at once' }],
  ['a body broken off', { reset: 'midway' }],
  ['a page that is not JSON', { body: '<html>maintenance</html>' }],
  ['a page cut short', { body: '[{"id":"a"}' }],
  ['a page that is not UTF-8', { body: Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]) }],
  ['a wrong envelope', { body: { data: [] } }],
  ['an element without id', { body: [{ amount: 1 }] }],
])('%s is tried again, signed afresh with a higher nonce', async (_, reply) => {
  const { gateway, seen } = await scripted((n) => (n < 3 ? reply : FINE));
  const { page, receipt } = await gateway.call(CONTRACT.trading.movements);
  expect(page.rows).toEqual([{ id: 'a' }]);
  expect(receipt.tries).toBe(3);
  expect(gateway.requests()).toBe(3);
  expect(seen.every(isSigned)).toBe(true);
  const nonces = seen.map(({ nonce }) => nonce);
  expect(nonces).toEqual([...new Set(nonces)].sort((a, b) => a - b));
});

/** Every status of the specification, and one of each other kind: the failure, and how often it is sent with two retries. */
test.each([
  [301, 'redirected', 1],
  [302, 'redirected', 1],
  [304, 'redirected', 1],
  [307, 'redirected', 1],
  [400, 'invalid', 1],
  [401, 'unauthorized', 2],
  [403, 'refused', 1],
  [404, 'missing', 1],
  [406, 'invalid', 1],
  [408, 'unavailable', 3],
  [409, 'invalid', 1],
  [412, 'invalid', 1],
  [417, 'invalid', 1],
  [418, 'banned', 1],
  [420, 'secondFactor', 1],
  [422, 'invalid', 1],
  [423, 'blocked', 1],
  [428, 'secondFactor', 1],
  [429, 'throttled', 3],
  [451, 'invalid', 1],
  [500, 'unavailable', 3],
  [502, 'unavailable', 3],
  [503, 'unavailable', 3],
  [599, 'unavailable', 3],
])('status %i means %s and is sent %i times', async (status, failure, sends) => {
  const script = () => ({ status, headers: { location: '/elsewhere' }, body: status === 304 ? '' : {} });
  const { gateway, seen, events } = await scripted(script, { retries: 2 });
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(error).toMatchObject({
    name: 'GatewayError',
    failure,
    status,
    operation: 'movements',
    tries: sends,
  });
  expect(seen.map(({ target }) => target)).toEqual(Array(sends).fill('/v1/trading/movement'));
  expect(events.map((event) => event.status)).toEqual(Array(sends).fill(status));
});

test('a gateway that has answered nothing is given up after seven tries, one that has after thirteen', async () => {
  const { movements, trades } = CONTRACT.trading;
  const down = await scripted(() => ({ status: 502 }), { backoffMs: 0.01 });
  expect(await failureOfCall(down.gateway.call(trades))).toMatchObject({ status: 502, tries: 7 });
  const { gateway } = await scripted(
    (_, { target }) => (target.startsWith('/v1/trading/trade') ? { status: 502 } : FINE),
    { backoffMs: 0.01 },
  );
  await gateway.call(movements);
  expect(await failureOfCall(gateway.call(trades))).toMatchObject({ status: 502, tries: 13 });
});

test('one that goes away is given up sooner by the calls after the first, until it answers again', async () => {
  const { movements, trades } = CONTRACT.trading;
  let isAway = false;
  const { gateway } = await scripted(() => (isAway ? { status: 502 } : FINE), { backoffMs: 0.01 });
  await gateway.call(movements);
  isAway = true;
  for (const tries of [13, 7, 7]) expect(await failureOfCall(gateway.call(trades))).toMatchObject({ tries });
  isAway = false;
  await gateway.call(movements);
  isAway = true;
  expect(await failureOfCall(gateway.call(trades))).toMatchObject({ tries: 13 });
});

test('one that has answered another process is given up after thirteen', async () => {
  const { gateway } = await scripted(() => ({ status: 502 }), { backoffMs: 0.01, hasAnswered: true });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.trades))).toMatchObject({ tries: 13 });
});

test('an answer is not a failure', () => {
  expect([200, 201, 204, 206, 299].map((status) => failureOf(status))).toEqual([
    null,
    ...Array(4).fill('badPage'),
  ]);
});

const httpDate = (ms: number) => new Intl.DateTimeFormat('en-GB', DATE_PARTS).formatToParts(ms);
const DATE_PARTS = {
  timeZone: 'UTC',
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;

/** A Date header of a clock that is `aheadMs` ahead of ours. */
const dateOf = (aheadMs: number): string => {
  const parts = Object.fromEntries(
    httpDate(performance.timeOrigin + performance.now() + aheadMs).map((p) => [p.type, p.value]),
  );
  const { weekday, day, month, year, hour, minute, second } = parts;
  return `${weekday}, ${day} ${month?.slice(0, 3)} ${year} ${hour}:${minute}:${second} GMT`;
};

/** A gateway whose clock is off and that, like the real one, accepts nonces within five seconds of it. */
const strict = (aheadMs: number) =>
  scripted((_, { nonce }) => {
    const theirs = performance.timeOrigin + performance.now() + aheadMs;
    const headers = { date: dateOf(aheadMs) };
    return Math.abs(nonce - theirs) < 5_000 ? { ...FINE, headers } : { status: 401, headers };
  });

test.each([20_000, -20_000, 3_600_000])(
  'a clock that is %i ms off is corrected after a 401, once',
  async (aheadMs) => {
    const { gateway, seen } = await strict(aheadMs);
    expect((await gateway.call(CONTRACT.trading.movements)).receipt.tries).toBe(2);
    expect((await gateway.call(CONTRACT.trading.movements)).receipt.tries).toBe(1);
    expect(seen).toHaveLength(3);
    expect(seen.every(isSigned)).toBe(true);
    expect(Math.abs(gateway.clockOffsetMs() - aheadMs)).toBeLessThan(1_500);
    const ours = performance.timeOrigin + performance.now(); // for receipts, a clock that is ahead has no effect
    expect(Math.abs(gateway.nowMs() - ours - Math.min(0, aheadMs))).toBeLessThan(1_500);
  },
);

test('a clock that is three seconds off is corrected before any refusal; one second is ignored', async () => {
  for (const [aheadMs, least] of [
    [3_000, 2_000],
    [900, 0],
  ] as const) {
    const { gateway } = await strict(aheadMs);
    expect((await gateway.call(CONTRACT.trading.movements)).receipt.tries).toBe(1);
    expect(gateway.clockOffsetMs()).toBeGreaterThan(least - 50);
    if (least === 0) expect(gateway.clockOffsetMs()).toBe(0);
  }
});

test('a second 401 is final, even with other failures in between', async () => {
  const statuses = [401, 502, 401];
  const { gateway, seen } = await scripted((n) => ({ status: statuses[n - 1] ?? 200 }));
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({
    failure: 'unauthorized',
    tries: 3,
  });
  expect(seen).toHaveLength(3);
});

/** A gateway that refuses every request that arrives while another is open, as one does that wants nonces to increase. */
const jealous = () => {
  let open = 0;
  return scripted(() => {
    open += 1;
    const status = open === 1 ? 200 : 401;
    const after = sleep(5).then(() => {
      open -= 1;
    });
    return { ...FINE, status, after };
  });
};

test('after a 401 a request is signed again and sent alone, so that none signed later overtakes it', async () => {
  const { gateway, seen } = await jealous();
  const calls = Array.from({ length: 12 }, () => gateway.call(CONTRACT.trading.movements));
  const tries = (await Promise.all(calls)).map(({ receipt }) => receipt.tries);
  expect(new Set(tries)).toEqual(new Set([1, 2]));
  expect(seen).toHaveLength(tries.reduce((sum, one) => sum + one, 0));
});

test('418 stops every request: running, waiting and future ones', async () => {
  const { gateway, seen, events } = await scripted((n) => {
    if (n === 1) return FINE;
    return n === 2
      ? { status: 418, body: { message: 'banned until tomorrow' } }
      : { ...FINE, delayMs: 2_000 };
  });
  await gateway.call(CONTRACT.trading.movements);
  const errors = await Promise.all(
    Array.from({ length: 8 }, () => failureOfCall(gateway.call(CONTRACT.trading.trades))),
  );
  for (const error of errors) expect(error).toMatchObject({ failure: 'banned' });
  expect(errors.map(String).join()).toContain('banned until tomorrow');
  const sent = seen.length;
  expect(sent).toBeLessThanOrEqual(5);
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({
    failure: 'banned',
    tries: 0,
  });
  expect(seen).toHaveLength(sent);
  expect(new Set(events.slice(1).map(({ failure }) => failure))).toEqual(new Set(['banned'])); // in the log too
});

test('a request that is ended by closing the client is none that failed', async () => {
  const { gateway, events } = await scripted(() => ({ ...FINE, delayMs: 2_000 }));
  const call = failureOfCall(gateway.call(CONTRACT.trading.movements));
  await sleep(100);
  await gateway.close('the run was stopped');
  expect(await call).toMatchObject({ message: 'movements: the run was stopped' });
  expect(events).toMatchObject([{ status: null, failure: null }]);
});

test('the first request of a process goes alone, so that a ban costs one', async () => {
  const { gateway, seen } = await scripted(() => ({ status: 418, delayMs: 30 }));
  await Promise.all(Array.from({ length: 6 }, () => failureOfCall(gateway.call(CONTRACT.trading.movements))));
  expect(seen).toHaveLength(1);
});

test('Retry-After delays every call', async () => {
  const { gateway, events } = await scripted((n) =>
    n === 1 ? { status: 503, headers: { 'retry-after': '1' } } : FINE,
  );
  await Promise.all([gateway.call(CONTRACT.trading.movements), gateway.call(CONTRACT.trading.movements)]);
  const [first, second] = events.map((event) => event.sentAtMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('429s of requests that were in flight together lengthen the wait once', async () => {
  const waiting: (() => void)[] = [];
  const { gateway, events } = await scripted(
    (n) => {
      if (n === 1 || n > 9) return FINE;
      const after = new Promise<void>((resolve) => waiting.push(resolve));
      if (waiting.length === 4) for (const answer of waiting.splice(0)) answer();
      return { status: 429, after };
    },
    { backoffMs: 200 },
  );
  await gateway.call(CONTRACT.trading.movements);
  await Promise.all(Array.from({ length: 4 }, () => gateway.call(CONTRACT.trading.movements)));
  expect(events.map(({ status }) => status)).toEqual([200, ...Array(8).fill(429), ...Array(4).fill(200)]);
  const waitedMs = (events.at(-1)?.sentAtMs ?? 0) - (events[1]?.sentAtMs ?? 0);
  expect(waitedMs).toBeLessThan(10_000); // 1 and 2 times 200 ms, not 8 and 128 times
});
