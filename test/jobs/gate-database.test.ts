// The database of the request gate: another gateway's, none, or one that is gone for a while.
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { InterruptedError, UsageError } from '../../src/base/errors.ts';
import { nowMs } from '../../src/base/time.ts';
import type { Gate } from '../../src/gateway/gateway.ts';
import type { Event } from '../../src/run/events.ts';
import { silentProxy } from '../database/silent-proxy.ts';
import { emptyDatabase } from '../database.ts';
import { GATEWAY, nonce, openGates, take, wait } from './gate-stand.ts';

const { books, gated } = openGates();

const know = (gate: Gate): Promise<void> => gate.know();

test('a gate of another gateway, and a database without one, are refused', async () => {
  await gated(600, know);
  await expect(gated(600, take, { gateway: 'https://other.example.com' })).rejects.toThrow(
    `counts the requests of this key to ${GATEWAY}, and GATEWAY_BASE_URL is https://other.example.com: correct GATEWAY_BASE_URL`,
  );
  const empty = await emptyDatabase();
  const none = gated(600, take, { url: empty.url });
  await expect(none).rejects.toThrow(UsageError);
  await expect(none).rejects.toThrow(
    'has no request gate: correct TIEOUT_GATE_URL, or run npx tieout migrate',
  );
  await empty.close();
  await expect(gated(600, take, { url: empty.url })).rejects.toThrow('cannot be used, so nothing is sent');
});

test('what a server says instead of opening a session is cut', async () => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0CXX000\0M${'x'.repeat(300_000)}\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) =>
    socket.once('data', () => socket.end(Buffer.concat([head, fields]))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `postgresql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/gate`;
  await expect(gated(600, take, { url })).rejects.toThrow(/nothing is sent \(x{1000}\): start that database/);
});

test('a server that has no connection left for the gate is waited for, and the warning says so', async () => {
  const database = new URL(books().url).pathname.slice(1);
  const limit = (most: number) => books().pool.query(`alter database "${database}" connection limit ${most}`);
  const url = new URL(books().url);
  const guest = `guest_${database}`;
  await books().pool.query(`create role "${guest}" login password 'guest' in role tieout_loader`);
  onTestFinished(async () => void (await books().pool.query(`drop role "${guest}"`)));
  [url.username, url.password] = [guest, 'guest'];
  await limit(0);
  let opened: Promise<unknown> = Promise.resolve();
  const warned = new Promise<Event>((tell) => {
    opened = gated(600, take, { url: url.href, tell });
  });
  const { message } = await warned;
  await limit(-1);
  await opened;
  expect(message).toContain('fails (too many connections for database');
});

/** A way to the database of the gate that can be cut, and the first warning about it. */
const cuttable = async () => {
  const proxy = await silentProxy(books().url);
  onTestFinished(proxy.close);
  let hear: (event: Event) => void = () => {};
  const warned = new Promise<Event>((resolve) => {
    hear = resolve;
  });
  return { proxy, warned, settings: { url: proxy.url, tell: (event: Event) => hear(event) } };
};

test('a database that is gone for a while is waited for, with a warning', async () => {
  const { proxy, warned, settings } = await cuttable();
  proxy.cut();
  const opened = gated(600, take, settings);
  expect(await warned).toMatchObject({
    event: 'warning',
    message: expect.stringMatching(/^the request gate at \S+ fails \((?!\)).+\): trying again$/),
  });
  proxy.mend();
  expect(nonce(await opened)).not.toBeNaN();
});

test('a request that waited for the database has a nonce of the time at which it is sent', async () => {
  const { proxy, warned, settings } = await cuttable();
  await gated(
    600,
    async (gate) => {
      await take(gate);
      proxy.cut();
      const taken = take(gate);
      await warned;
      proxy.mend();
      const mendedMs = nowMs();
      expect(nonce(await taken)).toBeGreaterThan(mendedMs + 300); // the next try follows half a second later
    },
    settings,
  );
});

test('a database that stays away ends the gate, with what to do; a signal ends the waiting', async () => {
  const { proxy, warned, settings } = await cuttable();
  proxy.cut();
  await expect(gated(600, take, { ...settings, patienceMs: 0 })).rejects.toThrow(
    /^the request gate at .* cannot be used, so nothing is sent \(.*\): start that database, or correct TIEOUT_GATE_URL, and run again$/,
  );
  const stop = new AbortController();
  const stopped = gated(600, take, { ...settings, signal: stop.signal });
  await warned;
  stop.abort(new InterruptedError('SIGTERM'));
  await expect(stopped).rejects.toThrow(InterruptedError);
});

test('an address that never took the key gives way to the next, and what was sent there counts', async () => {
  await gated(1, take, { gateway: 'https://gatway.example.com' });
  await gated(1, async (gate) => {
    expect(wait(await take(gate))).toBeGreaterThan(50_000);
    await gate.know();
  });
  await expect(gated(1, take, { gateway: 'https://gatway.example.com' })).rejects.toThrow(
    `counts the requests of this key to ${GATEWAY}`,
  );
});

test('a stand-in has another port each time', async () => {
  await gated(600, know, { gateway: 'http://127.0.0.1:4000' });
  expect(wait(await gated(600, take, { gateway: 'http://127.0.0.1:4001' }))).toBeNull();
  await expect(gated(600, take)).rejects.toThrow('counts the requests of this key to http://127.0.0.1:4000');
});
