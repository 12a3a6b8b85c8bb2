// Certificates are verified, whatever the environment says (Signature rule: validate the server TLS certificate).
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { newFolder } from '../room.ts';
import { failureOfCall, KEY, SECRET } from './listener.ts';

const selfSigned = (...purpose: readonly string[]) => {
  const folder = newFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...purpose, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  return { key: readFileSync(key), cert: readFileSync(cert) };
};

const noOpenssl = spawnSync('openssl', ['version']).status !== 0;

test.skipIf(noOpenssl)('a certificate of another purpose is refused at once too', async () => {
  const { key, cert } = selfSigned('-addext', 'extendedKeyUsage=clientAuth');
  const server = createServer({ key, cert }, (_, response) => response.end('[]'));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const trusting = tls.createSecureContext;
  vi.spyOn(tls, 'createSecureContext').mockImplementation((options) => trusting({ ...options, ca: cert }));
  onTestFinished(() => void vi.restoreAllMocks());
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const gateway = openReadGateway({ baseUrl, apiKey: 'k', apiSecret: 's', rpm: 60 });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({
    failure: 'untrusted',
    tries: 1,
  });
  await gateway.close();
  server.close();
});

test.skipIf(noOpenssl)('an untrusted certificate is refused at once', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  let requests = 0;
  const server = createServer(selfSigned(), (_, response) => {
    requests += 1;
    response.end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const baseUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  const gateway = openReadGateway({ baseUrl, apiKey: 'k', apiSecret: 's', rpm: 60 });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({
    failure: 'untrusted',
    tries: 1,
  });
  expect(requests).toBe(0);
  await gateway.close();
  server.close();
});

test('a server without TLS is named as such, without the lines of OpenSSL', async () => {
  const server = createSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gateway = openReadGateway({ baseUrl, apiKey: KEY, apiSecret: SECRET, rpm: 600, retries: 0 });
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(String(error)).toContain(
    'no answer (unreachable): the server does not speak TLS at this address and port (ERR_SSL_WRONG_VERSION_NUMBER) [',
  );
  await gateway.close();
  server.close();
});
