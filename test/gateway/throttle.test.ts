// How long nothing is sent when the gateway names a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
