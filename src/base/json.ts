// JSON without loss: numbers stay the text that was sent, and stored values have one canonical form.
import { createHash } from 'node:crypto';

/** The tokens of text that is known to be JSON. On other text these patterns take quadratic time. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|-?\d[\d.eE+-]*/g;

/** The JSON is nested more deeply than we accept. */
export class NestingError extends Error {}

/** Deeper than any record, and far below the depth at which recursion overflows the stack. */
const DEPTH_MAX = 256;

/**
 * Parses JSON and returns every number as the text that was sent, in time linear to the text's length. Throws SyntaxError
 * if the text is not JSON, and NestingError if it is nested more than 256 levels deep.
 */
export const parseExact = (text: string): unknown => {
  JSON.parse(text);
  let depth = 0;
  const exact = text.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return token;
    if (token === ']' || token === '}') depth -= 1;
    if (token !== '[' && token !== '{') return /^[\]}]/.test(token) ? token : `"${token}"`;
    depth += 1;
    if (depth > DEPTH_MAX) throw new NestingError(`nested deeper than ${DEPTH_MAX} levels`);
    return token;
  });
  return JSON.parse(exact);
};

/**
 * Makes a string that Postgres can store and jsonb can read: NUL and lone surrogates become literal escapes (`\u0000`),
 * so that one hostile note does not stop a night.
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
