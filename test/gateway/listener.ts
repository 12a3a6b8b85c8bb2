// A real HTTP server on loopback that answers by a test's script, and records the requests.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  openReadGateway,
  type ReadGateway,
  type ReadGatewayOptions,
  type RequestEvent,
} from '../../src/gateway/client.ts';
import {
  type Credentials,
  type Gateway,
  type GatewayOptions,
  openGateway,
} from '../../src/gateway/gateway.ts';
import { signature } from '../../src/gateway/signature.ts';

export type Seen = {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly nonce: number;
  readonly body: string;
};

export type Reply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Text, or a value that is sent as JSON. */
  readonly body?: unknown;
  readonly delayMs?: number;
  /** The answer waits for it. */
  readonly after?: Promise<unknown>;
  /** Close the socket instead of answering, or in the middle of the body. */
  readonly reset?: 'at once' | 'midway';
};

/** The reply to the n-th request, from 1. */
type Script = (n: number, seen: Seen) => Reply;

export const KEY = 'key-0123456789abcdef';
export const SECRET = 'sEcret+/of=no account';

/** A server that runs `script`, and what it received. Closed when the test ends. */
const listening = async (script: Script) => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const received = { method, target: url, headers, nonce: Number(headers['x-nonce']), body };
    seen.push(received);
    const reply = script(seen.length, received);
    await reply.after;
    setTimeout(() => send(response, reply), reply.delayMs ?? 0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};

/** A reading gateway over a server that runs `script`. Closed when the test ends. */
export const scripted = async (script: Script, options: Partial<ReadGatewayOptions> = {}) => {
  const { baseUrl, seen } = await listening(script);
  const events: RequestEvent[] = [];
  const onRequest = (event: RequestEvent) => events.push(event);
  const credentials = { apiKey: KEY, apiSecret: SECRET };
  const defaults = { baseUrl, ...credentials, rpm: 600, backoffMs: 1, onRequest };
  const gateway: ReadGateway = openReadGateway({ ...defaults, ...options });
  onTestFinished(() => gateway.close());
  return { gateway, seen, events };
};

/** A gateway with every operation over a server that runs `script`. Closed when the test ends. */
export const scriptedFull = async (script: Script, options: Partial<GatewayOptions> = {}) => {
  const { baseUrl, seen } = await listening(script);
  const credentials: Credentials = { apiKey: KEY, apiSecret: SECRET };
  const gateway: Gateway = openGateway({ baseUrl, credentials, backoffMs: 1, ...options });
  onTestFinished(() => gateway.close());
  return { gateway, seen };
};

const send = (response: ServerResponse, { status = 200, headers = {}, body = [], reset }: Reply): void => {
  if (reset === 'at once') return void response.socket?.destroy();
  const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
  if (headers.date !== undefined) response.sendDate = false;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  if (reset !== 'midway') return void response.end(bytes);
  response.write('[{"id":');
  setTimeout(() => response.socket?.destroy(), 5);
};

/** Whether a request has the correct signature for its nonce and target. */
export const isSigned = ({ headers, nonce, target, body }: Seen): boolean =>
  headers['api-signature'] === signature(SECRET, { nonce, target, ...(body !== '' && { body }) });

/** The failure of a failed call. */
export const failureOfCall = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('the call did not fail');
    },
    (error: unknown) => error,
  );
