// Redaction: makes text from outside safe for a message: one line, bounded, without credentials and e-mail addresses.

const TEXT_MAX = 300;

export type Clean = (text: string, textMax?: number) => string;

/** The form of every signature: base64 of 64 bytes, possibly percent-encoded. */
const SIGNATURE = '(?:[a-z0-9+/]|%2b|%2f){86}(?:==|%3d%3d)';

/** The form of every token of a sign-in: a JWT, whose parts are base64url. */
const TOKEN = 'eyj[a-z0-9_-]{5,}\\.[a-z0-9_-]+\\.[a-z0-9_-]*';

/** The form of an e-mail address: the gateway's messages may name a person. */
const EMAIL = '[^\\s@"<>(]{1,64}(?:@|%40)[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63})+';

/**
 * Makes a cleaner for one gateway. Secrets, signatures, tokens and e-mail addresses are taken out, in any case and percent-encoded too.
 * Invisible characters go first, so that none can hide inside a credential.
 */
export const redaction = (secrets: readonly string[]): Clean => {
  const forms = secrets.map(oneLine).flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const literal = forms.filter((form) => form !== '').map((form) => form.replace(SYNTAX, '\\$&'));
  const hidden = new RegExp([...literal, SIGNATURE, TOKEN, EMAIL].join('|'), 'gi');
  return (text, textMax = TEXT_MAX) => {
    const safe = oneLine(text).replace(hidden, '[redacted]');
    return safe.length > textMax ? `${safe.slice(0, textMax)}…` : safe;
  };
};

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

const oneLine = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
