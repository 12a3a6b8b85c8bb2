// A shared budget: what the gate of all processes allows, as this process uses it.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openBudget } from '../../src/gateway/budget.ts';
import { type GateAnswer, shareBudget } from '../../src/gateway/shared-budget.ts';

test('a send that the gate allowed seconds ago is not sent: the gate counts it as arrived by now', async () => {
  const answers: (() => Promise<GateAnswer>)[] = [
    () => sleep(2_100, { send: '1', nonce: 1 }),
    async () => ({ waitMs: 1 }),
    async () => ({ send: '2', nonce: 2 }),
  ];
  const claimed: (readonly unknown[])[] = [];
  const gate = {
    take: ({ ended }: { readonly ended: readonly unknown[] }) => {
      claimed.push(ended);
      const answer = answers.shift();
      if (!answer) throw new Error('claimed once too often');
      return answer();
    },
    hold: async () => {},
    know: async () => {},
    ban: async () => {},
  };
  const budget = shareBudget(openBudget({ rpm: 10, inFlightMax: 4 }), gate, () => 0);
  const slot = await budget.take({ account: '' });
  expect(slot.nonce).toBe(2);
  budget.release(slot, true);
  answers.push(async () => ({ send: '3', nonce: 3 }));
  await budget.take({ account: '' });
  expect(claimed).toEqual([[], [], [], [expect.objectContaining({ send: '2' })]]); // nobody says that the first one ended
});
