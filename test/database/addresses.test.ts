// Addresses of a database as their owners write them: with a word about TLS, and without a password.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { inSession } from '../../src/database/connection.ts';
import { emptyDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await emptyDatabase();
});
afterAll(() => books.close());

const entering = (url: string) => inSession(url, 'x', async () => {});

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s is TLS with the server checked, without a warning of the driver',
  async (mode) => {
    const warn = vi.spyOn(process, 'emitWarning');
    await expect(entering(`postgresql://me:x@127.0.0.1:1/books?sslmode=${mode}`)).rejects.toThrow(
      'ECONNREFUSED',
    );
    const server = new URL(books.url);
    server.searchParams.set('sslmode', mode);
    if (server.hostname !== '' && !server.searchParams.has('host'))
      await expect(entering(server.href)).rejects.toThrow('The server does not support SSL connections');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

test('an address without a password names what is missing', async () => {
  const server = new URL(books.url);
  server.password = '';
  await expect(entering(server.href)).rejects.toThrow(
    'cannot be reached: it asks for a password: write user:password before the host in its address',
  );
});

test('a server that accepts the connection and says nothing does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const entering = inSession(`postgresql://me:x@127.0.0.1:${port}/books`, 'x', async () => {}, {
    isStopping: true, // waits for two seconds
  });
  await expect(entering).rejects.toThrow(`127.0.0.1:${port}/books cannot be reached: it does not answer`);
});
