// JSON without loss: numbers stay the text that was sent, and what is stored has one canonical form.
import { createHash } from 'node:crypto';

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/g;

/**
 * Parse JSON so that every number arrives as the text that was sent.
 * Throws SyntaxError where the text is not JSON.
 */
export const parseExact = (text: string): unknown =>
  JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));

/**
 * A string that Postgres can hold and jsonb can read: NUL and lone surrogates become their own escapes, spelled out
 * (`\u0000`), so that one hostile note does not stop a night.
 */
export const storable = (text: string): string =>
  text
    .replaceAll('\u0000', '\\u0000')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, escaped);

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16)}`;

/** JSON text with sorted keys and no spaces: equal values give equal text. Every string in it is storable. */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(storable(value));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  const members = Object.entries(value).map(([key, member]) => [storable(key), member] as const);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
};

/** The SHA-256 of a text or bytes, lower-case hex. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
