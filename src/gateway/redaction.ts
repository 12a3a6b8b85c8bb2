// Redaction: makes text from outside safe for a message: one line, bounded, without credentials, e-mail addresses and bank accounts.

const TEXT_MAX = 300;

export type Clean = (text: string, textMax?: number) => string;

/** The form of every signature: base64 of 64 bytes, possibly percent-encoded. */
const SIGNATURE = '(?:[a-z0-9+/]|%2b|%2f){86}(?:==|%3d%3d)';

/** The form of every token of a sign-in: a JWT, whose parts are base64url. */
const TOKEN = 'eyj[a-z0-9_-]{5,}\\.[a-z0-9_-]+\\.[a-z0-9_-]*';

/** The form of an e-mail address: the gateway's messages may name a person. */
const EMAIL = '[^\\s@"<>(]{1,64}(?:@|%40)[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63})+';

/** The form of a bank account's number (IBAN), in one piece or in groups of four. Ids may have it too, without its check digits. */
const IBAN = /\b[a-z]{2}\d{2}(?:[a-z0-9]{11,30}|(?: [a-z0-9]{4}){2,7}(?: [a-z0-9]{1,3})?)\b/gi;

/** Hides text that begins with a bank account; words behind it may look like further groups. */
const withoutIban = (text: string): string =>
  text.split(' ').some((_, index, groups) => isIban(groups.slice(0, index + 1).join('')))
    ? '[redacted]'
    : text;

/** ISO 13616: the first four characters at the end, letters as numbers, the rest of a division by 97 is 1. */
const isIban = (text: string): boolean =>
  text.length >= 15 &&
  BigInt([...text.slice(4), ...text.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('')) % 97n ===
    1n;

/**
 * Makes a cleaner for one gateway. Secrets, signatures, tokens, e-mail addresses and bank accounts are taken out, in any case, the first four percent-encoded too.
 * Invisible characters go first, so that none can hide inside a credential.
 */
export const redaction = (secrets: readonly string[]): Clean => {
  const forms = secrets.map(oneLine).flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const literal = forms.filter((form) => form !== '').map((form) => form.replace(SYNTAX, '\\$&'));
  const hidden = new RegExp([...literal, SIGNATURE, TOKEN, EMAIL].join('|'), 'gi');
  return (text, textMax = TEXT_MAX) => {
    const safe = oneLine(text).replace(hidden, '[redacted]').replace(IBAN, withoutIban);
    return safe.length > textMax ? `${safe.slice(0, textMax)}…` : safe;
  };
};

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

const oneLine = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
