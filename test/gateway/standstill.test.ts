// A gateway that stands still: it accepts connections, answers nothing for a while, and then goes on with what waits.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ReadGatewayOptions } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOfCall, isSigned, type Reply, scripted } from './listener.ts';

const WINDOW_MS = 5_000;

/** Time that passes without being waited for, on the clock of both sides. */
const skipped = () => {
  const now = Date.now;
  let skippedMs = 0;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + skippedMs);
  onTestFinished(() => spy.mockRestore());
  return (ms: number) => {
    skippedMs += ms;
  };
};

/** A gateway that refuses expired nonces with this status, and stands still so long before it looks at the n-th request. */
const standing = (still: readonly number[], status = 401, options: Partial<ReadGatewayOptions> = {}) => {
  const skip = skipped();
  const script = (n: number, { nonce }: { nonce: number }): Reply => {
    skip(still[n - 1] ?? 0);
    const headers = { date: new Date(Date.now()).toUTCString() };
    const isFresh = Math.abs(Date.now() - nonce) <= WINDOW_MS;
    return isFresh ? { body: [{ id: 'a' }], headers } : { status, body: {}, headers };
  };
  return scripted(script, options);
};

test.each([1_000, 5_100, 9_000, 14_500, 29_000, 3_600_000])(
  'a request that waited %i ms is signed again, by an unchanged clock',
  async (stillMs) => {
    const { gateway, seen, events } = await standing([0, stillMs]);
    await gateway.call(CONTRACT.trading.movements);
    const { receipt } = await gateway.call(CONTRACT.trading.movements);
    expect(receipt.tries).toBe(stillMs <= WINDOW_MS ? 1 : 2);
    expect(events.flatMap(({ failure }) => failure ?? [])).toEqual(Array(receipt.tries - 1).fill('late'));
    expect(gateway.clockOffsetMs()).toBe(0);
    expect((seen.at(-1)?.nonce ?? 0) - Date.now()).toBeLessThanOrEqual(0);
    expect(seen.every(isSigned)).toBe(true);
  },
);

test('every call that waited is answered, also if the gateway stands still again', async () => {
  const { gateway } = await standing([0, 14_500, 0, 0, 0, 14_500, 14_500, 14_500]);
  await gateway.call(CONTRACT.trading.movements);
  const calls = Array.from({ length: 6 }, () => gateway.call(CONTRACT.trading.movements));
  for (const { page } of await Promise.all(calls)) expect(page.rows).toEqual([{ id: 'a' }]);
});

test('a gateway that always answers too late is given up, and the key is not blamed', async () => {
  const { gateway } = await standing(Array(4).fill(14_500), 401, { retries: 2 });
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(error).toMatchObject({ failure: 'late', status: 401, tries: 3 });
});

test('a late 403 is final where a bad nonce is a 401', async () => {
  const { gateway } = await standing([14_500], 403);
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(error).toMatchObject({ failure: 'refused', tries: 1 });
});
