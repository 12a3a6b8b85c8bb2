// The notification socket's client: against the stand-in, and against a server that ends connections by a script.
import { expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type NotificationEvent,
  type Notifications,
  openGateway,
  openNotifications,
} from '../../src/gateway/gateway.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { advance } from '../sandbox/asker.ts';

const until = async (isDone: () => boolean): Promise<void> => {
  const endMs = Date.now() + 20_000;
  while (!isDone() && Date.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isDone(), 'within 20 s').toBe(true);
};

const closing = (notifications: Notifications): Notifications => {
  onTestFinished(() => notifications.close());
  return notifications;
};

/** A server that handles its n-th connection, from 1, by `script`. */
const serving = async (script: (n: number, socket: WebSocket, message: string) => void) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const seen: string[] = [];
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    const n = connections;
    socket.on('message', (data) => {
      seen.push(String(data));
      script(n, socket, String(data));
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `ws://127.0.0.1:${port}/v1`, seen, server, connections: () => connections };
};

const QUICK = { backoffMs: 10, backoffMaxMs: 200 };
const byToken = async () => ({ token: 'a-token' });

test.each(['signature', 'jwt'] as const)('events of the stand-in arrive typed, with %s', async (auth) => {
  const sandbox = await startSandbox({ seed: 5, days: 2 });
  onTestFinished(() => sandbox.close());
  const { apiKey, apiSecret } = sandbox;
  const gateway = openGateway({ baseUrl: sandbox.url, credentials: { apiKey, apiSecret, auth } });
  onTestFinished(() => gateway.close());
  const events: NotificationEvent[] = [];
  let isOpen = false;
  const socket = gateway.notifications({
    url: sandbox.socketUrl,
    onEvent: (event) => events.push(event),
    onState: ({ state }) => {
      isOpen = state === 'open';
    },
  });
  await until(() => isOpen);
  await advance(sandbox, { days: 2 });
  await until(() => events.some(({ type }) => type === 'wallet-transaction-v1'));
  const [first] = events.flatMap((event) => (event.type === 'wallet-transaction-v1' ? [event.payload] : []));
  expect(first?.amount).toMatch(/^\d+(\.\d+)?$/);
  expect(events.filter(({ type }) => type === 'other')).toEqual([]);
  socket.close();
  await socket.done;
});

test('the stand-in refuses wrong credentials with 4000, and the client stops', async () => {
  const sandbox = await startSandbox({ seed: 5, days: 1 });
  onTestFinished(() => sandbox.close());
  const states: string[] = [];
  const { done } = openNotifications({
    url: sandbox.socketUrl,
    authenticate: async () => ({ apikey: ['no-key'] }),
    onEvent: () => {},
    onState: ({ state }) => states.push(state),
  });
  await expect(done).rejects.toThrow('refused the credentials (4000)');
  expect(states).toEqual([]);
});

/** The states of a connection whose service answers the credentials so. */
const statesAfter = async (
  script: (socket: WebSocket) => void,
  many: number,
  refusalMs = 300,
): Promise<string[]> => {
  const states: string[] = [];
  const { url } = await serving((n, socket) => (n === 1 ? script(socket) : undefined));
  const options = { ...QUICK, url, refusalMs, authenticate: byToken, onEvent: () => {} };
  closing(openNotifications({ ...options, onState: ({ state }) => states.push(state) }));
  await until(() => states.length === many);
  return states;
};

test('a connection is open once the credentials are confirmed, an event arrives, or nothing refuses them in time', async () => {
  for (const message of [
    '{"type":"authenticated","payload":{}}',
    '{"type":"authenticated"}',
    '{"type":"activity.balance.refresh","payload":{"service":"wallet","userId":"u"}}',
  ])
    expect(await statesAfter((socket) => socket.send(message), 1, 3_600_000)).toEqual(['open']);
  expect(await statesAfter(() => {}, 1)).toEqual(['open']);
  const refused = (socket: WebSocket) => {
    socket.send('{"type":"error"}');
    socket.close(1008);
  };
  expect(await statesAfter(refused, 2)).toEqual(['waiting', 'open']);
});

test('the first message shows the token, and each connection asks for it anew', async () => {
  const { url, seen, connections } = await serving((n, socket) => n < 3 && socket.close(1001));
  let proofs = 0;
  const authenticate = async () => {
    proofs += 1;
    return { token: `token-${proofs}` };
  };
  const socket = closing(openNotifications({ ...QUICK, url, authenticate, onEvent: () => {} }));
  await until(() => seen.length === 3);
  expect(seen.map((text) => JSON.parse(text))).toEqual(
    [1, 2, 3].map((n) => ({ type: 'authenticate', payload: { token: `token-${n}` } })),
  );
  socket.close();
  await socket.done;
  expect(connections()).toBe(3);
});

test('waits grow, are spread, and are bounded; after 4001 they are longer', async () => {
  const waits: number[] = [];
  const reasons: string[] = [];
  const { url } = await serving((n, socket) => socket.close(n === 1 ? 4001 : 1011, 'as told'));
  const socket = closing(
    openNotifications({
      url,
      authenticate: byToken,
      onEvent: () => {},
      backoffMs: 4,
      backoffMaxMs: 64,
      onState: (state) => {
        if (state.state !== 'waiting') return;
        waits.push(state.waitMs);
        reasons.push(state.reason);
      },
    }),
  );
  await until(() => waits.length === 7);
  socket.close();
  await socket.done;
  const between = (position: number, low: number, high: number) => {
    expect(waits[position]).toBeGreaterThanOrEqual(low);
    expect(waits[position]).toBeLessThanOrEqual(high);
  };
  between(0, 16, 32); // eight times the first wait
  between(1, 4, 8);
  between(2, 8, 16);
  between(6, 32, 64);
  expect(reasons.slice(0, 2)).toEqual(['4001 as told', '1011 as told']);
});

test('an unknown event, another payload and text that is no event are handed on as they are', async () => {
  const events: NotificationEvent[] = [];
  const { url } = await serving((_n, socket) => {
    socket.send('{"type":"of-tomorrow","payload":{"amount":0.10}}');
    socket.send('{"type":"constructor","payload":{}}');
    socket.send('{"type":"activity.balance.refresh","payload":7}');
    socket.send('{"type":"activity.balance.refresh","payload":{"service":"wallet","userId":"u"}}');
    socket.send('{"type":"without-payload"}');
    socket.send('not json');
    socket.send('{"type":"activity.balance.refresh","payload":{"service":"earn","userId":"u","userId":"v"}}');
  });
  closing(
    openNotifications({ ...QUICK, url, authenticate: byToken, onEvent: (event) => events.push(event) }),
  );
  await until(() => events.length === 7);
  expect(events).toEqual([
    { type: 'other', name: 'of-tomorrow', payload: { amount: '0.10' } },
    { type: 'other', name: 'constructor', payload: {} },
    { type: 'other', name: 'activity.balance.refresh', payload: '7' },
    { type: 'activity.balance.refresh', payload: { service: 'wallet', userId: 'u' } },
    { type: 'other', name: 'without-payload' },
    { type: 'other', name: '', payload: 'not json' },
    { type: 'other', name: 'activity.balance.refresh', payload: { service: 'earn', userId: ['u', 'v'] } },
  ]);
});

test('a connection on which nothing comes back is ended, and the next one opened', async () => {
  const silent = await serving(() => {});
  silent.server.options.autoPong = false;
  const options = { ...QUICK, url: silent.url, heartbeatMs: 40, authenticate: byToken, onEvent: () => {} };
  closing(openNotifications(options));
  await until(() => silent.connections() >= 2);
});

test('a sign-in that fails and a server that is not there are tried again', async () => {
  const reasons: string[] = [];
  const onState = (state: { state: string; reason?: string }) => reasons.push(state.reason ?? state.state);
  const { url, connections } = await serving(() => {});
  let failures = 0;
  const authenticate = async () => {
    failures += 1;
    if (failures === 1) throw new Error('no token yet');
    return { token: 'a' };
  };
  closing(openNotifications({ ...QUICK, url, authenticate, onEvent: () => {}, onState }));
  await until(() => connections() === 1);
  expect(reasons[0]).toContain('no token yet');
  const nobody = 'ws://127.0.0.1:1/v1';
  closing(openNotifications({ ...QUICK, url: nobody, authenticate: byToken, onEvent: () => {}, onState }));
  await until(() => reasons.some((reason) => reason.includes('ECONNREFUSED')));
});

test.each([
  ['https://gateway.example/v1', 'must be wss'],
  ['ws://gateway.example/v1', 'ws is for loopback only'],
  ['wss://user:secret@gateway.example/v1', 'must not hold credentials'],
  ['gateway', 'is not a URL'],
])('%s is refused', (url, message) => {
  expect(() => openNotifications({ url, authenticate: byToken, onEvent: () => {} })).toThrow(message);
});

test('what a service says as it closes shows no credential, in one line', async () => {
  const { url } = await serving((n, socket) =>
    n === 1 ? socket.close(1011, 'a-token\u2028expired') : socket.close(4000, 'no a-token'),
  );
  const states: unknown[] = [];
  const notifications = closing(
    openNotifications({
      url,
      authenticate: byToken,
      onEvent: () => {},
      onState: (state) => states.push(state),
      ...QUICK,
    }),
  );
  await expect(notifications.done).rejects.toThrow('refused the credentials (4000): no [redacted]');
  expect(states).toContainEqual(expect.objectContaining({ reason: '1011 [redacted] expired' }));
});
