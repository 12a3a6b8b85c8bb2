// Carrying amounts: what each account holds in units and in value. Value leaves an account with its units, in
// proportion, so that an account without units has no value. Its values in cents always sum to its exact value, rounded once; those of
// income and expenses in each fiscal year, because a year begins with them at zero.
import { type Atto, absolute, roundToCents, shareOf } from '../base/money.ts';

/** `cents` is `exact`, rounded. */
type CarryingAmount = { units: Atto; exact: Atto; cents: Atto };
/** Carrying amounts by entity, account and currency. */
export type Carrying = Map<string, CarryingAmount>;

export const accountKey = (entity: string, account: string, currency: string): string =>
  `${entity}\n${account}\n${currency}`;

/** The key of the carrying amount of an account in a month: income and expenses have one for each fiscal year, which begins in the month `yearStart`. */
export const carryingKey = (
  { entity, account, currency }: ReturnType<typeof accountParts>,
  month: string,
  yearStart = 1,
): string => {
  const key = accountKey(entity, account, currency);
  if (!/^(?:income|expenses):/.test(account)) return key;
  const [year = 0, nth = 0] = month.split('-').map((part) => Number.parseInt(part, 10));
  return `${key}\n${nth < yearStart ? year - 1 : year}`;
};

/** What a key was made of. */
export const accountParts = (key: string): { entity: string; account: string; currency: string } => {
  const [entity = '', account = '', currency = ''] = key.split('\n');
  return { entity, account, currency };
};

const amountAt = (carrying: Carrying, key: string): CarryingAmount => {
  const known = carrying.get(key);
  if (known) return known;
  const opened = { units: 0n, exact: 0n, cents: 0n };
  carrying.set(key, opened);
  return opened;
};

/** The carrying amount of some units of an account: all of it for the last units, nothing if the account holds none. */
export const carriedShare = (carrying: Carrying, key: string, units: Atto): Atto => {
  const amount = amountAt(carrying, key);
  const [has, value] = amount.units < 0n ? [-amount.units, -amount.exact] : [amount.units, amount.exact];
  if (has <= 0n) return 0n;
  return units >= has ? value : shareOf(value, units, has);
};

/** The absolute number of units of an account. */
export const unsignedUnits = (carrying: Carrying, key: string): Atto =>
  absolute(amountAt(carrying, key).units);

/** How many of the units that leave an account exceed its holding. */
export const unitsLacking = (carrying: Carrying, key: string, units: Atto): Atto => {
  const { units: has } = amountAt(carrying, key);
  if (has <= 0n) return units;
  return units > has ? units - has : 0n;
};

/** How many of the units that enter an account cover a shortfall, and the amount at which those units left. */
export const shortfallCovered = (
  carrying: Carrying,
  key: string,
  units: Atto,
): { short: Atto; exact: Atto } => {
  const amount = amountAt(carrying, key);
  if (amount.units >= 0n) return { short: 0n, exact: 0n };
  const short = units < -amount.units ? units : -amount.units;
  return {
    short,
    exact: short === -amount.units ? -amount.exact : shareOf(-amount.exact, short, -amount.units),
  };
};

/** Adds to an account. Returns the cents by which its rounded value changes. */
export const carry = (
  carrying: Carrying,
  key: string,
  change: Pick<CarryingAmount, 'units' | 'exact'>,
): Atto => {
  const amount = amountAt(carrying, key);
  const { cents } = amount;
  amount.units += change.units;
  amount.exact += change.exact;
  amount.cents = roundToCents(amount.exact);
  return amount.cents - cents;
};
