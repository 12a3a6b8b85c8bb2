// An impostor that listens where our database should be: it never receives the password.
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, openSession } from '../../src/database/connection.ts';

const PASSWORD = 'battery-staple';
const CLEAR = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const MD5 = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]);

let impostor: Server;
let challenge: Buffer;
let heard: Buffer[];

beforeEach(async () => {
  heard = [];
  impostor = createServer((socket: Socket) => {
    socket.once('data', () => {
      socket.on('data', (bytes) => heard.push(bytes));
      socket.write(challenge);
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(impostor, 'listening');
});
afterEach(async () => {
  impostor.close();
});

const url = () =>
  `postgresql://tieout:${PASSWORD}@127.0.0.1:${(impostor.address() as { port: number }).port}/books`;
const REFUSED = /asks for the password in clear text or as MD5, but tieout only accepts SCRAM-SHA-256: set/;

test.each([
  ['in clear text', CLEAR],
  ['as MD5', MD5],
])('a server that asks for the password %s gets no answer', async (_how, bytes) => {
  challenge = bytes;
  await expect(openSession(url())).rejects.toThrow(REFUSED);
  const { pool, close } = openDatabase(url());
  await expect(pool.query('select 1')).rejects.toThrow(REFUSED);
  await close();
  expect(Buffer.concat(heard).toString('latin1')).toBe('');
});
