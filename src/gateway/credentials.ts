// Credentials: what proves who sends a request, and the headers that carry it (Authentication).
import type { Operation } from './contract/operation.ts';
import { signature } from './signature.ts';

/** A pair of keys, which signs each request or signs in for a token; or an access token from a sign-in elsewhere. */
export type Credentials =
  | {
      readonly apiKey: string;
      readonly apiSecret: string;
      /** `jwt`: sign in once and send the token, which is renewed before it expires. Default: sign each request. */
      readonly auth?: 'signature' | 'jwt';
    }
  | { readonly accessToken: string };

/** Throws for credentials that no header can hold. */
export const checkCredentials = (credentials: Credentials): void => {
  if ('accessToken' in credentials) {
    if (!/^[!-~]+$/.test(credentials.accessToken))
      throw new Error('the gateway access token is empty or holds what no header can');
    return;
  }
  if (!/^[!-~]+$/.test(credentials.apiKey))
    throw new Error('the gateway API key is empty or holds what no header can');
  if (credentials.apiSecret === '') throw new Error('the gateway API secret is empty');
};

/** What no message may show. */
export const secretsOf = (credentials: Credentials): string[] =>
  'accessToken' in credentials ? [credentials.accessToken] : [credentials.apiSecret, credentials.apiKey];

/** Why these credentials cannot send the operation; null if they can. */
export const lackOf = ({ auth }: Pick<Operation, 'auth'>, credentials: Credentials | null): string | null => {
  if (auth !== 'private' && auth !== 'signed') return null;
  if (credentials === null) return 'credentials: the operation needs an API key';
  return auth === 'signed' && 'accessToken' in credentials
    ? 'credentials: the operation needs an API key, not an access token'
    : null;
};

/** Whether the operation is sent with a token, given these credentials. */
export const needsToken = ({ auth }: Pick<Operation, 'auth'>, credentials: Credentials | null): boolean =>
  (auth === 'private' || auth === 'optional') &&
  credentials !== null &&
  ('accessToken' in credentials || credentials.auth === 'jwt');

type SignableCall = {
  readonly auth: Operation['auth'];
  readonly nonce: number;
  readonly target: string;
  readonly body: string | undefined;
  readonly token: string | null;
};

/** The headers that prove the sender. Public operations and the sign-in by embed token have none. */
export const credentialHeaders = (
  credentials: Credentials | null,
  { auth, nonce, target, body, token }: SignableCall,
): Record<string, string> => {
  if (token !== null) return { authorization: `Bearer ${token}` };
  const isSigned = auth === 'private' || auth === 'signed' || auth === 'optional';
  if (!isSigned || credentials === null || 'accessToken' in credentials) return {};
  const message = body === undefined ? { nonce, target } : { nonce, target, body };
  return {
    'x-api-key': credentials.apiKey,
    'x-nonce': String(nonce),
    'api-signature': signature(credentials.apiSecret, message),
  };
};
