// Money: exact decimals in and out of text. The only file that imports decimal.js, because its default
// of 20 significant digits rounds: every amount here is a string in plain notation, and a sum of
// numeric(48,18) values fits 60 digits with room to spare.
import { Decimal as Base } from 'decimal.js';

const Exact = Base.clone({ precision: 120, toExpNeg: -1000, toExpPos: 1000, rounding: Base.ROUND_HALF_EVEN });

/** The most decimals a booked amount may carry (design, invariant 1). */
export const DECIMALS_MAX = 18;

/** Amounts of 1e30 and more are refused: no asset has that supply. */
const WHOLE_DIGITS_MAX = 30;

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;

/**
 * Reads an amount as the gateway writes one: digits, optional fraction, optional exponent.
 * Returns plain notation without trailing zeros, or the reason why it cannot be booked.
 */
export const readAmount = (text: string): { amount: string } | { wrong: string } => {
  if (!NUMBER.test(text)) return { wrong: `is not a number: ${text.slice(0, 60)}` };
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

const plain = (value: Base): string => (value.isZero() ? '0' : value.toFixed());

/** The sum of exact amounts in plain notation; '0' for none. */
export const sum = (amounts: readonly string[]): string =>
  plain(amounts.reduce<Base>((total, amount) => total.plus(amount), new Exact(0)));

/** a − b in plain notation. */
export const subtract = (a: string, b: string): string => plain(new Exact(a).minus(b));

/** −a in plain notation; zero has no sign. */
export const negate = (a: string): string => plain(new Exact(a).negated());

/** a × 10^power in plain notation. */
export const scale = (a: string, power: number): string => plain(new Exact(a).times(`1e${power}`));

/** −1, 0 or 1: the order of two exact amounts. */
export const compare = (a: string, b: string): number => new Exact(a).cmp(b);

/** −1, 0 or 1. */
export const sign = (a: string): number => new Exact(a).cmp(0);

/** An amount to the cent for people to read, away from zero, so that what is above a limit still is. */
export const centsUp = (a: string): string => new Exact(a).toFixed(2, Base.ROUND_UP);

/** A rate as the gateway writes one: a positive number in plain notation, or null for null and anything else. */
export const readRate = (text: unknown): string | null => {
  if (typeof text !== 'string' || !NUMBER.test(text)) return null;
  const value = new Exact(text);
  const isUsable =
    value.gt(0) && value.lt(`1e${WHOLE_DIGITS_MAX}`) && value.decimalPlaces() <= RATE_DECIMALS_MAX;
  return isUsable ? plain(value) : null;
};

/** A rate that is finer is none: it would be worth nothing in any amount that can be booked. */
const RATE_DECIMALS_MAX = 60;

/**
 * Amounts as whole numbers of 1e-18, for arithmetic over whole books: what is booked, and every cost, is a whole number
 * of them. What is rounded is rounded half to even.
 */
export type Atto = bigint;

const DIGITS_OF_ONE = '0'.repeat(DECIMALS_MAX);

/** An exact amount in plain notation, of at most 18 decimals. */
export const attoOf = (amount: string): Atto => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + (fraction + DIGITS_OF_ONE).slice(0, DECIMALS_MAX));
};

/** Plain notation without trailing zeros. */
export const attoText = (atto: Atto): string => {
  const digits = `${atto < 0n ? -atto : atto}`.padStart(DECIMALS_MAX + 1, '0');
  const fraction = digits.slice(-DECIMALS_MAX).replace(/0+$/, '');
  return `${atto < 0n ? '-' : ''}${digits.slice(0, -DECIMALS_MAX)}${fraction === '' ? '' : `.${fraction}`}`;
};

const divided = (dividend: bigint, divisor: bigint): bigint => {
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const [quotient, twice] = [a / b, (a % b) * 2n];
  const isUp = twice > b || (twice === b && quotient % 2n === 1n);
  const size = quotient + (isUp ? 1n : 0n);
  return dividend < 0n === divisor < 0n ? size : -size;
};

/** The part of a total that falls to `part` of `whole`. */
export const shareOf = (total: Atto, part: Atto, whole: Atto): Atto => divided(total * part, whole);

const CENT = 10n ** BigInt(DECIMALS_MAX - 2);

/** To the cent. */
export const roundToCents = (atto: Atto): Atto => divided(atto, CENT) * CENT;

/** What `units` of one currency are in another, where each rate is units of its currency for one of a third. */
export const converted = (units: Atto, from: string, to: string): Atto => {
  const [a, b] = [ratio(from), ratio(to)];
  return divided(units * b.digits * 10n ** a.decimals, a.digits * 10n ** b.decimals);
};

const ratio = (rate: string): { digits: bigint; decimals: bigint } => {
  const [whole = '', fraction = ''] = rate.split('.');
  return { digits: BigInt(whole + fraction), decimals: BigInt(fraction.length) };
};
