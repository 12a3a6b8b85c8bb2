// Money: exact decimal arithmetic on text. The only file that imports decimal.js, whose default of 20 significant digits
// rounds. Every amount here is a string in plain notation; a sum of numeric(48,18) values fits into 60 digits with room
// to spare.
import { Decimal as Base } from 'decimal.js';

const Exact = Base.clone({ precision: 120, toExpNeg: -1000, toExpPos: 1000, rounding: Base.ROUND_HALF_EVEN });

/** The most decimals that a booked amount may have (design, invariant 1). */
const DECIMALS_MAX = 18;

/** Amounts of 1e30 and more are refused: no asset has that supply. */
const WHOLE_DIGITS_MAX = 30;

/** Longer text is no amount, whatever its zeros: SQL types the same texts (books_internal.amount_of). */
const TEXT_MAX = 999;

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const LARGE_EXPONENT = /^-?\d+(\.\d+)?[eE][+-]?\d+$/;

/** An amount that is already in plain notation, within the limits, as most are. */
const PLAIN = /^(?:0|[1-9]\d{0,29})(?:\.\d{0,17}[1-9])?$/;

/**
 * Reads an amount as the gateway writes it: digits, optional fraction, optional exponent. Returns plain notation without
 * trailing zeros, or the reason why it cannot be booked.
 */
export const readAmount = (text: string): { amount: string } | { wrong: string } => {
  if (PLAIN.test(text)) return { amount: text };
  const fault = faultOfForm(text);
  if (fault !== null) return { wrong: `${fault}: ${text.slice(0, 60)}` };
  const value = new Exact(text);
  if (value.abs().gte(`1e${WHOLE_DIGITS_MAX}`))
    return { wrong: `is 1e${WHOLE_DIGITS_MAX} or more: ${text.slice(0, 60)}` };
  if (value.decimalPlaces() > DECIMALS_MAX) {
    return {
      wrong: `has ${value.decimalPlaces()} decimals, more than ${DECIMALS_MAX}: ${text.slice(0, 60)}`,
    };
  }
  return { amount: plain(value) };
};

/** Why a text cannot be read as a number; null if it can. */
const faultOfForm = (text: string): string | null => {
  if (!NUMBER.test(text))
    return LARGE_EXPONENT.test(text) ? 'has an exponent of more than 3 digits' : 'is not a number';
  return text.length > TEXT_MAX ? `has ${text.length} characters, more than ${TEXT_MAX}` : null;
};

const plain = (value: Base): string => (value.isZero() ? '0' : value.toFixed());

/** The exact sum of amounts, in plain notation; '0' for an empty list. */
export const sum = (amounts: readonly string[]): string =>
  plain(amounts.reduce<Base>((total, amount) => total.plus(amount), new Exact(0)));

/** a − b in plain notation. */
export const subtract = (a: string, b: string): string => plain(new Exact(a).minus(b));

/** −a in plain notation; zero has no sign. */
export const negate = (a: string): string => plain(new Exact(a).negated());

/** An amount in plain notation without its sign. */
export const unsigned = (amount: string): string => amount.replace(/^-/, '');

/** a × 10^power in plain notation. */
export const scale = (a: string, power: number): string => plain(new Exact(a).times(`1e${power}`));

/** The order of two exact amounts: −1, 0 or 1. */
export const compare = (a: string, b: string): number => new Exact(a).cmp(b);

/** The sign of an exact amount: −1, 0 or 1. */
export const sign = (a: string): number => (PLAIN.test(a) ? (a === '0' ? 0 : 1) : new Exact(a).cmp(0));

/** An amount in cents for people to read, rounded away from zero so that an amount above a limit still shows above it. */
export const centsUp = (a: string): string => new Exact(a).toFixed(2, Base.ROUND_UP);

/** Reads a rate as the gateway writes it: a positive number in plain notation. Returns null for null and anything else. */
export const readRate = (text: unknown): string | null => {
  if (typeof text !== 'string' || !NUMBER.test(text)) return null;
  const value = new Exact(text);
  const isUsable =
    value.gt(0) && value.lt(`1e${WHOLE_DIGITS_MAX}`) && value.decimalPlaces() <= RATE_DECIMALS_MAX;
  return isUsable ? plain(value) : null;
};

/** A rate with more decimals is unusable: any bookable amount times this rate rounds to zero. */
const RATE_DECIMALS_MAX = 60;

/**
 * Amounts as whole numbers of 1e-18, for arithmetic over whole books: every booked amount and every cost is a whole
 * number of them. Divisions round half to even.
 */
export type Atto = bigint;

const DIGITS_OF_ONE = '0'.repeat(DECIMALS_MAX);

/** Converts an exact amount in plain notation with at most 18 decimals. */
export const attoOf = (amount: string): Atto => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + (fraction + DIGITS_OF_ONE).slice(0, DECIMALS_MAX));
};

/** The exact sum of amounts with at most 18 decimals, with as many decimals as the amount that has most, as Postgres sums. */
export const exactSum = (amounts: readonly string[]): string => {
  let [total, decimals] = [0n, 0];
  for (const amount of amounts) {
    total += attoOf(amount);
    decimals = Math.max(decimals, decimalsOf(amount));
  }
  const [whole = '', fraction = ''] = attoText(total).split('.');
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`;
};

export const decimalsOf = (amount: string): number => {
  const point = amount.indexOf('.');
  return point < 0 ? 0 : amount.length - point - 1;
};

const ZERO = '0'.charCodeAt(0);

/** Plain notation without trailing zeros. */
export const attoText = (atto: Atto): string => {
  if (atto === 0n) return '0';
  const digits = String(absolute(atto)).padStart(DECIMALS_MAX + 1, '0');
  const point = digits.length - DECIMALS_MAX;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  const fraction = end > point ? `.${digits.slice(point, end)}` : '';
  return `${atto < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
};

/** The size of an amount, whatever its sign. */
export const absolute = (atto: Atto): Atto => (atto < 0n ? -atto : atto);

const divided = (dividend: bigint, divisor: bigint): bigint => {
  const [a, b] = [absolute(dividend), absolute(divisor)];
  const quotient = a / b;
  const twice = (a - quotient * b) * 2n;
  const isUp = twice > b || (twice === b && quotient % 2n === 1n);
  const size = quotient + (isUp ? 1n : 0n);
  return dividend < 0n === divisor < 0n ? size : -size;
};

/** The share of `total` in proportion `part` / `whole`. */
export const shareOf = (total: Atto, part: Atto, whole: Atto): Atto => divided(total * part, whole);

const CENT = 10n ** BigInt(DECIMALS_MAX - 2);

/** Rounds to the cent, half to even. */
export const roundToCents = (atto: Atto): Atto => divided(atto, CENT) * CENT;

/** Converts `units` of one currency into another. Each rate is the number of units of its currency per unit of a third. */
export const converted = (units: Atto, from: string, to: string): Atto => {
  const [a, b] = [ratio(from), ratio(to)];
  return divided(units * b.digits * 10n ** a.decimals, a.digits * 10n ** b.decimals);
};

const ratio = (rate: string): { digits: bigint; decimals: bigint } => {
  const [whole = '', fraction = ''] = rate.split('.');
  return { digits: BigInt(whole + fraction), decimals: BigInt(fraction.length) };
};
