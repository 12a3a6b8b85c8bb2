// A client of the stand-in with plain fetch: it uses no code of the client.

import { parseExact } from '../../src/base/json.ts';
import { nowMs } from '../../src/base/time.ts';
import { signature } from '../../src/gateway/signature.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a script would; a wrong path fails the test
export type Loose = any;

type Told = {
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

/** One signed request; numbers in the body are their text. */
export const ask = async (
  sandbox: Sandbox,
  target: string,
  headers: Record<string, string> = {},
): Promise<Told> => {
  const nonce = freshNonce();
  const response = await fetch(sandbox.url + target, {
    headers: {
      'x-api-key': sandbox.apiKey,
      'x-nonce': String(nonce),
      'api-signature': signature(sandbox.apiSecret, { nonce, target }),
      ...headers,
    },
  });
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

export const advance = async (sandbox: Sandbox, step: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.url}/__world/advance`, {
    method: 'POST',
    headers,
    body: JSON.stringify(step),
  });
  return response.status;
};
