// Who a request comes from, by the signature of an API key or by a token, and for which entity.

import { parseExact } from '../../base/json.ts';
import { signature } from '../../gateway/contract/contract.ts';
import type { Operation } from '../../gateway/contract/operation.ts';
import type { Entity } from '../entity.ts';
import type { Platform } from '../platform.ts';
import { invalidCredentials, type Refusal, refusal } from '../refusals.ts';
import type { World } from '../world.ts';
import { type ApiKey, type ApiKeys, apiKeysOf, SCOPES, type Scope, seedSecret } from './api-keys.ts';
import { authenticatorSecret, secondFactorOf } from './second-factor.ts';
import { equalText, type Tokens, tokensOf } from './tokens.ts';

/** Limits, "Nonce clock skew". */
const SKEW_MS = 5000;

type AccessOptions = {
  readonly seed: number;
  /** Each nonce of a key must be greater than the last. */
  readonly isStrict: boolean;
  readonly tokenSeconds: number;
  /** The machine's clock, Unix milliseconds. */
  readonly now: () => number;
};

export type Access = {
  readonly keys: ApiKeys;
  readonly tokens: Tokens;
  readonly tokenSeconds: number;
  readonly now: () => number;
  /** The last nonce of each key, if nonces are strict. */
  readonly nonces: Map<string, number> | null;
};

/** Keys, tokens and secrets of a seed; no key has been created. */
export const accessOf = ({ seed, isStrict, tokenSeconds, now }: AccessOptions): Access => ({
  keys: apiKeysOf(seed),
  tokens: tokensOf(seedSecret(seed, 'tokens'), now),
  tokenSeconds,
  now,
  nonces: isStrict ? new Map() : null,
});

/** Gives the main account an authenticator, and returns its secret. */
export const enrolMain = (platform: Platform, { entities }: World, seed: number): string => {
  const secret = authenticatorSecret(seedSecret(seed, 'totp'));
  const main = entities[0];
  if (main) secondFactorOf(platform, main.userId).secret = secret;
  return secret;
};

type PresentedRequest = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The request target as received, with its query. */
  readonly target: string;
  /** The bytes of the body as received; null if there are none. */
  readonly body: Uint8Array | null;
  /** The address of the client. */
  readonly address: string;
};

/** Who sent a request: the user, the entity that the user acts for, and the key behind it. */
export type Visitor = {
  readonly user: Entity;
  readonly entity: Entity;
  readonly apiKey: string | null;
  readonly scopes: readonly Scope[];
};

export type AccessContext = { readonly world: World; readonly platform: Platform; readonly access: Access };

/** Admits a request to an operation; null for one without credentials where none are needed. */
export const admit = (
  context: AccessContext,
  operation: Pick<Operation, 'auth' | 'badCredentials'>,
  request: PresentedRequest,
): Visitor | Refusal | null => {
  const { headers } = request;
  const { auth, badCredentials } = operation;
  if (auth === 'none' || auth === 'embed-token') return null;
  const refused = badCredentials === 403 ? invalidCredentials() : refusal(401, 'Unauthorized');
  if (headers['x-api-key'] !== undefined) return byKey(context, badCredentials, request);
  if (headers.authorization === undefined || auth === 'signed') return auth === 'optional' ? null : refused;
  return byToken(context, request);
};

const isText = (header: unknown, expected: string): boolean =>
  typeof header === 'string' && equalText(header, expected);

/** 403 for an unknown key or a wrong address; a bad nonce or signature has the operation's status (A-REFUSED). */
const byKey = (
  context: AccessContext,
  badCredentials: 401 | 403,
  request: PresentedRequest,
): Visitor | Refusal => {
  const { headers, address } = request;
  const key = context.access.keys.find(String(headers['x-api-key']));
  if (key === undefined || !isFrom(key, address)) return invalidCredentials();
  const reason = signatureFault(context.access, key, request);
  if (reason !== null) return badCredentials === 403 ? invalidCredentials() : refusal(401, reason);
  return visitorOf(context, headers, { userId: context.world.entities[0]?.userId, key });
};

/** A token lives as long as the key that it was obtained with. */
const byToken = (context: AccessContext, { headers, address }: PresentedRequest): Visitor | Refusal => {
  const [scheme, token = ''] = String(headers.authorization).split(' ');
  const owner = scheme?.toLowerCase() === 'bearer' ? context.access.tokens.read('access', token) : null;
  const key = owner?.apiKey == null ? null : context.access.keys.find(owner.apiKey);
  if (owner === null || key === undefined) return refusal(401, 'Invalid token');
  if (key !== null && !isFrom(key, address)) return invalidCredentials();
  return visitorOf(context, headers, { userId: owner.userId, key });
};

/** Whether a key may be used from an address; an IPv4 address may be written as an IPv6 one. */
const isFrom = ({ addresses }: ApiKey, address: string): boolean =>
  addresses === null || addresses.includes(address.replace(/^::ffff:/, ''));

const signatureFault = (
  { nonces, now }: Access,
  { apiKey, apiSecret }: ApiKey,
  { headers, target, body }: PresentedRequest,
): string | null => {
  const nonce = nonceOf(headers['x-nonce']);
  if (nonce === null || Math.abs(now() - nonce) > SKEW_MS) return 'Invalid nonce';
  const expected = signature(apiSecret, { nonce, target, ...(body !== null && { body }) });
  if (!isText(headers['api-signature'], expected)) return 'Invalid signature';
  if (body !== null && isSpacedJson(body)) return 'Invalid signature: the signed body must be compact JSON';
  if (nonces !== null && nonce <= (nonces.get(apiKey) ?? 0)) return 'Invalid nonce';
  nonces?.set(apiKey, nonce);
  return null;
};

const STRING = /"(?:[^"\\]|\\.)*"?/gs;

/** Whether a body is JSON with spaces outside of its strings: the signature rule says "compact with no spaces". */
const isSpacedJson = (body: Uint8Array): boolean => {
  const text = new TextDecoder().decode(body);
  if (!/[ \t\r\n]/.test(text.replaceAll(STRING, ''))) return false;
  try {
    parseExact(text);
    return true;
  } catch {
    return false; // the validation refuses it
  }
};

const nonceOf = (header: unknown): number | null =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number.parseInt(header, 10) : null;

/** What authenticates on the notification socket. */
export type Credentials = { readonly token: string } | { readonly apikey: readonly [string] };

/** The user of a token for the trading socket; undefined if it is not valid, or its key may no longer be used. */
export const tradingUser = (
  { access, ...context }: AccessContext,
  token: string,
  address: string,
): Entity | undefined => {
  const owner = access.tokens.read('trading', token);
  const key = owner?.apiKey == null ? null : access.keys.find(owner.apiKey);
  const isValid = key !== undefined && (key === null || isFrom(key, address));
  return presentEntities(context).find(({ userId }) => isValid && userId === owner?.userId);
};

/** The users whose notices credentials open; none if they are not valid. The main account receives those of all. */
export const usersOf = (
  context: AccessContext,
  presented: Credentials & { readonly address: string },
): readonly Entity[] => {
  const { keys, tokens } = context.access;
  const owner = 'token' in presented ? tokens.read('access', presented.token) : null;
  const keyName = 'token' in presented ? owner?.apiKey : presented.apikey[0];
  const key = keyName == null ? null : keys.find(keyName);
  const isKey = key === null ? owner !== null : key !== undefined && isFrom(key, presented.address);
  const userId = 'token' in presented ? owner?.userId : context.world.entities[0]?.userId;
  const present = presentEntities(context);
  const user = present.find((entity) => isKey && entity.userId === userId);
  if (user === undefined) return [];
  return user === context.world.entities[0] ? present : [user];
};

type Owner = { readonly userId: string | undefined; readonly key: ApiKey | null };

const visitorOf = (
  context: AccessContext,
  headers: PresentedRequest['headers'],
  { userId, key }: Owner,
): Visitor | Refusal => {
  const user = presentEntities(context).find((entity) => entity.userId === userId);
  const entity = user && actedFor(context, user, headers['x-subaccount-id']);
  if (user === undefined || entity === undefined) return invalidCredentials();
  return { user, entity, apiKey: key?.apiKey ?? null, scopes: key?.scopes ?? SCOPES };
};

/** The main account acts for itself and for each subaccount; a subaccount for itself. */
const actedFor = (context: AccessContext, user: Entity, subaccount: unknown): Entity | undefined => {
  if (subaccount === undefined) return user;
  const isMain = user === context.world.entities[0];
  const reachable = isMain ? presentEntities(context) : [user];
  return reachable.find(({ entityId, userId }) => (entityId === 'main' ? userId : entityId) === subaccount);
};

const REMOVED = { name: 'removed-accounts', empty: () => new Set<string>() };

/** Every entity whose account has not been deleted. */
export const presentEntities = ({
  world,
  platform,
}: Pick<AccessContext, 'world' | 'platform'>): readonly Entity[] =>
  world.entities.filter(({ userId }) => !platform.on(REMOVED).has(userId));

/** Deletes an account: from now on no credentials of it are valid. */
export const removeAccount = (platform: Platform, { userId }: Entity): void =>
  void platform.on(REMOVED).add(userId);
