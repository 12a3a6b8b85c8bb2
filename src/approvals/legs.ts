// Legs as people write them: `assets:trading <- equity:external:platform 1.5 BTC`, debit first.
import { UsageError } from '../base/errors.ts';
import { compare, readAmount, sign } from '../base/money.ts';
import { ACCOUNT_NAMES, isAccount } from '../ledger/accounts.ts';
import type { Leg } from '../ledger/entry.ts';

const WRITTEN = /^(\S+)\s*(?:<-|←)\s*(\S+)\s+(\S+)\s+(\S+)$/;
const CURRENCY = /^[A-Z0-9]{1,20}$/;

/** Reads one leg. Throws a UsageError that states the mistake. */
export const readLeg = (text: string): Leg => {
  const refuse = (why: string): never => {
    throw new UsageError(`the leg "${text.slice(0, 160)}" cannot be booked: ${why}`);
  };
  const [, debit = '', credit = '', amount = '', currency = ''] = WRITTEN.exec(text.trim()) ?? [];
  if (debit === '')
    return refuse(
      'write it as "assets:trading <- equity:external:platform 1.5 BTC", the debited account first',
    );
  for (const account of [debit, credit]) if (!isAccount(account)) refuse(accountOf(account));
  if (debit === credit) refuse('debit and credit are the same account');
  return {
    debit,
    credit,
    currency: currencyOf(currency, refuse),
    amount: positive(amount, refuse, 'swap debit and credit'),
  };
};

export const accountOf = (account: string): string =>
  `there is no account ${account.slice(0, 120)}; there are ${ACCOUNT_NAMES.join(', ')}`;

type Refuse = (why: string) => never;

export const currencyOf = (text: string, refuse: Refuse): string =>
  CURRENCY.test(text)
    ? text
    : refuse(`the currency "${text.slice(0, 40)}" is no code: write capitals and digits, such as EUR`);

/** Refuses a cost in the currency of the units themselves that is not their number: it is likely of another currency. */
export const checkOwnCost = (
  {
    units,
    currency,
    cost,
    cost_currency,
  }: {
    readonly units: string;
    readonly currency: string;
    readonly cost: string;
    readonly cost_currency: string;
  },
  refuse: Refuse,
): void => {
  if (cost_currency === currency && compare(cost, units) !== 0)
    refuse(
      `${units} ${currency} cannot cost ${cost} ${currency}: write the currency that was paid in cost_currency, or a cost of ${units}`,
    );
};

/** Reads an amount above zero, written out in digits; `cure` says how to correct any other. */
export const positive = (text: string, refuse: Refuse, cure: string): string => {
  const amount = amountOf(text, refuse);
  return sign(amount) > 0 ? amount : refuse(`the amount ${amount} is not above zero: ${cure}`);
};

/** Reads an amount with a point, without exponent, and with at most 18 decimals. */
export const amountOf = (text: string, refuse: Refuse): string => {
  if (!/^-?\d+(\.\d+)?$/.test(text))
    return refuse(`the amount "${text.slice(0, 40)}" is not written out in digits: write it as 1234.56`);
  const read = readAmount(text);
  return 'amount' in read ? read.amount : refuse(`the amount ${read.wrong}`);
};
