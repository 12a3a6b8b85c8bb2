// The WebSockets: authentication, close codes, malformed frames, and the notices of what happens in the world.
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { NOTIFICATIONS } from '../../src/gateway/contract/contract.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { act, advance, ask, type Loose, tell } from './asker.ts';

let sandbox: Sandbox;
const open: WebSocket[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 11, until: '2026-11-03T00:00:00Z', days: 5 });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate();
});
afterAll(() => sandbox.close());

type Client = {
  readonly socket: WebSocket;
  readonly received: Loose[];
  readonly send: (message: unknown) => void;
  readonly closed: Promise<number>;
  /** The first message of a type. */
  readonly first: (type: string) => Promise<Loose>;
};

const client = async (url = sandbox.socketUrl): Promise<Client> => {
  const socket = new WebSocket(url);
  open.push(socket);
  const received: Loose[] = [];
  const closed = new Promise<number>((done) => socket.on('close', done));
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  await new Promise((done, fail) => socket.once('open', done).once('error', fail));
  const find = (type: string) => received.find((message) => message.type === type);
  const first = async (type: string): Promise<Loose> => {
    await expect.poll(() => find(type)).toBeDefined();
    return find(type);
  };
  return { socket, received, closed, first, send: (message) => socket.send(JSON.stringify(message)) };
};

const byKey = (apiKey = sandbox.apiKey) => ({ type: 'authenticate', payload: { apikey: [apiKey] } });
const byToken = (token: string) => ({ type: 'authenticate', payload: { token } });

const tokenFor = async (userId?: string): Promise<string> =>
  (await tell(sandbox, 'POST /v1/signin/apikey', userId && { userId })).body.accessToken.token;

test('a key or a token authenticates', async () => {
  for (const message of [byKey(), byToken(await tokenFor())]) {
    const { send, first } = await client();
    send(message);
    expect((await first('authenticated')).payload).toEqual({ userId: sandbox.world.entities[0]?.userId });
  }
});

test('members of the first message that the specification does not name are ignored', async () => {
  const { send, first } = await client();
  send({ ...byKey(), id: 1, time: 1790000000000 });
  expect((await first('authenticated')).payload).toEqual({ userId: sandbox.world.entities[0]?.userId });
});

test.each([
  ['an unknown key', byKey('nobody')],
  ['a bad token', byToken('a.b.c')],
  ['a key that is no array', { type: 'authenticate', payload: { apikey: 'nobody' } }],
  ['another message first', { type: 'ping' }],
])('%s closes with 4000', async (_, message) => {
  const { send, closed } = await client();
  send(message);
  expect(await closed).toBe(4000);
});

test('a revoked key loses its socket at the next notice', async () => {
  const { apiKey } = await act(sandbox, 'key', {});
  const { send, first, closed } = await client();
  send(byKey(apiKey));
  await first('authenticated');
  await act(sandbox, 'key-revoke', { apiKey });
  await advance(sandbox, { days: 1 });
  expect(await closed).toBe(4000);
});

test('too many messages close with 4001', async () => {
  const { send, first, closed } = await client();
  send(byKey());
  await first('authenticated');
  for (let nth = 0; nth < 12; nth += 1) send({ type: 'ping' });
  expect(await closed).toBe(4001);
});

test('text that is not JSON, and a message that is too large, close the socket', async () => {
  const noJson = await client();
  noJson.socket.send('{');
  expect(await noJson.closed).toBe(1007);
  const large = await client();
  large.socket.send('x'.repeat(70_000));
  expect(await large.closed).toBe(1009);
});

/** Bytes over a raw socket after the handshake; resolves with what came back when the socket closes. */
const raw = (target: string, bytes: Buffer): Promise<Buffer> =>
  new Promise((done) => {
    const { hostname, port } = new URL(sandbox.url);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `GET ${target} HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
          'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      socket.write(bytes);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => done(Buffer.concat(chunks)));
  });

test.each([
  ['an unmasked frame', Buffer.from([0x81, 0x02, 0x7b, 0x7d])],
  ['a reserved opcode', Buffer.from([0x83, 0x80, 1, 2, 3, 4])],
  ['invalid UTF-8', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
  ['random bytes', Buffer.from('d0e1a2b3c4d5e6f708192a3b4c5d6e7f', 'hex')],
])('%s closes with a close frame, and the server goes on', async (_, bytes) => {
  const answer = await raw('/v1', bytes);
  expect(answer.toString('latin1')).toContain('101 Switching Protocols');
  expect(answer.at(answer.indexOf('\r\n\r\n') + 4)).toBe(0x88);
  expect((await ask(sandbox, '/v1/wallet/pocket')).status).toBe(200);
});

test('another path is 404 in the default shape', async () => {
  const answer = (await raw('/v2', Buffer.alloc(0))).toString();
  expect(answer).toContain('404 Not Found');
  expect(answer).toContain('"statusCode":404');
});

test('a day of the world gives the notices of its transactions and balances', async () => {
  const { send, first, received } = await client();
  send(byKey());
  await first('authenticated');
  await advance(sandbox, { days: 1 });
  const { payload } = await first('wallet-transaction-v1');
  const one = await ask(
    sandbox,
    `/v1/wallet/transaction/${payload.transactionId}`,
    payload.userId === sandbox.world.entities[0]?.userId ? {} : { 'X-SUBACCOUNT-ID': payload.userId },
  );
  expect(one.body.status).toBe(payload.status);
  await first('wallet.trx.received');
  await first('activity.balance.refresh');
  const { events } = NOTIFICATIONS.socket;
  for (const message of received.slice(1)) {
    expect(Object.keys(events)).toContain(message.type);
    expect(events[message.type as keyof typeof events].safeParse(message.payload).error).toBeUndefined();
  }
});

test('a write gives its notices: an address, and a teller order', async () => {
  const { send, first } = await client();
  send(byKey());
  await first('authenticated');
  const entry = {
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    currency: 'ETH',
    network: 'ethereum',
    name: 'Dora',
    surname: 'Example',
    personType: 'person',
    walletOwnership: 'other',
    walletType: 'unhosted',
  };
  const { addressId } = (await tell(sandbox, 'POST /v1/blockchain-manager/address-book', entry)).body;
  expect((await first('address-book-updated-v1')).payload).toMatchObject({ addressId, status: 'validating' });
  const order = { amount: '40', currency: 'EUR', orderType: 'deposit', method: { type: 'card' } };
  const { orderId } = (await tell(sandbox, 'POST /v1/teller/order/proforma', order)).body;
  await tell(sandbox, 'POST /v1/teller/order', { orderId });
  expect((await first('teller-order-v1')).payload).toMatchObject({ orderId, status: 'waiting-user' });
});

test('each status of a teller order gives a notice, by a write or as time passes', async () => {
  const { send, first, received } = await client();
  send(byKey());
  await first('authenticated');
  const body = { amount: '40', currency: 'EUR', orderType: 'deposit', method: { type: 'card' } };
  const execute = async (): Promise<string> => {
    const { orderId } = (await tell(sandbox, 'POST /v1/teller/order/proforma', body)).body;
    await tell(sandbox, 'POST /v1/teller/order', { orderId });
    return orderId;
  };
  const [paid, cancelled] = [await execute(), await execute()];
  await tell(sandbox, 'POST /v1/teller/order/cancel', { orderId: cancelled, description: 'no card' });
  await advance(sandbox, { ms: 15 * 60_000 });
  await advance(sandbox, { days: 1 });
  const statuses = (id: string) =>
    received
      .filter(({ type, payload }) => type === 'teller-order-v1' && payload.orderId === id)
      .map(({ payload }) => payload.status);
  await expect.poll(() => statuses(paid)).toEqual(['waiting-user', 'accepted']);
  expect(statuses(cancelled)).toEqual(['waiting-user', 'cancelled']);
});

test('the token of a subaccount receives its own notices only', async () => {
  const userId = sandbox.world.entities[1]?.userId ?? '';
  const { send, first, received } = await client();
  send(byToken(await tokenFor(userId)));
  await first('authenticated');
  await advance(sandbox, { days: 2 });
  await first('activity.balance.refresh');
  const users = received.map(({ payload }) => payload.userId).filter((user) => user !== undefined);
  expect(new Set(users)).toEqual(new Set([userId]));
});

test('the trading socket takes a token of the trading wallet, and nothing else', async () => {
  const url = sandbox.socketUrl.replace(/v1$/, 'trading');
  const { token } = (await ask(sandbox, '/v1/trading/wallet/token')).body;
  const good = await client(url);
  good.send({ event: 'authenticate', data: { token } });
  await expect.poll(() => good.received).toEqual([{ event: 'authenticated' }]);
  for (const message of [{ event: 'authenticate', data: { token: await tokenFor() } }, 'nonsense']) {
    const bad = await client(url);
    bad.send(message);
    expect(await bad.closed).toBe(4000);
  }
});

test('a token for the trading socket ends with its key', async () => {
  const keys = await act(sandbox, 'key', {});
  const { token } = (await ask({ ...sandbox, ...keys }, '/v1/trading/wallet/token')).body;
  await act(sandbox, 'key-revoke', { apiKey: keys.apiKey });
  const late = await client(sandbox.socketUrl.replace(/v1$/, 'trading'));
  late.send({ event: 'authenticate', data: { token } });
  expect(await late.closed).toBe(4000);
});
