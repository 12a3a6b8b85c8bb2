// Converts values from Postgres as text: no number becomes a float and no instant loses its microseconds.

const TEXT_ARRAY = 1009;
/** Small integers, booleans, bytes, floats and text arrays: types that node-postgres reads without loss. */
const LOSSLESS = new Set([16, 17, 21, 23, 26, 700, 701, 1000, 1001, 1005, 1007, 1009, 1015, 1003, 2951]);
/** int8[], numeric[], timestamptz[], timestamp[], date[], json[], jsonb[]: read as text arrays. */
const ARRAYS = new Set([1016, 1231, 1115, 1182, 199, 3807]);
export const BOOLEAN = 16;
export const TIMESTAMPTZ = 1184;
const TIMESTAMPTZ_ARRAY = 1185;

const UTC = /^(\d{4,})-(\d\d)-(\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/**
 * Converts a timestamptz of a UTC session to the form of `readInstant`: three decimals, or six if there are microseconds.
 * `infinity` and years before Christ stay as Postgres writes them.
 */
export const instantText = (text: string): string => {
  const parts = UTC.exec(text);
  if (!parts) return text;
  const fraction = (parts[5] ?? '').padEnd(6, '0');
  const decimals = fraction.endsWith('000') ? fraction.slice(0, 3) : fraction;
  return `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}.${decimals}Z`;
};

type Parser = (text: string) => unknown;

/** The parser for a type's text, by oid; `known` is node-postgres' own table of parsers. */
export const textParser = (oid: number, known: (oid: number) => Parser): Parser => {
  if (oid === TIMESTAMPTZ) return instantText;
  if (oid === TIMESTAMPTZ_ARRAY) {
    return (text) =>
      (known(TEXT_ARRAY)(text) as (string | null)[]).map((instant) => instant && instantText(instant));
  }
  if (ARRAYS.has(oid)) return known(TEXT_ARRAY);
  return LOSSLESS.has(oid) ? known(oid) : String;
};
