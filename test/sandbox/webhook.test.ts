// The authorization webhook: called for each transaction of a client, and its answer decides.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { parseExact } from '../../src/base/json.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { act, ask, type Loose, tell, world } from './asker.ts';

type Call = { readonly target: string | undefined; readonly key: string | undefined; readonly body: Loose };

let backend: Server;
let sandbox: Sandbox;
afterEach(async () => {
  await sandbox.close();
  backend.close();
});

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

/** A stand-in with a backend that answers like this, and the calls that it received. */
const open = async (respond: (response: ServerResponse) => void, below = ''): Promise<Call[]> => {
  const calls: Call[] = [];
  backend = createServer(async (request, response) => {
    const body = parseExact(await textOf(request));
    calls.push({ target: request.url, key: request.headers.authorization, body });
    respond(response);
  });
  await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  sandbox = await startSandbox({
    seed: 12,
    until: '2026-11-03T00:00:00Z',
    days: 5,
    webhook: { url: url + below, vendor: 'acme', key: 'shared' },
  });
  return calls;
};

/** Sends one euro to an e-mail address. */
const pay = async () => {
  const pockets = (await ask(sandbox, '/v1/wallet/pocket')).body;
  const pocket = pockets.find((row: Loose) => row.currency === 'EUR' && row.balance > 10);
  const { code } = await act(sandbox, 'code', {});
  const body = { pocketId: pocket.id, type: 'email', email: 'a@example.com', amount: '1', currency: 'EUR' };
  return tell(sandbox, 'POST /v2/social-pay/order', body, { 'x-totp': code });
};

test('an authorized transaction happens', async () => {
  const calls = await open((response) => response.end('{"authorized":true}'));
  const before = await world(sandbox, 'truth');
  const { status, body } = await pay();
  expect(status).toBe(200);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    target: '/v1/acme/transaction/authorize',
    key: 'shared',
    body: {
      transactionId: body.walletMovementId,
      userId: sandbox.world.entities[0]?.userId,
      amount: '1',
      currency: 'EUR',
    },
  });
  expect((await world(sandbox, 'truth')).balances).not.toEqual(before.balances);
  expect((await ask(sandbox, `/v1/wallet/transaction/${body.walletMovementId}`)).status).toBe(200);
});

test('a deposit to the trading wallet is authorized under the id of its wallet transaction', async () => {
  const calls = await open((response) => response.end('{"authorized":true}'));
  const pockets = (await ask(sandbox, '/v1/wallet/pocket')).body;
  const pocket = pockets.find((row: Loose) => row.currency === 'EUR' && row.balance > 10);
  const body = { fromPocketId: pocket.id, amount: '2', currency: 'EUR' };
  expect((await tell(sandbox, 'POST /v1/trading/wallet/deposit', body)).status).toBe(200);
  const { data } = (await ask(sandbox, '/v3/wallet/transaction?limit=1')).body;
  expect(calls[0]?.body).toMatchObject({ transactionId: data[0].id, type: data[0].type, amount: '2' });
});

test.each(['/hooks', '/hooks/'])('a backend below the path %s is called there', async (below) => {
  const calls = await open((response) => response.end('{"authorized":true}'), below);
  expect((await pay()).status).toBe(200);
  expect(calls[0]?.target).toBe('/hooks/v1/acme/transaction/authorize');
});

test('writes of one account at the same time are authorized one after another, each once', async () => {
  const calls = await open((response) => setTimeout(() => response.end('{"authorized":true}'), 20));
  const pockets = (await ask(sandbox, '/v1/wallet/pocket')).body;
  const pocket = pockets.find((row: Loose) => row.currency === 'EUR' && row.balance > 20);
  const body = { fromPocketId: pocket.id, amount: '1', currency: 'EUR' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => tell(sandbox, 'POST /v1/trading/wallet/deposit', body)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(new Set(calls.map((call) => call.body.transactionId)).size).toBe(10);
  expect(calls).toHaveLength(10);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['a no', (response) => response.end('{"authorized":false}')],
  ['a no and a yes', (response) => response.end('{"authorized":false,"authorized":true}')],
  ['a text', (response) => response.end('yes')],
  ['an error', (response) => response.writeHead(500).end('{"authorized":true}')],
  ['a broken connection', (response) => response.destroy()],
])('%s is 423, and nothing moves', async (_, respond) => {
  await open(respond);
  const before = await world(sandbox, 'truth');
  expect((await pay()).body).toMatchObject({ statusCode: '423', error: 'Locked' });
  expect((await world(sandbox, 'truth')).balances).toEqual(before.balances);
});

test('a transaction that was refused does not give its id to the next one', async () => {
  let authorized = false;
  const calls = await open((response) => response.end(JSON.stringify({ authorized })));
  expect((await pay()).status).toBe(423);
  expect((await pay()).status).toBe(423);
  authorized = true;
  expect((await pay()).status).toBe(200);
  expect(new Set(calls.map(({ body }) => body.transactionId)).size).toBe(3);
});
