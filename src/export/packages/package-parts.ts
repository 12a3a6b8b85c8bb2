// Splits a batch into files between journals, never within one, with as many journals per file as the package allows.
import { UsageError } from '../../base/errors.ts';
import { absolute } from '../../base/money.ts';
import type { BatchHead, Journal, PackageBooking, PackageFormat } from './package.ts';

/** A journal with its lines as bytes and what they book; no lines if all of them cancel. */
export type Item<J extends Journal = Journal> = {
  readonly journal: J;
  readonly rows: readonly { readonly bytes: Buffer; readonly booking: PackageBooking }[];
};

/** The bytes of one file's lines, some hundreds at a time, with their number, and the first and last day of its journals. */
export type BatchPart = {
  readonly pages: readonly Buffer[];
  readonly rows: number;
  readonly days: { readonly from: string; readonly to: string };
};

/**
 * Hears of each journal when its file is known, with the number of the lines before it there. Nothing else of a journal than the
 * bytes of its lines is held: a file may have as many as a hundred thousand lines.
 */
type OnItem<J extends Journal> = (item: Item<J>, linesBefore: number) => void | Promise<void>;

/**
 * Splits journals, which come in order of their days. A part is read to its end before the journals of the next one are heard of.
 * Throws a UsageError if one alone exceeds a file.
 */
export async function* partsOf<J extends Journal>(
  format: PackageFormat,
  head: BatchHead,
  { journals, onItem }: { readonly journals: AsyncIterable<J> | Iterable<J>; readonly onItem: OnItem<J> },
): AsyncGenerator<BatchPart> {
  const headBytes = format.encode(format.head(head, { from: '2026-01-01', to: '2026-01-31' })).length;
  const none = { lines: format.headLines, bytes: headBytes };
  let part: OpenPart | null = null;
  for await (const journal of journals) {
    const item = itemOf(format, head, journal);
    const own = sizeOf(item);
    refuseTooMuch(format, item, sumOf(none, own));
    if (part && (isOver(format, sumOf(part.size, own)) || isOtherMonth(format, part.days, journal))) {
      yield partOf(format, part);
      part = null;
    }
    part ??= { pages: [], lines: [], size: none, days: { from: journal.day, to: journal.day } };
    await onItem(item, part.size.lines);
    part.size = sumOf(part.size, own);
    part.lines.push(...item.rows.map(({ bytes }) => bytes));
    if (part.lines.length >= LINES_PER_PAGE) endPage(part);
    part.days.to = journal.day;
  }
  if (part) yield partOf(format, part);
}

type Size = { readonly lines: number; readonly bytes: number };

type OpenPart = {
  readonly pages: Buffer[];
  /** Those after the last page. */
  lines: Buffer[];
  size: Size;
  readonly days: { readonly from: string; to: string };
};

const LINES_PER_PAGE = 500;

/** Copies its lines together: small buffers share memory with what is no longer needed. */
const endPage = (part: OpenPart): void => {
  part.pages.push(Buffer.concat(part.lines));
  part.lines = [];
};

const partOf = ({ headLines }: PackageFormat, part: OpenPart): BatchPart => {
  endPage(part);
  return { pages: part.pages, rows: part.size.lines - headLines, days: part.days };
};

const sumOf = (a: Size, b: Size): Size => ({ lines: a.lines + b.lines, bytes: a.bytes + b.bytes });

const itemOf = <J extends Journal>(format: PackageFormat, head: BatchHead, journal: J): Item<J> => ({
  journal,
  rows: journal.bookings.map((booking) => ({
    bytes: format.encode(format.row(format.cells(booking, journal, head))),
    booking,
  })),
});

const sizeOf = ({ rows }: Pick<Item<Journal>, 'rows'>): Size => ({
  lines: rows.length,
  bytes: rows.reduce((sum, { bytes }) => sum + bytes.length, 0),
});

const isOver = ({ limits }: PackageFormat, { lines, bytes }: Size): boolean =>
  lines > limits.lines || (limits.bytes !== null && bytes > limits.bytes);

const isOtherMonth = ({ isMonthly }: PackageFormat, { from }: BatchPart['days'], { day }: Journal): boolean =>
  isMonthly && from.slice(0, 7) !== day.slice(0, 7);

const refuseTooMuch = (format: PackageFormat, { journal, rows }: Item<Journal>, alone: Size): void => {
  const { limits } = format;
  if (isOver(format, alone))
    throw new UsageError(
      `${nameOf(journal)} has ${rows.length} lines, and a file of this package takes ${limits.lines}, and entries are never split: ${cureOf(journal, 'add its lines up by account with --summary day')}`,
    );
  const over = rows
    .flatMap(({ booking }) => booking)
    .find(({ cents }) => String(absolute(cents)).length > limits.wholeDigits + 2);
  if (over)
    throw new UsageError(
      `${nameOf(journal)} books more than ${limits.wholeDigits} digits on ${over.code}, the limit of this package: ${cureOf(journal)}`,
    );
};

const nameOf = ({ isSum, reference, text }: Journal): string =>
  isSum ? `the sum of ${text}` : `entry ${reference} (${text})`;

/** Nothing that leaves an entry out: whoever posts it by hand finds it in the next export again. */
const cureOf = ({ isSum }: Journal, ofEntry?: string): string =>
  isSum
    ? 'choose a shorter --summary, such as day, or leave it out'
    : [ofEntry, 'choose another package'].filter((cure) => cure !== undefined).join(', or ');
