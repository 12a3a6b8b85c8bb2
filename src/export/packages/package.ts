// Journals for accounting packages: the types that every format shares. A batch is a list of entries in the reporting
// currency, in whole cents, each balanced. Each package has a file of its own.
import assert from 'node:assert/strict';
import { absolute } from '../../base/money.ts';
import type { Language } from '../reports/headings.ts';
import type { BookedAmount } from './booked-amount.ts';
import type { PackageLimits } from './package-limits.ts';

/** An account of the package with what it is booked with. Dimensions: tracking, cost centres, class and name, or tags. */
export type Target = {
  readonly code: string;
  readonly name: string;
  readonly tax: string;
  readonly dimension1: string;
  readonly dimension2: string;
};

/** Equal for the same account with the same tax and dimensions. */
export const targetKey = ({ code, name, tax, dimension1, dimension2 }: Target): string =>
  [code, name, tax, dimension1, dimension2].join('\n');

/** A line of an entry, debit positive, with its account from the map. `units` is the amount moved, in `currency`. */
export type PackageLine = Target & {
  readonly account: string;
  readonly currency: string;
  readonly counterpartyType: string;
  readonly units: string;
  readonly cents: bigint;
};

/** `new`: exported for the first time. `correction`: the difference between today's entry and the one exported before. */
export type EntryKind = 'new' | 'correction';

/** An entry of a batch: its number there from 1, its day `2026-10-31` in the books' timezone, lines that sum to zero. */
export type PackageEntry = {
  readonly ordinal: number;
  readonly id: string;
  readonly day: string;
  readonly kind: EntryKind;
  readonly stream: string;
  readonly recordId: string;
  readonly lines: readonly PackageLine[];
};

/** The head of a batch. `exportedAt` is UTC text; `currency` is the reporting currency. */
export type BatchHead = {
  readonly year: string;
  readonly number: number;
  readonly exportedAt: string;
  readonly currency: string;
  readonly settings: Readonly<Record<string, string>>;
};

/** Units of a currency; `account` is the path of ours that they moved on, empty in a sum over several. */
export type Moved = { readonly account: string; readonly currency: string; readonly units: string };

/** An account that a line of a file books, with what moved on it; `cents` are debit positive. */
export type AccountSide = Target & { readonly moved: readonly Moved[]; readonly cents: bigint };

/** The accounts of one line of a file: one side, or two that sum to zero if the package writes debit against credit. */
export type PackageBooking = readonly AccountSide[];

/** A journal of a package's file: one entry of the books, or the sum of several. All its bookings sum to zero. */
export type Journal = {
  /** Its number in the batch from 1. */
  readonly ordinal: number;
  readonly day: string;
  /** The streams of the entries that one of its bookings sums, sorted and joined by commas. */
  readonly streamsOf: (booking: PackageBooking) => string;
  /** The day or stretch of time that it holds: `2026-10-31`, `2026-10`. */
  readonly span: string;
  readonly isSum: boolean;
  /** The subject, as an accountant would look it up; nothing personal. */
  readonly text: string;
  /** The id of its entry, or the number of its entries. */
  readonly reference: string;
  readonly bookings: readonly PackageBooking[];
};

/** The option --datev, the settings that the head of a file may use, and each code of the account map and of the batch. */
export type PackageOptions = {
  readonly datev: string | undefined;
  readonly currency: string;
  readonly codes: readonly string[];
  /** The month, 1 to 12, in which fiscal years begin; absent: January. */
  readonly fiscalYearStart?: number | undefined;
};

/** A line of the chart of accounts: its code, and its name in each language. */
type ChartAccount = { readonly code: string; readonly names: Readonly<Record<Language, string>> };

/** Kinds of accounts that some packages book only in a way of their own. Empty: any other account. */
export const ACCOUNT_TYPES = ['', 'bank', 'receivable', 'payable', 'system', 'automatic'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** An accounting package. It decides only the form of a file; entries arrive mapped and balanced. */
export type PackageFormat = {
  readonly limits: PackageLimits;
  /** The number of lines above the first entry. */
  readonly headLines: number;
  /** The sign between the cells of a line. */
  readonly delimiter: ',' | ';';
  /** Whether a file may hold entries of one month only. */
  readonly isMonthly: boolean;
  readonly fileName: (head: BatchHead, part: number) => string;
  /** The text above the entries of a file, for its first and last day. */
  readonly head: (head: BatchHead, days: { readonly from: string; readonly to: string }) => string;
  /** The lines that an entry becomes in a file, before their form. */
  readonly bookings: (
    lines: readonly PackageLine[],
    head: Pick<BatchHead, 'currency'>,
  ) => readonly PackageBooking[];
  /** The cells of one line. Throws a UsageError if the package has no form for it. */
  readonly cells: (booking: PackageBooking, journal: Journal, head: BatchHead) => readonly string[];
  readonly row: (cells: readonly string[]) => string;
  /** What the cells of a line book, read back: the package's key of each account, and its amount as text, debit positive. */
  readonly booked: (cells: readonly string[]) => readonly BookedAmount[];
  readonly encode: (text: string) => Buffer;
  /** The package's name for an account: its code or its name. */
  readonly keyOf: (account: Pick<PackageLine, 'code' | 'name'>) => string;
  /** Further values for the head, from the options and the codes of the map. Throws a UsageError if one is missing. */
  readonly settings: (options: PackageOptions) => Readonly<Record<string, string>>;
  /** The package's account for a line of the chart of accounts. */
  readonly ofChart: (line: ChartAccount) => Pick<Target, 'code' | 'name' | 'tax'>;
  /** The faults of a line of the account map, for this package. */
  readonly mapFaults: (target: Target & { readonly type: AccountType }) => readonly string[];
};

/** `2026-0003-00017`: the batch, and the entry's number in it. 15 characters up to 99,999 entries. */
export const journalNumber = ({ year, number }: BatchHead, { ordinal }: Pick<Journal, 'ordinal'>): string =>
  `${batchName({ year, number })}-${String(ordinal).padStart(5, '0')}`;

/** `2026-0003` */
export const batchName = ({ year, number }: Pick<BatchHead, 'year' | 'number'>): string =>
  `${year}-${String(number).padStart(4, '0')}`;

/** The subject of an entry, as an accountant would look it up; nothing personal. */
const entryText = ({ kind, stream, recordId }: PackageEntry): string =>
  `${kind === 'correction' ? 'correction of ' : ''}${stream} ${recordId}`;

/** An entry as a journal of its own. */
export const journalOf = (
  { bookings }: PackageFormat,
  entry: PackageEntry,
  head: Pick<BatchHead, 'currency'>,
): Journal => {
  const { stream } = entry; // nothing else of the entry stays in memory
  return {
    ordinal: entry.ordinal,
    day: entry.day,
    streamsOf: () => stream,
    span: entry.day,
    isSum: false,
    text: entryText(entry),
    reference: entry.id,
    bookings: bookings(entry.lines, head),
  };
};

/** The amounts that moved on a side: `assets:trading 0.5 BTC`, or `0.5 BTC, 12 ETH` in a sum. */
export const movedText = ({ moved }: Pick<AccountSide, 'moved'>): string =>
  moved.map(({ account, units, currency }) => `${account}${account && ' '}${units} ${currency}`).join(', ');

/** A description of a line: its journal's subject, and what moved, if units did. */
export const lineText = ({ text }: Journal, side: AccountSide): string =>
  [text, movedText(side)].filter((part) => part !== '').join(': ');

/** Each line of an entry as a booking of its own, for packages whose lines have one account. */
export const bookingPerLine = (lines: readonly PackageLine[]): PackageBooking[] =>
  lines.map((line) => [sideOf(line)]);

/** A line of an entry as a side. Its fields are named, because the rest of an object takes more memory than an object. */
export const sideOf = (line: PackageLine): AccountSide => {
  const { account, currency, units, code, name, tax, dimension1, dimension2, cents } = line;
  return { code, name, tax, dimension1, dimension2, cents, moved: [{ account, currency, units }] };
};

/** The one side of a booking of a package whose lines have one account. */
export const onlySide = ([side, ...others]: PackageBooking): AccountSide => {
  assert(side && others.length === 0, 'a line with one account');
  return side;
};

/** A description for a column: one line; if too long, it is cut at the end and marked. Only descriptions are ever cut. */
export const fitted = ({ lengths }: PackageLimits, column: string, text: string): string => {
  const max = lengths[column] ?? text.length;
  const line = oneLine(text);
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(HALF, '')}…`;
};

/** The first half of a character that was cut in two. */
const HALF = /[\ud800-\udbff]$/;

/** The fault of a cell of the account map that is too long: none, or one sentence. */
export const tooLong = ({ lengths }: PackageLimits, column: string, text: string): string[] => {
  const max = lengths[column] ?? text.length;
  return text.length <= max ? [] : [`${text} has more than ${max} characters`];
};

/** A value in the books' text as cents; null if it is not a whole number of cents. */
export const centsOf = (value: string): bigint | null => {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+?)0*)?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > 2) return null;
  const cents = BigInt(whole + fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
};

/** Cents as text with two decimals: `-0.05`. */
export const decimal = (cents: bigint, sign = '.'): string => {
  const digits = String(absolute(cents)).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}${sign}${digits.slice(-2)}`;
};

/** `2026-10-31` in its parts. */
export const dayParts = (day: string): { year: string; month: string; day: string } => {
  const [, year, month, dayOfMonth] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  assert(year && month && dayOfMonth, `not a day: ${day}`);
  return { year, month, day: dayOfMonth };
};

/** A line of a delimited file: cells in quotes only if necessary, ended by CRLF. */
const delimited = (cells: readonly string[], delimiter: ',' | ';'): string =>
  `${cells.map((cell) => (cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`;

/** What packages share that read a plain delimited file: UTF-8, one line of columns, any number of months. */
export const delimitedFormat = (
  name: string,
  {
    limits,
    delimiter,
    mark = '',
  }: { readonly limits: PackageLimits; readonly delimiter: ',' | ';'; readonly mark?: string },
) => ({
  limits,
  headLines: 1,
  delimiter,
  isMonthly: false,
  fileName: (head: BatchHead, part: number): string => `${name}-${batchName(head)}-${part}.csv`,
  head: (): string => mark + delimited(limits.columns, delimiter),
  row: (cells: readonly string[]): string => delimited(cells, delimiter),
  encode: (text: string): Buffer => Buffer.from(text, 'utf8'),
  settings: () => ({}),
});

/** Replaces line ends and invisible characters by blanks: no package accepts them in a cell. */
const oneLine = (text: string): string => text.replaceAll(/[\p{C}\u2028\u2029]/gu, ' ');
