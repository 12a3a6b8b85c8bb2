// A payment as both sides state it: a line of a statement, and what an entry moved. Nouns of the match, and what a pair of them is.
import { compare, subtract } from '../base/money.ts';
import { DAY_MS, msOf } from '../base/time.ts';

/** A line that is in no pair. Amounts are positive if money left the platform. */
export type OpenLine = {
  readonly account_name: string;
  readonly line_number: number;
  readonly kind: 'bank' | 'chain';
  readonly currency: string;
  readonly booked_on: string;
  readonly value_on: string;
  readonly amount: string;
  readonly hash: string | null;
  /** On a chain: the address whose list has the line. */
  readonly own_address: string | null;
  readonly reference_marks: readonly string[];
  /** Commitments to the number of the line's own account; empty if no file named it. */
  readonly number_marks: readonly string[];
  readonly is_related: boolean;
};

/**
 * An entry's payment that is in no pair. `pocketed` differs from `amount` by a fee. returned_…: the reversal of its entry, if its record was
 * cancelled after it had stood for a time.
 */
export type OpenPayment = {
  readonly kind: 'bank' | 'chain';
  readonly entry_id: string;
  readonly account: string;
  readonly currency: string;
  readonly effective_at: string;
  readonly effective_day: string;
  readonly stream: string;
  readonly record_id: string;
  readonly amount: string;
  readonly pocketed: string;
  /** Commitments to the record's own identifiers, and to its concept, which others may share. */
  readonly marks: readonly string[];
  readonly concept: string | null;
  readonly bank_account: string | null;
  /** On a chain, as far as the record has them: the hash, and the address on the other side. */
  readonly hash: string | null;
  readonly address: string | null;
  readonly returned_by: string | null;
  readonly returned_at: string | null;
  readonly returned_day: string | null;
};

export type ExternalGrounds =
  | 'reference'
  | 'amount and day'
  | 'amount and order'
  | 'hash'
  | 'address and amount';

export type ExternalPair = {
  readonly line: OpenLine;
  readonly payment: OpenPayment;
  readonly grounds: ExternalGrounds;
  /** The fee of the entry that the line includes. */
  readonly fee: string;
  readonly daysApart: number;
};

/** The days between a line and a payment: from the value date or the bank's own, whichever is nearer. */
export const apart = ({ booked_on, value_on }: OpenLine, { effective_day }: OpenPayment): number => {
  const days = (a: string, b: string) => Math.abs(msOf(`${a}T00:00:00Z`) - msOf(`${b}T00:00:00Z`)) / DAY_MS;
  return Math.min(days(value_on, effective_day), days(booked_on, effective_day));
};

export const pairOf = (line: OpenLine, payment: OpenPayment, grounds: ExternalGrounds): ExternalPair => {
  const isWithFee = line.amount !== payment.amount && compare(line.amount, payment.pocketed) === 0;
  const fee = isWithFee ? subtract(payment.pocketed, payment.amount) : '0';
  return { line, payment, grounds, fee, daysApart: Math.round(apart(line, payment)) };
};

/** Whether a line may be of a payment at all: the payment names no bank account, or the line's, or that is not known. */
export const isOfAccount = ({ number_marks }: OpenLine, { bank_account }: OpenPayment): boolean =>
  bank_account === null || number_marks.length === 0 || number_marks.includes(bank_account);

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
