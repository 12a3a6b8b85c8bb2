// Tokens: JSON Web Tokens (HS256) of the stand-in, each for one purpose and with an expiry.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** `embed` signs a subaccount in; `trading` opens the trading socket. */
type TokenKind = 'access' | 'refresh' | 'embed' | 'trading';

/** Whose token it is, and the key that it was obtained with, or null. */
type TokenOwner = { readonly userId: string; readonly apiKey: string | null };

/** `expirationTime` is Unix time in seconds (assumption A-TOKENS). */
export type Token = { readonly token: string; readonly expirationTime: number };

export type Tokens = {
  readonly issue: (kind: TokenKind, owner: TokenOwner, seconds: number) => Token;
  /** null if the token is not ours, of another kind, or expired. */
  readonly read: (kind: TokenKind, token: string) => TokenOwner | null;
};

type Claims = {
  readonly sub: string;
  readonly kind: TokenKind;
  readonly key: string | null;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const HEAD = encoded({ alg: 'HS256', typ: 'JWT' });

/** Longer texts are no token of ours. */
const LENGTH_MAX = 2_000;

/** Tokens signed with a secret; `now` is the clock, Unix milliseconds. */
export const tokensOf = (secret: string, now: () => number): Tokens => {
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');
  const nowSeconds = (): number => Math.floor(now() / 1000);
  return {
    issue: (kind, { userId, apiKey }, seconds) => {
      const issuedAt = nowSeconds();
      const expirationTime = issuedAt + seconds;
      const claims: Claims = {
        sub: userId,
        kind,
        key: apiKey,
        iat: issuedAt,
        exp: expirationTime,
        jti: randomUUID(),
      };
      const text = `${HEAD}.${encoded(claims)}`;
      return { token: `${text}.${sign(text)}`, expirationTime };
    },
    read: (kind, token) => {
      const [head = '', body = '', mark = ''] = token.length > LENGTH_MAX ? [] : token.split('.');
      if (head !== HEAD || !equalText(mark, sign(`${head}.${body}`))) return null;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims;
      const isValid = claims.kind === kind && claims.exp > nowSeconds();
      return isValid ? { userId: claims.sub, apiKey: claims.key } : null;
    },
  };
};

/** Compares texts in a time that depends on their lengths only. */
export const equalText = (a: string, b: string): boolean => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
};
