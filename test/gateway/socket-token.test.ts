// The token of a notification socket: one that the service refuses is not shown again.
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { KEY, SECRET, scriptedFull } from './listener.ts';

test('a socket that is opened after a refusal signs in again', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => server.close());
  const shown: string[] = [];
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      shown.push(JSON.parse(String(data)).payload.token);
      socket.close(4000);
    }),
  );
  const expirationTime = Math.floor(Date.now() / 1_000) + 3_600;
  const script = (n: number) => ({ body: { accessToken: { token: `token-${n}`, expirationTime } } });
  const credentials = { apiKey: KEY, apiSecret: SECRET, auth: 'jwt' } as const;
  const { gateway } = await scriptedFull(script, { credentials });
  const { port } = server.address() as { port: number };
  const refused = () => gateway.notifications({ url: `ws://127.0.0.1:${port}/v1`, onEvent: () => {} }).done;
  await expect(refused()).rejects.toThrow('4000');
  await expect(refused()).rejects.toThrow('4000');
  expect(shown).toEqual(['token-1', 'token-2']);
});
