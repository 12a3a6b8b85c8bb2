// The API keys of the stand-in: the first comes from the seed; more can be created, changed and revoked, at once.
import { createHash } from 'node:crypto';

export const SCOPES = ['read', 'trade', 'withdraw'] as const;
export type Scope = (typeof SCOPES)[number];

type Keys = { readonly apiKey: string; readonly apiSecret: string };

/** What a key may do, and from which addresses; null: from any. */
type KeyTerms = { readonly scopes: readonly Scope[]; readonly addresses: readonly string[] | null };

export type ApiKey = Keys & KeyTerms;

export type ApiKeys = {
  readonly find: (apiKey: string) => ApiKey | undefined;
  readonly create: (terms: KeyTerms) => ApiKey;
  /** Both are false for an unknown key. */
  readonly change: (apiKey: string, terms: Partial<KeyTerms>) => boolean;
  readonly revoke: (apiKey: string) => boolean;
};

/** A secret of a seed, by its purpose: 64 hexadecimal digits. */
export const seedSecret = (seed: number, purpose: string): string =>
  createHash('sha256').update(`${seed}:${purpose}`).digest('hex');

const keysOf = (seed: number, nth: number): Keys => {
  const suffix = nth === 1 ? '' : `:${nth}`;
  const key = seedSecret(seed, `key${suffix}`);
  const parts = [key.slice(0, 8), key.slice(8, 12), key.slice(12, 16), key.slice(16, 20), key.slice(20, 32)];
  return { apiKey: parts.join('-'), apiSecret: seedSecret(seed, `secret${suffix}`) };
};

/** No key yet. The same calls create the same keys. */
export const apiKeysOf = (seed: number): ApiKeys => {
  const keys = new Map<string, ApiKey>();
  let created = 0;
  return {
    find: (apiKey) => keys.get(apiKey),
    create: (terms) => {
      created += 1;
      const key = { ...keysOf(seed, created), ...terms };
      keys.set(key.apiKey, key);
      return key;
    },
    change: (apiKey, terms) => {
      const key = keys.get(apiKey);
      if (key) keys.set(apiKey, { ...key, ...terms });
      return key !== undefined;
    },
    revoke: (apiKey) => keys.delete(apiKey),
  };
};
