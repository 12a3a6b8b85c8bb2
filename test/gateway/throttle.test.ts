// How long nothing is sent when the gateway names a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOfCall, type Reply, scripted } from './listener.ts';

const FINE: Reply = { body: [{ id: 'a' }] };

test.each(['10000000000', '99999.5', 'Wed, 01 Jan 2098 00:00:00 GMT', '2098-01-01T00:00:00Z'])(
  'a Retry-After of %s holds every call',
  async (wait) => {
    const { gateway, seen } = await scripted((n) =>
      n === 1 ? { status: 503, headers: { 'retry-after': wait } } : FINE,
    );
    const call = failureOfCall(gateway.call(CONTRACT.trading.movements));
    await sleep(500); // much longer than without one
    await gateway.close('the run was stopped');
    expect(await call).toMatchObject({ message: 'movements: the run was stopped' });
    expect(seen).toHaveLength(1);
  },
);

test.each(['soon', 'in 2098', '-1', ''])('a Retry-After of %s holds none', async (wait) => {
  const { gateway } = await scripted((n) =>
    n === 1 ? { status: 503, headers: { 'retry-after': wait } } : FINE,
  );
  await expect(gateway.call(CONTRACT.trading.movements)).resolves.toMatchObject({
    page: { rows: FINE.body },
  });
});
