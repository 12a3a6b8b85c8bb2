// How long nothing is sent after a 429, or when the gateway names a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOfCall, type Reply, scripted } from './listener.ts';

const FINE: Reply = { body: [{ id: 'a' }] };

test('a Retry-After of any length holds every call', async () => {
  const { gateway, seen } = await scripted((n) =>
    n === 1 ? { status: 503, headers: { 'retry-after': '10000000000' } } : FINE,
  );
  const call = failureOfCall(gateway.call(CONTRACT.trading.movements));
  await sleep(500); // much longer than without one
  await gateway.close('the run was stopped');
  expect(await call).toMatchObject({ message: 'movements: the run was stopped' });
  expect(seen).toHaveLength(1);
});

test('429s lengthen the wait although the clock is set back between them', async () => {
  const hourAgo = () => Math.floor(performance.timeOrigin + performance.now()) - 3_600_000;
  const { gateway } = await scripted(
    (n) => {
      if (n === 2) vi.spyOn(Date, 'now').mockImplementation(hourAgo);
      return n <= 3 ? { status: 429 } : FINE;
    },
    { backoffMs: 200 },
  );
  onTestFinished(() => void vi.restoreAllMocks());
  const sinceMs = performance.now();
  await gateway.call(CONTRACT.trading.movements);
  expect(performance.now() - sinceMs).toBeGreaterThanOrEqual(1_390); // 1, 2 and 4 times 200 ms
});
