// Wallet fees: the fees in a wallet transaction's `fee`, in any of its forms. An unknown kind is a reject: otherwise its
// fee would never be booked.

import { sign } from '../base/money.ts';
import type { WireRecord } from '../base/streams.ts';
import { FEES_NETWORK, FEES_TELLER, FEES_UNCLASSIFIED } from '../ledger/accounts.ts';
import { amount, currency, hasObject, hasValue, isGiven, knownMembers, Reject, valueAt } from './fields.ts';

/** A named fee, amount > 0; `path` is the field of its currency. */
export type Fee = {
  readonly account: string;
  readonly amount: string;
  readonly currency: string;
  readonly path: string;
};

/** Members that describe how a fee was computed, and the id of its order. */
const PERCENTAGES = ['percentage', 'fixedFeePercentage', 'variableFeePercentage'] as const;
const ABOUT = ['id', ...PERCENTAGES] as const;
const FLAT = ['feeCurrency', 'fixedFee', 'variableFee'] as const;

/** A flip fee is inside the price and never booked, so it is not even read. */
const NAMED = ['network', 'teller', 'mercantile', 'flip'] as const;
const KINDS = [...NAMED, ...FLAT, ...ABOUT] as const;
const TELLER_PARTS = ['fixed', 'variable', ...FLAT, ...ABOUT] as const;

/** The fees that the record names, without zeros. Throws a Reject for one that is malformed or of an unknown kind. */
export const feesOf = (record: WireRecord): Fee[] => {
  if (!hasObject(record, 'fee')) return [];
  knownMembers(record, 'fee', KINDS);
  const network = hasObject(record, 'fee.network') ? fee(record, 'fee.network', FEES_NETWORK) : [];
  const teller = hasObject(record, 'fee.teller') ? tellerFees(record, 'fee.teller') : [];
  // A merchant's fee has no account of its own.
  const mercantile = hasObject(record, 'fee.mercantile')
    ? fee(record, 'fee.mercantile', FEES_UNCLASSIFIED)
    : [];
  const flat = isFlat(record, 'fee') ? flatFees(record, 'fee') : [];
  return [...network, ...teller, ...mercantile, ...flat];
};

/** Where a percentage may stand: the fee, the percentage, and the members of the fee that state an amount for it. */
const SHARES: readonly (readonly [fee: string, percentage: string, ...amounts: string[]])[] = [
  ...PERCENTAGES.map((name) => ['fee', name, ...NAMED, 'fixedFee', 'variableFee'] as const),
  ['fee.network', 'percentage', 'amount'],
  ['fee.mercantile', 'percentage', 'amount'],
  ['fee.teller', 'percentage', 'fixed', 'variable', 'fixedFee', 'variableFee'],
  ['fee.teller', 'fixedFeePercentage', 'fixed', 'fixedFee'],
  ['fee.teller', 'variableFeePercentage', 'variable', 'variableFee'],
  ['fee.teller.fixed', 'percentage', 'amount'],
  ['fee.teller.variable', 'percentage', 'amount'],
];

/** Throws a Reject for a fee that is only a percentage: its amount is not stated, and figures are never recomputed. */
export const refuseUnstatedFee = (record: WireRecord): void => {
  for (const [path, percentage, ...amounts] of SHARES) {
    const share = `${path}.${percentage}`;
    if (!isGiven(record, share) || amounts.some((name) => hasValue(record, `${path}.${name}`))) continue;
    if (sign(amount(record, share)) !== 0) throw new Reject(path, 'has a percentage and no amount');
  }
};

/** `{fixed, variable}`, each an amount and its currency, or `{feeCurrency, fixedFee, variableFee}`. */
const tellerFees = (record: WireRecord, path: string): Fee[] => {
  if (!isFlat(record, path) && !hasParts(record, path))
    throw new Reject(path, 'has neither fixed nor variable');
  knownMembers(record, path, TELLER_PARTS);
  const parts = [`${path}.fixed`, `${path}.variable`].filter((part) => hasObject(record, part));
  if (isFlat(record, path) && parts.length > 0) throw new Reject(path, 'names its parts in two forms');
  if (isFlat(record, path)) return flatFees(record, path);
  return parts.flatMap((part) => fee(record, part, FEES_TELLER));
};

/** A known form whose parts are all null means no fee; a form without any of them is unknown. */
const hasParts = (record: WireRecord, path: string): boolean =>
  ['fixed', 'variable', 'fixedFee', 'variableFee'].some(
    (part) => valueAt(record, `${path}.${part}`) !== undefined,
  );

const isFlat = (record: WireRecord, path: string): boolean =>
  isGiven(record, `${path}.fixedFee`) || isGiven(record, `${path}.variableFee`);

const flatFees = (record: WireRecord, path: string): Fee[] =>
  [`${path}.fixedFee`, `${path}.variableFee`]
    .filter((part) => isGiven(record, part))
    .flatMap((part) => nonZeroFee(record, part, { account: FEES_TELLER, path: `${path}.feeCurrency` }));

/** None for a percentage alone, which `refuseUnstatedFee` judges where the fee matters. */
const fee = (record: WireRecord, path: string, account: string): Fee[] =>
  !isGiven(record, `${path}.amount`) && isGiven(record, `${path}.percentage`)
    ? []
    : nonZeroFee(record, `${path}.amount`, { account, path: `${path}.currency` });

/** None for a zero, whose currency is not needed. */
const nonZeroFee = (record: WireRecord, path: string, rest: Pick<Fee, 'account' | 'path'>): Fee[] => {
  const value = amount(record, path);
  return sign(value) === 0 ? [] : [{ ...rest, amount: value, currency: currency(record, rest.path) }];
};
