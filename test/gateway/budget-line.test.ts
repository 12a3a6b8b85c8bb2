// Many callers at once: who stands in line for the budget, and what that costs.
import { expect, test } from 'vitest';
import { OutdatedClaim, openBudget } from '../../src/gateway/budget.ts';
import { timeline } from './timeline.ts';

test.each([
  { name: 'without a limit of their own', perSecond: undefined },
  { name: 'with one', perSecond: 5 },
])(
  'many callers at once $name are served in their order, each at the cost of a few looks',
  async ({ perSecond }) => {
    const time = timeline();
    const counts = { looks: 0 };
    const clock = () => {
      counts.looks += 1;
      return time.now();
    };
    const budget = openBudget({ rpm: 600, inFlightMax: 4, clock, sleep: time.sleep });
    const served: number[] = [];
    const caller = async (n: number) => {
      const slot = await budget.take({ account: '', perSecond });
      served.push(n);
      await time.sleep(20);
      budget.release(slot, true);
    };
    const callers = Array.from({ length: 900 }, (_, n) => n);
    await time.play(callers.map(caller));
    expect(served).toEqual(callers);
    expect(counts.looks).toBeLessThan(10 * callers.length);
  },
);

test('who gives up in a line does not let the next one pass those before', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 1, inFlightMax: 1, clock: time.now, sleep: time.sleep });
  budget.release(await budget.take({ account: '' }), true);
  const controller = new AbortController();
  const sentAtMs: number[] = [];
  const send = async () => {
    const slot = await budget.take({ account: '' });
    sentAtMs.push(slot.sentAtMs - time.startMs);
    budget.release(slot, true);
  };
  const first = send();
  const second = budget.take({ account: '', signal: controller.signal });
  const third = send();
  controller.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  await time.play([first, third]);
  expect(sentAtMs).toEqual([60_250, 120_500]);
});

test('what became outdated in the line is not counted, and whoever is next takes its turn', async () => {
  const time = timeline();
  const budget = openBudget({ rpm: 2, inFlightMax: 1, clock: time.now, sleep: time.sleep });
  const first = await budget.take({ account: '' });
  let isOutdated = false;
  const [outdated, alone] = [false, true].map((isAlone) =>
    budget.take({ account: '', isAlone, isOutdated: () => isOutdated }),
  );
  const next = budget.take({ account: '' });
  isOutdated = true;
  budget.release(first, true);
  await expect(outdated).rejects.toThrow(OutdatedClaim);
  await expect(alone).rejects.toThrow(OutdatedClaim);
  expect((await next).sentAtMs).toBe(time.startMs);
});
