// Carrying amounts: what each account holds in units and in value. An account gives up value with its units, in
// proportion, so that one without units is worth nothing. Its values in cents always sum to its exact value, rounded once.
import { type Atto, roundToCents, shareOf } from '../base/money.ts';

export type Held = { units: Atto; exact: Atto };
/** By entity, account and currency. */
export type Carrying = Map<string, Held>;

export const placeOf = (entity: string, account: string, currency: string): string =>
  `${entity}\n${account}\n${currency}`;

const heldAt = (carrying: Carrying, place: string): Held => {
  const known = carrying.get(place);
  if (known) return known;
  const held = { units: 0n, exact: 0n };
  carrying.set(place, held);
  return held;
};

/** What so many units of an account are worth there: all of it for the last ones, nothing where it holds none. */
export const shareAt = (carrying: Carrying, place: string, units: Atto): Atto => {
  const held = heldAt(carrying, place);
  const [has, worth] = held.units < 0n ? [-held.units, -held.exact] : [held.units, held.exact];
  if (has <= 0n) return 0n;
  return units >= has ? worth : shareOf(worth, units, has);
};

/** The units of an account, without their sign. */
export const sizeAt = (carrying: Carrying, place: string): Atto => {
  const { units } = heldAt(carrying, place);
  return units < 0n ? -units : units;
};

/** How many of so many units that leave an account it does not hold. */
export const shortOf = (carrying: Carrying, place: string, units: Atto): Atto => {
  const { units: has } = heldAt(carrying, place);
  if (has <= 0n) return units;
  return units > has ? units - has : 0n;
};

/** How many of so many units that come into an account only make up for what it gave and did not hold, and at what they were carried. */
export const shortAt = (carrying: Carrying, place: string, units: Atto): { short: Atto; exact: Atto } => {
  const held = heldAt(carrying, place);
  if (held.units >= 0n) return { short: 0n, exact: 0n };
  const short = units < -held.units ? units : -held.units;
  return { short, exact: short === -held.units ? -held.exact : shareOf(-held.exact, short, -held.units) };
};

/** Adds to an account. Returns the cents by which its rounded value moves. */
export const carry = (carrying: Carrying, place: string, moved: Held): Atto => {
  const held = heldAt(carrying, place);
  const before = roundToCents(held.exact);
  held.units += moved.units;
  held.exact += moved.exact;
  return roundToCents(held.exact) - before;
};
