// The random writes of the demo: a client makes them over HTTP, and each moves money of the world.
import { expect, onTestFinished, test } from 'vitest';
import { writeThroughClient } from '../../src/actions/demo-writes.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

const UNTIL = '2026-11-03T00:00:00Z';

test('a client makes as many writes as requested, and the same ones for the same seed', async () => {
  const play = async () => {
    const sandbox = await startSandbox({ seed: 5, until: UNTIL, days: 6, references: true });
    onTestFinished(() => sandbox.close());
    const before = sandbox.world.truth();
    const written = await writeThroughClient(sandbox, { seed: 6, count: 8 });
    expect(sandbox.world.truth()).not.toEqual(before);
    return [written, sandbox.world.truth()];
  };
  const [written, truth] = await play();
  expect(Object.values(written ?? {}).reduce((sum, made) => sum + made, 0)).toBe(8);
  expect(await play()).toEqual([written, truth]);
});
