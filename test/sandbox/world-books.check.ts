// The world checks itself: an independent sum of its lists equals its balances and its truth, and each planted defect
// is exactly the difference that it declares.
import { afterEach, expect, test } from 'vitest';
import { DEFECTS, type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { advance, type Loose, world } from './asker.ts';
import { booked, differences, units, walk } from './sum.ts';

const UNTIL = '2026-11-03T00:00:00.000Z';
let sandbox: Sandbox;
afterEach(() => sandbox.close());

test.each([1, 2, 3, 4, 5])('seed %i: lists and balances agree in a clean world', async (seed) => {
  sandbox = await startSandbox({ seed, until: UNTIL, entities: 3 });
  for (const { entityId } of sandbox.world.entities) expect(await differences(sandbox, entityId)).toEqual({});
  await advance(sandbox, { days: 3 });
  for (const { entityId } of sandbox.world.entities) expect(await differences(sandbox, entityId)).toEqual({});
});

test.each([7, 8])('seed %i: the truth is the sum of the lists', async (seed) => {
  sandbox = await startSandbox({ seed, until: UNTIL });
  const { balances, now } = await world(sandbox, 'truth');
  expect(now).toBe(UNTIL);
  for (const { entityId } of sandbox.world.entities) {
    const sums = booked(await walk(sandbox, entityId));
    const ours = [...sums].filter(([, amount]) => amount !== 0n).sort();
    const own = balances.filter((row: Loose) => row.entity_id === entityId);
    const theirs = own.map((row: Loose) => [`${row.account} ${row.currency}`, units(row.balance)]).sort();
    expect(theirs).toEqual(ours);
  }
});

test.each([
  ...DEFECTS.map((name) => [1, [name], 2] as const),
  [2, DEFECTS, 2] as const,
  [3, DEFECTS, 1] as const,
  [4, DEFECTS, 3] as const,
])('seed %i: %j with %i entities break exactly what they say', async (seed, defects, entities) => {
  sandbox = await startSandbox({ seed, until: UNTIL, defects, entities });
  const planted = await world(sandbox, 'defects');
  expect(planted.map((item: Loose) => item.name)).toEqual(defects);
  for (const { entityId } of sandbox.world.entities) {
    const expected = planted
      .filter((item: Loose) => item.entity_id === entityId)
      .flatMap((item: Loose) => item.expect)
      .filter((item: Loose) => item.finding === 'break')
      .map((item: Loose) => [`${item.account} ${item.currency}`, units(item.difference)]);
    expect(await differences(sandbox, entityId)).toEqual(Object.fromEntries(expected));
  }
});

test('the wrong fee differs by one in the eighteenth decimal', async () => {
  sandbox = await startSandbox({ seed: 1, until: UNTIL, defects: ['fee-off'] });
  const [{ expect: findings }] = await world(sandbox, 'defects');
  expect(findings[0].difference).toBe('0.000000000000000001');
});
