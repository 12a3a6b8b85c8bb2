// JSON without loss: numbers stay the text that was sent, and stored values have one canonical form.
import { hash } from 'node:crypto';

/** The JSON is nested more deeply than we accept. */
export class NestingError extends Error {}

/** Deeper than any record, and far below the depth at which recursion overflows the stack. */
const DEPTH_MAX = 256;

/**
 * Parses JSON and returns every number as the text that was sent, in time linear to the text's length. Throws SyntaxError
 * if the text is not JSON, and NestingError if it is nested more than 256 levels deep.
 */
export const parseExact = (text: string): unknown => JSON.parse(withNumbersQuoted(text).quoted);

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
const [BRACKET, BRACKET_END, BRACE, BRACE_END, COLON] = [0x5b, 0x5d, 0x7b, 0x7d, 0x3a];

/** A number, unless it is the name of a member, which JSON does not allow. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.+\-eE]|[ \t\r\n]*:)/y;

/**
 * JSON text whose numbers are strings, and the number of its members. Text that is not JSON stays so, since JSON has a string wherever
 * it has a number.
 */
const withNumbersQuoted = (text: string): { readonly quoted: string; readonly members: number } => {
  let [exact, done, depth, members] = ['', 0, 0, 0];
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    if (unit === QUOTE) place = endOfString(text, place);
    else if (unit === BRACE || unit === BRACKET) {
      depth += 1;
      if (depth > DEPTH_MAX) throw tooDeep(text);
    } else if (unit === BRACE_END || unit === BRACKET_END) depth -= 1;
    else if (unit === COLON) members += 1;
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      NUMBER.lastIndex = place;
      if (!NUMBER.test(text)) return { quoted: text, members }; // JSON.parse refuses it
      exact += `${text.slice(done, place)}"${text.slice(place, NUMBER.lastIndex)}"`;
      done = NUMBER.lastIndex;
      place = done - 1;
    }
  }
  return { quoted: exact + text.slice(done), members };
};

/** The place of the quote that ends a string, or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let place = start + 1; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    if (unit === QUOTE) return place;
    if (unit === BACKSLASH) place += 1;
  }
  return text.length;
};

const tooDeep = (text: string): Error => {
  JSON.parse(text); // throws if it is not JSON at all
  return new NestingError(`nested deeper than ${DEPTH_MAX} levels`);
};

/** Text without surrogates and control characters, as most is, can be stored as it is. */
const UNSTORABLE = /[^ -\ud7ff\ue000-\uffff]/;

/**
 * Makes a string that Postgres can store and jsonb can read: NUL and lone surrogates become literal escapes (`\u0000`),
 * so that one hostile note does not stop a night.
 */
export const storable = (text: string): string =>
  UNSTORABLE.test(text)
    ? text
        .replaceAll('\u0000', '\\u0000')
        .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, escaped)
    : text;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The same JSON with escapes for what a reader does not see: a terminal obeys some of these characters, and others turn the
 * direction of the text after them.
 */
export const visible = (json: string): string =>
  json.replaceAll(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.split('').map(escaped).join(''),
  );

/** Text that JSON writes as it is, in quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(storable(text)));

/** A backslash that may begin an escape, in JSON text. */
const MAYBE_ESCAPE = /\\\\u|\\u005c/i;
/** The backslash of text that reads like an escape of `storable`, or of this one. */
const LITERAL_ESCAPE = /\\(?=u(?:0000|d[89a-f][0-9a-f]{2}|005c))/g;

/**
 * Parses JSON from outside as `parseExact` does. A name with several values in one object gets the list of them, because readers
 * disagree about which one counts: a rule that needs it rejects the record. Text that reads like an escape of `storable` has its
 * backslash escaped too (`\u005c`), so that different values are stored differently.
 */
export const parseReceived = (text: string): unknown => {
  const { quoted, members } = withNumbersQuoted(text);
  const last: unknown = JSON.parse(quoted);
  const value = membersIn(last) === members ? last : withEveryValue(quoted);
  return MAYBE_ESCAPE.test(text) ? unambiguous(value) : value;
};

/** How many members the objects of a value have. Without lists of them, because this runs over every answer. */
const membersIn = (value: unknown): number => {
  if (value === null || typeof value !== 'object') return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += membersIn(item);
  else for (const name in value) count += 1 + membersIn((value as Record<string, unknown>)[name]);
  return count;
};

const WORD = /[a-z]+/y;

/** Valid JSON without numbers, in which a name may occur several times in one object: then it has the list of its different values. */
const withEveryValue = (text: string): unknown => {
  let place = 0;
  const next = (): string => {
    while (' \t\r\n,:'.includes(text.charAt(place))) place += 1;
    return text.charAt(place);
  };
  const scalar = (): Marked => {
    const start = place;
    WORD.lastIndex = place;
    place = WORD.test(text) ? WORD.lastIndex : endOfString(text, place) + 1;
    const value: unknown = JSON.parse(text.slice(start, place));
    return { value, mark: JSON.stringify(value) };
  };
  const list = (): Marked => {
    const items: Marked[] = [];
    for (place += 1; next() !== ']'; ) items.push(value());
    place += 1;
    return listOf(items);
  };
  const object = (): Marked => {
    const members = new Map<string, Marked[]>();
    for (place += 1; next() !== '}'; ) {
      const name = scalar().value as string;
      const values = members.get(name) ?? [];
      members.set(name, values);
      values.push(value());
    }
    place += 1;
    return objectOf([...members].map(([name, values]) => [name, oneOrAll(values)]));
  };
  const value = (): Marked => {
    const mark = next();
    return mark === '{' ? object() : mark === '[' ? list() : scalar();
  };
  return value().value;
};

/** A value, and a text that equal values share. It is a digest of those of its parts: comparing the values would take each level anew. */
type Marked = { readonly value: unknown; readonly mark: string };

const listOf = (items: readonly Marked[]): Marked => ({
  value: items.map(({ value }) => value),
  mark: sha256(`[${items.map(({ mark }) => mark).join(',')}]`),
});

const objectOf = (members: readonly (readonly [string, Marked])[]): Marked => ({
  value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
  mark: sha256(
    `{${members
      .map(([name, { mark }]) => `${JSON.stringify(name)}:${mark}`)
      .sort()
      .join(',')}}`,
  ),
});

/** The value if all are alike, otherwise each different one in the order sent. */
const oneOrAll = (values: readonly Marked[]): Marked => {
  const different = [...new Map(values.map((value) => [value.mark, value])).values()];
  const [one] = different;
  return different.length === 1 && one !== undefined ? one : listOf(different);
};

const unambiguous = (value: unknown): unknown => {
  if (typeof value === 'string') return escapedLiterals(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(unambiguous);
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [escapedLiterals(name), unambiguous(member)]));
};

const escapedLiterals = (text: string): string => text.replaceAll(LITERAL_ESCAPE, '\\u005c');

/** JSON text with sorted keys and no spaces: equal values give equal text. Every string in it is storable. */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  keys.sort(keys.some((key) => UNSTORABLE.test(key)) ? byStorable : undefined);
  return `{${keys.map((key) => `${quoted(key)}:${canonical(members[key])}`).join(',')}}`;
};

const byStorable = (a: string, b: string): number => {
  const [x, y] = [storable(a), storable(b)];
  return x < y ? -1 : x > y ? 1 : 0;
};

/** The SHA-256 of a text or bytes, lower-case hex. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
