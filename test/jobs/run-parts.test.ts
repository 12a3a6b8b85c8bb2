// The share of a night that a process opens: when it gives the gateway up.
import { on } from 'node:events';
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

/**
 * A gateway that answers each connection with some bytes, or none, and leaves it open. `stands` resolves at the first connection, or at
 * the second if the client has read an answer before.
 */
const silentGateway = async (answer: string) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.once('data', () => void socket.write(answer));
  });
  const connections = on(server, 'connection');
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  const stands = async (): Promise<void> => {
    await connections.next();
    if (answer !== '') await connections.next();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stands };
};

type Stillness = { readonly answer?: string; readonly waitMs?: number };

/** What becomes of a call that a share sends first, to a gateway that stands still for 25 seconds. */
const firstCall = async (
  entities: readonly string[],
  { answer = '', waitMs }: Stillness = {},
): Promise<string> => {
  const { url, stands } = await silentGateway(answer);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return withSharedNight(database, { entities, GATEWAY_BASE_URL: url }, async ({ books, config, run }) => {
    const parts = runParts(books, config, null);
    const part = await parts.part(run.id);
    const call = part?.session.gateway
      .call(CONTRACT.trading.movements)
      .catch(({ message }: Error) => message);
    await stands();
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
  expect(await firstCall(['main'], { waitMs: 300 })).toBe('waits');
});

test('a gateway whose answer is too large has answered, and the network is not named as the cause', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n';
  expect(await firstCall([], { answer: head + ' '.repeat(12_000_000), waitMs: 300 })).toBe('waits');
});
