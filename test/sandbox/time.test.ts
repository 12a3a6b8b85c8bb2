// The world's time: the same seed and anchor give the same bytes, however the days were reached, and no account is
// ever negative.
import { expect, test } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { advance, as, ask, world } from './asker.ts';
import { units } from './sum.ts';

const HOUR = 3_600_000;
const TARGETS = [
  '/v1/trading/movement',
  '/v1/trading/trade',
  '/v3/wallet/transaction?limit=100',
  '/v1/wallet/pocket',
  '/v1/trading/wallet/balance',
  '/v1/account/subaccount',
  '/v2/earn/wallets',
];

const bytes = async (sandbox: Sandbox): Promise<string[]> => {
  const texts: string[] = [];
  for (const { entityId } of sandbox.world.entities)
    for (const target of TARGETS)
      texts.push((await ask(sandbox, target, as(entityId))).text.replace(/"reqId":"[^"]+"/, ''));
  return [
    ...texts,
    JSON.stringify(await world(sandbox, 'truth')),
    JSON.stringify(await world(sandbox, 'ids')),
  ];
};

const bytesOf = async (options: SandboxOptions, steps: readonly object[] = []): Promise<string[]> => {
  const sandbox = await startSandbox(options);
  for (const step of steps) expect(await advance(sandbox, step)).toBe(200);
  const all = await bytes(sandbox);
  await sandbox.close();
  return all;
};

test('two servers with the same seed and anchor answer the same bytes', async () => {
  const options = {
    seed: 9,
    until: '2026-11-03T00:00:00Z',
    days: 12,
    defects: ['doubled-trade', 'unknown-class'],
  };
  expect(await bytesOf(options)).toEqual(await bytesOf(options));
  expect(await bytesOf({ ...options, seed: 10 })).not.toEqual(await bytesOf(options));
});

test('advancing one day twice equals two days, and a later anchor', async () => {
  const [day, hours] = [{ days: 1 }, { ms: 6 * HOUR }];
  const later = await bytesOf({ seed: 9, until: '2026-11-05T00:00:00Z', days: 12 });
  expect(await bytesOf({ seed: 9, until: '2026-11-03T00:00:00Z', days: 10 }, [day, day])).toEqual(later);
  expect(
    await bytesOf({ seed: 9, until: '2026-11-04T00:00:00Z', days: 11 }, [hours, hours, hours, hours]),
  ).toEqual(later);
});

test('nothing is listed before its time, and no balance is ever negative', async () => {
  const sandbox = await startSandbox({ seed: 5, until: '2026-11-03T00:00:00Z', days: 2 });
  for (let step = 0; step < 60; step += 1) {
    await advance(sandbox, { ms: HOUR + 777_777 });
    const now = sandbox.world.now();
    for (const { entityId } of sandbox.world.entities) {
      for (const { balance, blocked, ...rest } of [
        ...sandbox.world.pockets(entityId),
        ...sandbox.world.trading(entityId),
      ])
        for (const amount of [balance, blocked, 'blockedOutput' in rest ? String(rest.blockedOutput) : '0'])
          expect(units(amount), `${entityId} ${rest.currency} at ${now}`).toBeGreaterThanOrEqual(0n);
      for (const { balance } of sandbox.world.earn(entityId) ?? [])
        expect(units(balance)).toBeGreaterThanOrEqual(0n);
      for (const { at: timeMs } of sandbox.world.rows(entityId, 'trades'))
        expect(timeMs).toBeLessThanOrEqual(now);
    }
  }
  await sandbox.close();
});

test('pending rows are completed or cancelled on a later day', async () => {
  const sandbox = await startSandbox({ seed: 5, until: '2026-11-03T00:00:00Z' });
  const status = () =>
    new Map(sandbox.world.rows('main', 'wallet-transactions').map(({ id, body }) => [id, body.status]));
  const before = status();
  await advance(sandbox, { days: 3 });
  const after = status();
  const open = [...before].filter(([, word]) => word !== 'completed' && !String(word).startsWith('cancel'));
  expect(open.length).toBeGreaterThan(0);
  for (const [id] of open) expect(['completed', 'cancelled', 'canceled']).toContain(after.get(id));
  await sandbox.close();
});
