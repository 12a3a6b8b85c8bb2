// The notice after a run: to a program and to an address.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deliver } from '../../src/monitor/monitor.ts';
import type { Notice } from '../../src/monitor/notice.ts';
import { newFolder } from '../room.ts';

const NOTICE: Notice = {
  job: 'nightly',
  outcome: 'failure',
  exit_code: 2,
  summary: 'no answer; rm -rf $HOME',
  started_at: '2026-11-22T02:30:00.000Z',
  finished_at: '2026-11-22T02:30:20.000Z',
};

const script = (text: string): string => {
  const file = join(newFolder(), 'notify');
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o700);
  return file;
};

test('a program gets the JSON, four variables, its arguments, and nothing of our settings', async () => {
  vi.stubEnv('GATEWAY_API_SECRET', 'hunter2');
  const out = join(newFolder(), 'out');
  const file = script(
    '{ cat; echo "$TIEOUT_JOB $TIEOUT_OUTCOME $TIEOUT_EXIT_CODE $TIEOUT_SUMMARY"; echo "$2"; env; } >"$1"',
  );
  expect(await deliver(`${file} ${out} $(id)`, NOTICE)).toBeNull();
  vi.unstubAllEnvs();
  const [json = '', words, second, ...variables] = readFileSync(out, 'utf8').split('\n');
  expect(JSON.parse(json)).toEqual(NOTICE);
  expect([words, second]).toEqual(['nightly failure 2 no answer; rm -rf $HOME', '$(id)']);
  expect(variables.join('\n')).not.toContain('hunter2');
});

test.each([
  ['exit 3', /^the program of TIEOUT_ON_FINISH exited with 3: it printed nothing$/],
  ['echo no such channel; exit 1', /^the program of TIEOUT_ON_FINISH exited with 1: no such channel$/],
])('a program that fails: %s', async (text, failure) => {
  expect(await deliver(script(text), NOTICE)).toMatch(failure);
});

test.each([
  ['that is not there', () => '/nowhere/notify', 'ENOENT'],
  ['that may not be executed', () => newFolder(), 'EACCES'],
])('a program %s cannot be started', async (_, fileOf, code) => {
  expect(await deliver(fileOf(), NOTICE)).toBe(
    `the program of TIEOUT_ON_FINISH cannot be started (${code}): check its path, its permissions and its interpreter`,
  );
});

test('a summary too long for the environment is cut there, and whole in the JSON', async () => {
  const notice = { ...NOTICE, summary: 'x'.repeat(5_000_000) };
  const out = join(newFolder(), 'out');
  expect(await deliver(`${script('{ cat; echo "$TIEOUT_SUMMARY"; } >"$1"')} ${out}`, notice)).toBeNull();
  const [json = '', variable] = readFileSync(out, 'utf8').split('\n');
  expect([JSON.parse(json), variable]).toEqual([notice, 'x'.repeat(10_000)]);
});

test('a line without an end is cut', async () => {
  const failure = await deliver(script('head -c 1000000 /dev/zero | tr "\\0" x; exit 1'), NOTICE);
  expect(failure).toMatch(/^the program of TIEOUT_ON_FINISH exited with 1: x{500}…$/);
});

/** A server that answers with a status, and what it received. */
const listener = async (status: number) => {
  const received: { method: string | undefined; type: string | undefined; body: unknown }[] = [];
  const bodyOf = async (request: IncomingMessage) =>
    JSON.parse(Buffer.concat(await request.toArray()).toString());
  const server = createServer(async (request, response) => {
    received.push({
      method: request.method,
      type: request.headers['content-type'],
      body: await bodyOf(request),
    });
    response.writeHead(status, { location: '/elsewhere' }).end('text');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/T0/secret`, received };
};

test('an address gets one POST of the JSON', async () => {
  const { url, received } = await listener(204);
  expect(await deliver(url, NOTICE)).toBeNull();
  expect(received).toEqual([{ method: 'POST', type: 'application/json', body: NOTICE }]);
});

test.each([302, 500])(
  'an answer of %i is a failure, is not followed, and does not show the address',
  async (status) => {
    const { url, received } = await listener(status);
    expect(await deliver(url, NOTICE)).toBe(`the address of TIEOUT_ON_FINISH answers ${status}`);
    expect(received).toHaveLength(1);
  },
);

test('an address that nobody serves', async () => {
  expect(await deliver('http://127.0.0.1:9/T0/secret', NOTICE)).toBe(
    'the address of TIEOUT_ON_FINISH cannot be reached (ECONNREFUSED)',
  );
});

test.each([
  ['speaks first', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['says nothing and hangs up', ''],
])('an address that is reached and %s is not said to be out of reach', async (_, greeting) => {
  const server = createListener((socket) => socket.end(greeting).on('error', () => {}));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await deliver(`http://127.0.0.1:${port}/`, NOTICE)).toMatch(
    /^the address of TIEOUT_ON_FINISH does not answer as HTTP \([A-Za-z_]+\)$/,
  );
});

test('a program has 10 seconds left once a signal stops tieout, before it began or while it runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = new AbortController();
  const file = script('exec sleep 60');
  const killed = /was killed after the 10 s that it has when a signal stops tieout: it printed nothing$/;
  const running = deliver(file, NOTICE, stop);
  stop.abort();
  const late = deliver(file, NOTICE, stop);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await running).toMatch(killed);
  expect(await late).toMatch(killed);
});
