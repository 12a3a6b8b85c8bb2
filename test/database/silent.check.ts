// A database that falls silent: nothing that ends waits for it longer than a moment, and no signal does.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { nowMs } from '../../src/base/time.ts';
import { enterReader, inSession, openDatabase } from '../../src/database/connection.ts';
import { lockBooks } from '../../src/database/writer-lock.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { silentProxy } from './silent-proxy.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

/** pg would wait ten seconds for a connection, and for ever for the end of one. */
const SOON_MS = 8_000;

const soon = async (work: Promise<unknown>): Promise<boolean> => {
  const begunMs = nowMs();
  await work;
  return nowMs() - begunMs < SOON_MS;
};

/** The address of the test server, over a way that is silent from `pause` on. */
const overProxy = async () => {
  const proxy = await silentProxy(books.url);
  onTestFinished(proxy.close);
  return proxy;
};

/** An address on which connections are accepted, and nothing is answered. */
const silentAddress = async (): Promise<string> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgresql://nobody:secret@127.0.0.1:${(server.address() as AddressInfo).port}/books?sslmode=disable`;
};

test('a lock is released, a session and a pool end', async () => {
  const proxy = await overProxy();
  const lock = await lockBooks(proxy.url, 'test');
  const { pool, close } = openDatabase(proxy.url);
  await pool.query('select 1');
  const ended = inSession(proxy.url, 'test', async (session) => {
    await session.query('select 1');
    proxy.pause();
  });
  expect(await soon(Promise.all([ended.then(() => lock.release()), ended.then(close)]))).toBe(true);
});

test('a signal ends what waits for an answer', async () => {
  const proxy = await overProxy();
  const stop = new AbortController();
  const { pool, close } = openDatabase(proxy.url, { signal: stop.signal });
  const session = inSession(proxy.url, 'test', (busy) => busy.query('select pg_sleep(60)'), stop);
  const waiting = [pool.query('select pg_sleep(60)'), session].map((query) => query.catch(messageOf));
  const isBusy = async () => (await books.pool.query(BUSY)).rowCount;
  await expect.poll(isBusy).toBe(2);
  proxy.pause();
  stop.abort();
  expect(await soon(Promise.all([...waiting, close()]))).toBe(true);
  expect(await isBusy()).toBe(0); // the way for new connections is open
});

const BUSY = `select from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(60)'`;

test('a signal ends what waits for a connection', async () => {
  const url = await silentAddress();
  const stop = new AbortController();
  const { pool, close } = openDatabase(url, { signal: stop.signal });
  const waiting = [pool.query('select 1'), inSession(url, 'test', async () => {}, stop)].map((query) =>
    query.catch(messageOf),
  );
  setTimeout(() => stop.abort(), 200);
  expect(await soon(Promise.all([...waiting, close()]))).toBe(true);
  const lost = expect.stringContaining('Connection terminated');
  expect(await Promise.all(waiting)).toEqual([lost, lost]);
});

/** An error of the protocol, of so many characters, from a server that then keeps the connection open. */
const refusingAddress = async (length: number) => {
  const text = Buffer.from(`SFATAL\0C28000\0M${'x'.repeat(length)}\0\0`);
  const head = Buffer.from('E    ');
  head.writeInt32BE(text.length + 4, 1);
  let open = 0;
  const server = createServer((socket) => {
    open += 1;
    socket.on('error', () => {});
    socket.on('close', () => (open -= 1));
    socket.once('data', () => socket.write(Buffer.concat([head, text])));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const url = `postgresql://nobody:secret@127.0.0.1:${(server.address() as AddressInfo).port}/books?sslmode=disable`;
  return { url, open: () => open };
};

test('a server that refuses a connection and keeps it open keeps no process', async () => {
  const { url, open } = await refusingAddress(5_000_000);
  const { pool, close } = openDatabase(url);
  await expect(pool.query('select 1')).rejects.toThrow('xxx');
  await expect.poll(open).toBe(0);
  await close();
  const refusal = await enterReader(url, {}).catch(messageOf);
  expect(String(refusal)).toMatch(/^the database at .+ cannot be reached: x+$/);
  expect(String(refusal).length).toBeLessThan(2_000);
  await expect.poll(open).toBe(0);
});

test('a run that a signal has stopped waits no longer to say so', async () => {
  const url = await silentAddress();
  const stopped = openDatabase(url, { isStopping: true });
  expect(await soon(stopped.pool.query('select 1').catch(messageOf).then(stopped.close))).toBe(true);
});
