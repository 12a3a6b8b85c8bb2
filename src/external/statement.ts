// The nouns of the room: a statement of an account outside the platform, and its lines, as a file states them.
import { UsageError } from '../base/errors.ts';
import { readAmount } from '../base/money.ts';
import { readInstant } from '../base/time.ts';

/** Days are `2026-10-31`; amounts are exact text, positive if money entered the account. */
export type ExternalLine = {
  readonly fileLine: number;
  readonly bookedOn: string;
  readonly valueOn: string;
  /** The instant of a transaction on a chain; null for a bank. */
  readonly happenedAt: string | null;
  readonly amount: string;
  /** On a chain: the hash, and the address on the other side if the file has one. */
  readonly hash: string | null;
  readonly address: string | null;
  /** References that the bank, the payer or the payee gave: each may be the platform's own. */
  readonly references: readonly string[];
  /** Free text: what the payment is for. */
  readonly note: string;
  readonly counterparty: string;
  readonly counterpartyAccount: string;
  /** Other facts of the line, without personal data. */
  readonly facts: Readonly<Record<string, string>>;
};

/** A statement between two balances, or a list of an address's transactions, which has none. */
export type ExternalStatement = {
  readonly fileLine: number;
  /** The bank's own number of the statement and of its page; null if the file has none. */
  readonly bankNumber: string | null;
  readonly accountNumber: string | null;
  readonly currency: string | null;
  readonly startsOn: string;
  readonly endsOn: string;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly lines: readonly ExternalLine[];
};

export type ExternalFormat = 'camt.053' | 'mt940' | 'norma43' | 'csv' | 'chain-csv' | 'etherscan';

export type StatementsRead = {
  readonly format: ExternalFormat;
  /** How a CSV with other headings was read, as canonical JSON; null for what has one form. */
  readonly reading: string | null;
  readonly statements: readonly ExternalStatement[];
};

/** Ends with the file, the line, the fault and the remedy. */
export type RefuseFile = (line: number | null, why: string) => never;

export const refuserOf =
  (file: string): RefuseFile =>
  (line, why) => {
    throw new UsageError(line === null ? `${file}: ${why}` : `${file}: line ${line}: ${why}`);
  };

/** At most this many lines of one file: a limit on time and memory. */
export const LINES_MAX = 100_000;

/** What is not on a bank line. */
export const BANK_LINE = { happenedAt: null, hash: null, address: null } as const;

/** A text from a file as a message shows it. */
export const shown = (text: string): string => JSON.stringify(text.slice(0, 60));

/** A day, if the text is one that exists. */
export const dayOf = (text: string): string | null =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && readInstant(`${text}T00:00:00Z`) !== null ? text : null;

/** Six digits, year first, as a day of this century. */
export const dayOfSix = (digits: string): string | null =>
  dayOf(`20${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4, 6)}`);

const UNSIGNED = /^\d+(\.\d*)?$/;

/** An amount without a sign, with a decimal point or, as MT940 writes it, a comma; null if it is none. */
export const unsignedAmount = (text: string): string | null => {
  const plain = text.replace(',', '.');
  if (!UNSIGNED.test(plain)) return null;
  const read = readAmount(plain.replace(/\.$/, ''));
  return 'amount' in read ? read.amount : null;
};

/** The earliest of some days. */
export const firstDay = (days: readonly string[]): string | null => [...days].sort()[0] ?? null;
