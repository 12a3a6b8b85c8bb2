// JSON writer whose numbers are exact digits: a JS number would round an amount before it reached the socket.

const DIGITS = Symbol('digits');

/** A number as the digits to write. */
type Exact = { readonly [DIGITS]: string };

/** The parts of an answer; an undefined member is left out. */
export type Wire = null | boolean | string | number | Exact | readonly Wire[] | WireObject;
export type WireObject = { readonly [member: string]: Wire | undefined };

/** A JSON number with exactly these digits. */
export const exact = (digits: string): Exact => ({ [DIGITS]: digits });

/** JSON text. NUL and lone surrogates are written as escapes, as JSON requires. */
export const writeJson = (value: Wire): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (isExact(value)) return value[DIGITS];
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${writeJson(member)}`],
  );
  return `{${members.join(',')}}`;
};

const isList = (value: object): value is readonly Wire[] => Array.isArray(value);
const isExact = (value: object): value is Exact => DIGITS in value;

/** The digits of a figure, whether it is a number or text. */
export const digitsOf = (value: Wire | undefined): string =>
  typeof value === 'object' && value !== null && isExact(value) ? value[DIGITS] : String(value);
