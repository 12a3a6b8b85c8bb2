// Authentication: key, nonce, signature over the raw request target, and the requested entity.
import { createHash, timingSafeEqual } from 'node:crypto';
import { signature } from '../gateway/signature.ts';
import type { Entity } from './entity.ts';
import { invalidCredentials, type Refusal, refusal } from './refusals.ts';

/** Limits, "Nonce clock skew". */
const SKEW_MS = 5000;

export type Keys = { readonly apiKey: string; readonly apiSecret: string };

type SignedRequest = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The request target as received, with its query. */
  readonly target: string;
  /** The machine's clock, Unix milliseconds. */
  readonly now: number;
};

/** Key and secret of a seed. */
export const keysOf = (seed: number): Keys => {
  const digest = (label: string) => createHash('sha256').update(`${seed}:${label}`).digest('hex');
  const key = digest('key');
  return {
    apiKey: [key.slice(0, 8), key.slice(8, 12), key.slice(12, 16), key.slice(16, 20), key.slice(20, 32)].join(
      '-',
    ),
    apiSecret: digest('secret'),
  };
};

/** Checks requests in order; a nonce is valid once. Returns the entity or the refusal. */
export const doorkeeper = (
  keys: Keys,
  entities: readonly Entity[],
): ((request: SignedRequest) => Entity | Refusal) => {
  const used = new Map<number, number>();
  return ({ headers, target, now }) => {
    if (headers['x-api-key'] !== keys.apiKey) return invalidCredentials();
    const nonce = nonceOf(headers['x-nonce']);
    if (nonce === null || Math.abs(now - nonce) > SKEW_MS) return refusal(401, 'Invalid nonce');
    const expected = signature(keys.apiSecret, { nonce, target });
    if (!equal(expected, String(headers['api-signature'] ?? ''))) return refusal(401, 'Invalid signature');
    dropOldNonces(used, now - 3 * SKEW_MS);
    if (used.has(nonce)) return refusal(401, 'Invalid nonce');
    used.set(nonce, now);
    return entityOf(entities, headers['x-subaccount-id']) ?? invalidCredentials();
  };
};

/** Removes nonces before an instant; they are in order of age, so the loop ends at the first newer one. */
const dropOldNonces = (used: Map<number, number>, before: number): void => {
  for (const [nonce, usedAt] of used) {
    if (usedAt >= before) return;
    used.delete(nonce);
  }
};

const nonceOf = (header: unknown): number | null =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number.parseInt(header, 10) : null;

const equal = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
};

const entityOf = (entities: readonly Entity[], subaccount: unknown): Entity | undefined =>
  subaccount === undefined ? entities[0] : entities.slice(1).find(({ entityId }) => entityId === subaccount);
