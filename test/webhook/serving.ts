// The webhook served over the books of a stage, and requests to it.
import { once } from 'node:events';
import { connect } from 'node:net';
import { parseExact } from '../../src/base/json.ts';
import type { GatewayConfig, WebhookConfig } from '../../src/config/environment.ts';
import { serveWebhook, type WebhookEvent } from '../../src/webhook/webhook.ts';

export const KEY = 'a-key-of-the-platform';
const PATH = '/v1/acme/transaction/authorize';

export type Served = {
  readonly url: string;
  readonly events: WebhookEvent[];
  readonly end: () => Promise<void>;
};

type Settings = Partial<WebhookConfig['webhook']> & { readonly port?: number };

/** Serves until `end`. */
export const serve = async (
  config: GatewayConfig,
  { port = 0, ...webhook }: Settings = {},
): Promise<Served> => {
  const stop = new AbortController();
  const events: WebhookEvent[] = [];
  const settings = {
    ...config,
    webhook: { key: KEY, answer: 'authorize' as const, limits: null, ...webhook },
  };
  let over: Promise<void> = Promise.resolve();
  const url = await new Promise<string>((done, fail) => {
    over = serveWebhook(settings, {
      host: '127.0.0.1',
      port,
      path: PATH.replace('acme', '{vendor}'),
      signal: stop.signal,
      onListening: (address) => done(new URL(address).origin),
      onEvent: (event) => void events.push(event),
    });
    over.catch(fail);
  });
  const end = async () => {
    stop.abort();
    await over;
  };
  return { url, events, end };
};

type Reply = { readonly status: number; readonly body: unknown };

/** One delivery with the key; a body that is no text is sent as JSON. */
export const deliver = async (
  { url }: Pick<Served, 'url'>,
  body: unknown,
  { path = PATH, ...init }: RequestInit & { readonly path?: string } = {},
): Promise<Reply> => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: KEY },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    ...init,
  });
  return { status: response.status, body: parseExact(await response.text()) };
};

/** What the server sends before it closes a connection that never ends its request. */
export const slowly = ({ url }: Pick<Served, 'url'>): Promise<string> =>
  new Promise((done) => {
    let text = '';
    const socket = connect(Number.parseInt(new URL(url).port, 10), '127.0.0.1');
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => done(text));
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nauthorization: ${KEY}\r\ncontent-length: 9\r\n\r\n{`,
    );
  });

/** The error of a client that never ends its request, and never closes its side, once nobody is there any more. */
export const heldOpen = async ({ url }: Pick<Served, 'url'>): Promise<string> => {
  const port = Number.parseInt(new URL(url).port, 10);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.resume().write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\n`);
  await once(socket, 'end');
  const sending = setInterval(() => socket.write('x'), 100);
  const [{ code }] = await once(socket, 'error', { signal: AbortSignal.timeout(5_000) });
  clearInterval(sending);
  return code;
};
