// A stand-in behind a proxy that may change each answer: what a gateway may send and our stand-in never does.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

export type Answer = { status: number; headers: Record<string, string>; body: string };

/** Changes the answer to a target in place. */
type Tamper = (target: string, answer: Answer) => void;

/**
 * The same stand-in at another address, where `tamper` sees every answer first. It ignores X-SUBACCOUNT-ID for `ignored`. Closed
 * when the test ends.
 */
export const tampered = async (
  sandbox: Sandbox,
  tamper: Tamper,
  ignored: (subaccount: string) => boolean = () => false,
): Promise<Sandbox> => {
  const server = createServer(async (request, response) => {
    const sent = Object.entries(request.headers).filter(
      ([name, value]) => !HOP.has(name) && !(name === 'x-subaccount-id' && ignored(String(value))),
    );
    const headers = Object.fromEntries(sent);
    const target = request.url ?? '';
    const real = await fetch(`${sandbox.url}${target}`, { headers: headers as Record<string, string> });
    const answer: Answer = {
      status: real.status,
      headers: { 'content-type': 'application/json' },
      body: await real.text(),
    };
    tamper(target, answer);
    if (answer.headers.date !== undefined) response.sendDate = false;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { ...sandbox, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const HOP = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** Changes the JSON of an answer. */
export const edit = (answer: Answer, change: (body: never) => unknown): void => {
  answer.body = JSON.stringify(change(JSON.parse(answer.body) as never));
};
