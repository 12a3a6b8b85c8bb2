// When a request counts: whatever it takes to arrive, and whatever somebody does to the machine's clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBudget } from '../../src/gateway/budget.ts';
import { densest, timeline } from './timeline.ts';

const MINUTE_MS = 60_000;

test('a request that takes seconds to arrive counts until it is answered', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 6_000, inFlightMax: 4, clock: time.now, sleep: time.sleep });
  const arrivals: number[] = [];
  const caller = async () => {
    for (let nth = 1; time.now() < time.startMs + 3 * MINUTE_MS; nth += 1) {
      const slot = await budget.take({ account: '', perSecond: 5 });
      const travelMs = nth % 40 === 0 ? 5_000 : 100;
      arrivals.push(slot.sentAtMs + travelMs);
      await time.sleep(travelMs + 200);
      budget.release(slot, true);
    }
  };
  await time.play([caller(), caller()]);
  expect(densest(arrivals, 1_000)).toBe(5);
  expect(arrivals.length).toBeGreaterThan(600);
});

test('a clock of the machine that is set forward does not forget what was sent', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const budget = openBudget({ rpm: 1, inFlightMax: 4 });
  budget.release(await budget.take({ account: '' }), true);
  vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
  const next = new AbortController();
  const taken = budget.take({ account: '', signal: next.signal }).then(
    () => 'sent',
    () => 'waits',
  );
  await sleep(20);
  next.abort();
  expect(await taken).toBe('waits');
});
