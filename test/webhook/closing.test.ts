// What arrives while the webhook's server closes.
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { openStageAfterNight } from '../jobs/stage.ts';
import { KEY, serve } from './serving.ts';

const BODY = '{"transactionId":"t1","userId":"u1","type":"withdrawal","amount":"10.50","currency":"EUR"}';
const HEAD = `POST /v1/acme/transaction/authorize HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nauthorization: ${KEY}\r\n`;

test('a request that has begun to arrive is answered and stored while the server closes', async () => {
  const stage = await openStageAfterNight({}, afterAll);
  const { url, end } = await serve(stage.settings());
  const socket = connect(Number.parseInt(new URL(url).port, 10), '127.0.0.1').setEncoding('utf8');
  socket.write(HEAD);
  const isServed = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  expect(await isServed()).toBe(true); // by then the other request has begun to arrive
  const ended = end();
  await expect.poll(isServed).toBe(false); // it takes no connection any more
  socket.write(`content-length: ${BODY.length}\r\n\r\n${BODY}`);
  expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 .*\{"authorized":true\}$/s);
  await ended;
  expect(await stage.rows('select is_authorized from land.authorizations')).toEqual([
    { is_authorized: true },
  ]);
});
