// The terms of a transaction, as a delivery names them. The body is an assumption (A-AUTHORIZATION): what cannot be read is
// refused, because nobody could say later what was authorized.
import { storable } from '../base/json.ts';
import { readAmount, sign } from '../base/money.ts';
import { NOTIFICATIONS } from '../gateway/contract/contract.ts';

/** What is about to happen. The amount is exact, in plain notation, above zero. */
export type AuthorizationTerms = {
  readonly transactionId: string;
  readonly userId: string | null;
  readonly type: string | null;
  readonly amount: string;
  readonly currency: string;
};

/** What could be read of a body; null if a field is missing or not readable. `wrong` names the first fault, or is null. */
export type ReadTerms = { readonly [field in keyof AuthorizationTerms]: string | null } & {
  readonly wrong: string | null;
};

const MISSING = 'is missing';
const LENGTH_MAX = 200;
const CURRENCY = /^[A-Za-z0-9._-]{1,40}$/;

/** Reads the terms of a body, an object whose numbers are text. */
export const termsIn = (body: Readonly<Record<string, unknown>>): ReadTerms => {
  const faults: string[] = [];
  const text = (field: string, isRequired = true): string | null => {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    const wrong = faultIn(value);
    if (wrong === null) return value as string;
    if (isRequired || wrong !== MISSING) faults.push(`${field} ${wrong}`);
    return null;
  };
  const transactionId = text('transactionId');
  const userId = text('userId', false);
  const type = text('type', false);
  const amount = amountIn(text('amount'), faults);
  const currency = currencyIn(text('currency'), faults);
  const { success } = NOTIFICATIONS.authorization.body.safeParse(body);
  if (!success && faults.length === 0) faults.push('the body is not of the contract');
  return { transactionId, userId, type, amount, currency, wrong: faults[0] ?? null };
};

const faultIn = (value: unknown): string | null => {
  if (value === undefined || value === null || value === '') return MISSING;
  if (typeof value !== 'string') return 'is not text';
  if (value.length > LENGTH_MAX) return `has more than ${LENGTH_MAX} characters`;
  return storable(value) === value ? null : 'has characters that cannot be stored';
};

const amountIn = (text: string | null, faults: string[]): string | null => {
  if (text === null) return null;
  const read = readAmount(text);
  if ('amount' in read && sign(read.amount) > 0) return read.amount;
  faults.push(`amount is not ${'wrong' in read ? 'an exact amount' : 'above zero'}`); // what it is may be personal
  return null;
};

const currencyIn = (text: string | null, faults: string[]): string | null => {
  if (text === null || CURRENCY.test(text)) return text;
  faults.push('currency is not a code');
  return null;
};

/** The terms if all that an answer rests on could be read. */
export const wholeTerms = ({
  wrong,
  transactionId,
  amount,
  currency,
  userId,
  type,
}: ReadTerms): AuthorizationTerms | null =>
  wrong !== null || transactionId === null || amount === null || currency === null
    ? null
    : { transactionId, userId, type, amount, currency };
