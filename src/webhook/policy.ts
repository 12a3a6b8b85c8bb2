// The policy: what the webhook answers. Nothing is authorized unless a person configured that it is.
import { readCsvFile } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { compare, readAmount, sign } from '../base/money.ts';
import type { WebhookConfig } from '../config/environment.ts';
import type { AuthorizationTerms } from './terms.ts';

/** An answer, and why: the reason is stored with the delivery. */
export type AuthorizationVerdict = { readonly isAuthorized: boolean; readonly reason: string };

/** Decides about a transaction by its terms. */
export type Policy = (terms: AuthorizationTerms) => AuthorizationVerdict;

/** The policy of the settings. Reads the file of limits; throws a UsageError that names the line at fault. */
export const policyOf = ({ answer, limits }: WebhookConfig['webhook']): Policy => {
  if (limits !== null) return byLimits(readLimits(limits));
  const isAuthorized = answer === 'authorize';
  return () => ({ isAuthorized, reason: `every transaction is ${isAuthorized ? 'authorized' : 'refused'}` });
};

const ANY_TYPE = '*';
const COLUMNS = ['currency', 'type', 'max'] as const;

/** The amounts by currency, then by the word of the type. */
type AmountLimits = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A type however it is spelled: a limit of withdrawals also holds for a WITHDRAWAL, never the wider one of other types. */
const wordOf = (type: string): string => type.trim().toLowerCase();

const readLimits = (path: string): AmountLimits => {
  const limits = new Map<string, Map<string, string>>();
  for (const { line, cells } of readCsvFile(path, COLUMNS)) {
    const wrong = (why: string) => new UsageError(`${path}: line ${line}: ${why}`);
    const { currency, type, max } = cells;
    const read = readAmount(max);
    if (currency === '') throw wrong('currency is empty: write one, such as EUR');
    if (type === '')
      throw wrong(`type is empty: write one, such as withdrawal, or ${ANY_TYPE} for any other`);
    if ('wrong' in read || sign(read.amount) < 0)
      throw wrong(`max is ${max}: write an amount such as 1000.50`);
    const ofCurrency = limits.get(currency) ?? new Map<string, string>();
    if (ofCurrency.has(wordOf(type))) throw wrong(`${currency} ${type} has a limit already: remove one`);
    limits.set(currency, ofCurrency.set(wordOf(type), read.amount));
  }
  return limits;
};

/**
 * The line of the currency and the type, or else of the currency and any type. Without a line: refused. A transaction without
 * a type may be of each type that has a line, so it keeps the least of them.
 */
const limitOf = (limits: AmountLimits, { currency, type }: AuthorizationTerms): string | undefined => {
  const ofCurrency = limits.get(currency);
  const any = ofCurrency?.get(ANY_TYPE);
  if (type !== null) return ofCurrency?.get(wordOf(type)) ?? any;
  return (
    any && [...(ofCurrency?.values() ?? [])].reduce((least, max) => (compare(max, least) < 0 ? max : least))
  );
};

const byLimits =
  (limits: AmountLimits): Policy =>
  (terms) => {
    const { currency, type, amount } = terms;
    const limit = limitOf(limits, terms);
    if (limit === undefined)
      return { isAuthorized: false, reason: `no limit for ${currency} ${type ?? 'without a type'}` };
    const isAuthorized = compare(amount, limit) <= 0;
    return { isAuthorized, reason: `${isAuthorized ? 'within' : 'above'} the limit of ${limit} ${currency}` };
  };
