// The body of a delivery: JSON, stored byte for byte except for the personal values.
import { NestingError, parseExact, sha256 } from '../base/json.ts';

/** A body that is an object; its numbers are text. */
export type Body = {
  readonly text: string;
  readonly sha256: string;
  readonly value: Readonly<Record<string, unknown>>;
};

/** Reads a body, or returns why it cannot be read: no other form can be stored, because its personal values could not be found. */
export const readBody = (bytes: Uint8Array): Body | { readonly wrong: string } => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = parseExact(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return { wrong: 'not an object' };
    if (replaced(text, value) === null) return { wrong: 'a name occurs twice in one object' };
    return { text, sha256: sha256(bytes), value: value as Record<string, unknown> };
  } catch (error) {
    if (error instanceof NestingError) return { wrong: error.message };
    if (error instanceof SyntaxError || error instanceof TypeError) return { wrong: 'not JSON in UTF-8' };
    throw error;
  }
};

/** A token with the white space before it. */
const TOKEN = /\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s"[\]{}:,]+)/g;

/**
 * A body's text with the values that `sealed` replaces by commitments replaced, and everything else as received. Null if a
 * name occurs twice in one object: readers disagree about which of the two values counts.
 */
export const replaced = (text: string, sealed: unknown): string | null => {
  const tokens = text.match(TOKEN) ?? [];
  const names = { isTwice: false };
  let index = 0;
  const next = (): string => tokens[index++] ?? '';
  const isNext = (mark: string): boolean => tokens[index]?.trim() === mark;
  const list = (twin: unknown): string => {
    let written = '';
    for (let place = 0; !isNext(']'); place += 1)
      written += value(memberOf(twin, String(place))) + (isNext(',') ? next() : '');
    return written + next();
  };
  const object = (twin: unknown): string => {
    const seen = new Set<string>();
    let written = '';
    while (!isNext('}')) {
      const name = next();
      const key = parseExact(name) as string;
      names.isTwice ||= seen.has(key);
      seen.add(key);
      written += name + next() + value(memberOf(twin, key)) + (isNext(',') ? next() : '');
    }
    return written + next();
  };
  const value = (twin: unknown): string => {
    const token = next();
    const mark = token.trim();
    const rest = mark === '{' ? object(twin) : mark === '[' ? list(twin) : '';
    return isCommitment(twin, token + rest)
      ? token.slice(0, token.length - mark.length) + JSON.stringify(twin)
      : token + rest;
  };
  const written = value(sealed) + /\s*$/.exec(text)?.[0];
  return names.isTwice ? null : written;
};

const memberOf = (twin: unknown, key: string): unknown =>
  twin !== null && typeof twin === 'object' && Object.hasOwn(twin, key)
    ? (twin as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** Whether a value was replaced: it may also have been sent as text that looks like a commitment. */
const isCommitment = (twin: unknown, written: string): boolean =>
  typeof twin === 'string' && twin.startsWith('personal:') && parseExact(written) !== twin;
