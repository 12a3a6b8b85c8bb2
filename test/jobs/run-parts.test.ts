// The share of a night that a process opens: when it gives the gateway up.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { runParts } from '../../jobs/run-parts.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { withSharedNight } from './shared-night.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** A gateway that accepts connections and answers nothing; `connected` resolves at the first. */
const silentGateway = async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  const connected = once(server, 'connection');
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connected };
};

/** What becomes of a call that a share sends first, to a gateway that stands still for 25 seconds. */
const firstCall = async (entities: readonly string[], waitMs?: number): Promise<string> => {
  const { url, connected } = await silentGateway();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return withSharedNight(database, { entities, GATEWAY_BASE_URL: url }, async ({ books, config, run }) => {
    const parts = runParts(books, config, null);
    const part = await parts.part(run.id);
    const call = part?.gateway.call(CONTRACT.trading.movements).catch(({ message }: Error) => message);
    await connected;
    vi.advanceTimersByTime(25_000);
    const found = await Promise.race([call, ...(waitMs === undefined ? [] : [pause(waitMs, 'waits')])]);
    await parts.close();
    return String(found);
  });
};

test('a share of a night that has not read its entities gives a silent gateway up after 20 seconds', async () => {
  expect(await firstCall([])).toContain('no answer from');
});

test('a share of a night that the gateway has answered waits for a gateway that stands still', async () => {
  expect(await firstCall(['main'], 300)).toBe('waits');
});
