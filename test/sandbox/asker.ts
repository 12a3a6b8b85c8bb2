// A client of the stand-in with plain fetch: it uses no code of the client.

import { parseExact } from '../../src/base/json.ts';
import { nowMs } from '../../src/base/time.ts';
import { signature } from '../../src/gateway/signature.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a script would; a wrong path fails the test
export type Loose = any;

type SandboxReply = {
  readonly status: number;
  readonly text: string;
  readonly body: Loose;
  readonly headers: Headers;
};

let last = 0;
/** A nonce that is new, and hardly ahead of the clock. */
export const freshNonce = (): number => {
  last = Math.max(last + 1, nowMs());
  return last;
};

type Keys = { readonly apiKey: string; readonly apiSecret: string };

/** The headers of a signed request. */
export const signedBy = (
  { apiKey, apiSecret }: Keys,
  target: string,
  body?: string | Uint8Array,
): Record<string, string> => {
  const nonce = freshNonce();
  return {
    'x-api-key': apiKey,
    'x-nonce': String(nonce),
    'api-signature': signature(apiSecret, { nonce, target, ...(body !== undefined && { body }) }),
  };
};

/** One signed request without a body; numbers in the answer are their text. */
export const ask = (
  sandbox: Sandbox,
  target: string,
  headers: Record<string, string> = {},
): Promise<SandboxReply> => send(sandbox, `GET ${target}`, { ...signedBy(sandbox, target), ...headers });

/** One signed request with a body, as `POST /v1/…`. */
export const tell = (
  sandbox: Sandbox,
  call: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<SandboxReply> => {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const [, target = ''] = call.split(' ');
  return send(sandbox, call, { ...signedBy(sandbox, target, json), ...headers }, json);
};

/** One request as it is, as `POST /v1/…`. */
export const send = async (
  { url }: { readonly url: string },
  call: string,
  headers: Record<string, string> = {},
  body?: string | Uint8Array<ArrayBuffer>,
): Promise<SandboxReply> => {
  const [method = '', target = ''] = call.split(' ');
  const content =
    body === undefined ? {} : { body, headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url + target, { method, headers, ...content });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, text, body: json ? parseExact(text) : null, headers: response.headers };
};

/** The header that selects an entity. */
export const as = (entityId: string): Record<string, string> =>
  entityId === 'main' ? {} : { 'X-SUBACCOUNT-ID': entityId };

/** A route of the world itself. */
export const world = async (sandbox: Sandbox, path: string): Promise<Loose> =>
  parseExact(await (await fetch(`${sandbox.url}/__world/${path}`)).text());

/** An action under /__world. */
export const act = async (sandbox: Sandbox, path: string, body: object): Promise<Loose> =>
  (await send(sandbox, `POST /__world/${path}`, {}, JSON.stringify(body))).body;

export const advance = async (sandbox: Sandbox, step: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.url}/__world/advance`, {
    method: 'POST',
    headers,
    body: JSON.stringify(step),
  });
  return response.status;
};
