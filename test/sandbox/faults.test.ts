// Each fault by name: its effect on a client, and its line in the log.
import { afterEach, expect, test } from 'vitest';
import { openReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { windowOf } from '../../src/sandbox/pace.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { advance, ask, type Loose, world } from './asker.ts';

const POCKETS = '/v1/wallet/pocket';
const UNTIL = '2026-11-03T00:00:00Z';
let sandbox: Sandbox;
afterEach(() => sandbox?.close());

const open = async (...faults: string[]): Promise<Sandbox> => {
  sandbox = await startSandbox({ seed: 2, until: UNTIL, days: 8, faults });
  return sandbox;
};

const statuses = async (count: number): Promise<number[]> => {
  const all: number[] = [];
  for (let nth = 0; nth < count; nth += 1) all.push((await ask(sandbox, POCKETS)).status);
  return all;
};

test.each([
  ['throttle:2', [200, 429, 200, 429]],
  ['unavailable:3', [200, 200, 502, 200]],
  ['server-error:2', [200, 500, 200, 500]],
  ['ban:3', [200, 200, 418, 418]],
  ['rpm:2', [200, 200, 429, 429]],
])('%s', async (fault, expected) => {
  await open(fault);
  expect(await statuses(4)).toEqual(expected);
});

test('per-second refuses a client beyond the limit of an operation, and never one with the request budget', async () => {
  await open('per-second');
  const [operation, limits] = [CONTRACT.trading.balance, { rpm: 600 }];
  const burst = async (target: string) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(sandbox, target)));
    return answers.map(({ status }) => status).sort();
  };
  const bare = await burst(operation.path);
  expect(bare.slice(0, 5)).toEqual(Array(5).fill(200));
  expect(bare).toContain(429);
  expect(await burst(POCKETS)).toEqual(Array(12).fill(200));

  const subaccount = sandbox.world.entities[1]?.entityId ?? '';
  const gateway = openReadGateway({ baseUrl: sandbox.url, ...sandbox, ...limits });
  await Promise.all(Array.from({ length: 12 }, () => gateway.call(operation, { subaccount })));
  await gateway.close();
  const log = await world(sandbox, 'log');
  const own = log.filter(({ entity }: Loose) => entity === subaccount).map(({ status }: Loose) => status);
  expect(own).toEqual(Array(12).fill('200'));
});

test('reset destroys the socket and is logged once with status 0', async () => {
  await open('reset:2');
  expect((await ask(sandbox, POCKETS)).status).toBe(200);
  await expect(ask(sandbox, POCKETS)).rejects.toThrow();
  const log = await world(sandbox, 'log');
  expect(log.map((row: Loose) => [row.method, row.target, row.status])).toEqual([
    ['GET', POCKETS, '200'],
    ['GET', POCKETS, '0'],
  ]);
});

test('not-json and wrong-envelope answer 200 with a wrong body', async () => {
  await open('not-json:2', 'wrong-envelope:3');
  await ask(sandbox, POCKETS);
  expect((await ask(sandbox, POCKETS)).text).toContain('<html>');
  expect((await ask(sandbox, POCKETS)).body).toEqual({ items: [] });
});

test('slow delays, clamp clamps, forbid and missing name an operation', async () => {
  await open('slow:60', 'clamp:7', 'forbid:pockets', 'missing:movements');
  const started = performance.now();
  expect((await ask(sandbox, '/v1/trading/trade?limit=40')).body.data).toHaveLength(7);
  expect(performance.now() - started).toBeGreaterThan(50);
  expect((await ask(sandbox, POCKETS)).body).toMatchObject({ statusCode: '403', error: 'Forbidden' });
  expect((await ask(sandbox, '/v1/trading/movement')).status).toBe(404);
});

test('a shifting list grows while it is read, and then stays', async () => {
  await open('shifting-trades');
  const totals: string[] = [];
  for (let nth = 0; nth < 8; nth += 1) totals.push((await ask(sandbox, '/v1/trading/trade')).body.total);
  expect(new Set(totals).size).toBeGreaterThan(3);
  expect(totals[7]).toBe(totals[5]);
});

test('late rows are listed a day late with their old time', async () => {
  await open('late-rows');
  const before = new Set(sandbox.world.rows('main', 'movements').map(({ id }) => id));
  const anchor = sandbox.world.now();
  await advance(sandbox, { days: 1 });
  const late = sandbox.world
    .rows('main', 'movements')
    .filter(({ id, at: timeMs }) => timeMs <= anchor && !before.has(id));
  const clean = await startSandbox({ seed: 2, until: UNTIL, days: 8 });
  const missing = clean.world.rows('main', 'movements').filter(({ id }) => !before.has(id));
  expect(late.length).toBeGreaterThan(0);
  expect(late.map(({ id }) => id)).toEqual(missing.map(({ id }) => id));
  await clean.close();
});

test('hostile records are listed unchanged', async () => {
  await open('hostile');
  const { text } = await ask(
    sandbox,
    '/v1/trading/movement?to=2026-11-01T00:00:01Z&from=2026-11-01T00:00:00Z',
  );
  for (const part of ['1.0000000000000000001', '1e400', '-5', 'sideways', 'dreaming'])
    expect(text).toContain(part);
  const wallet = (await ask(sandbox, '/v3/wallet/transaction?limit=100')).text;
  expect(wallet).toContain('\\u0000');
  expect(wallet).toContain('\\ud800');
  expect(wallet).toContain("=cmd|'/c calc'!A1");
  const [{ expect: findings }] = await world(sandbox, 'defects');
  expect(findings.map((finding: Loose) => finding.field)).toEqual([
    'amount',
    'amount',
    'amount',
    'amount',
    'movementType',
    'status',
  ]);
});

test('a burst fills a page within one millisecond', async () => {
  await open('burst:130');
  const instant = '2026-10-31T12:00:00.000Z';
  expect((await ask(sandbox, `/v1/trading/movement?from=${instant}&to=${instant}`)).body).toHaveLength(100);
});

test('an unknown fault or defect is refused at the start', async () => {
  await open();
  await expect(startSandbox({ seed: 1, faults: ['gremlins'] })).rejects.toThrow(/unknown fault gremlins/);
  await expect(startSandbox({ seed: 1, faults: ['throttle'] })).rejects.toThrow(/takes a number/);
  for (const name of ['toString', 'constructor', '__proto__:1']) {
    await expect(startSandbox({ seed: 1, faults: [name] })).rejects.toThrow(/unknown fault/);
    await expect(startSandbox({ seed: 1, days: 1, defects: [name] })).rejects.toThrow(/unknown defect/);
  }
  await expect(startSandbox({ seed: 1, days: 1, defects: ['gremlins'] })).rejects.toThrow(
    /unknown defect gremlins/,
  );
  expect(await advance(sandbox, { days: 'one' })).toBe(400);
});

test('a request costs the same however many came within the minute', () => {
  const inMinute = windowOf(60_000);
  let counted = 0;
  for (let nth = 0; nth < 500_000; nth += 1) counted = inMinute(Math.floor(nth / 4));
  expect(counted).toBe(240_000);
}, 3_000);
