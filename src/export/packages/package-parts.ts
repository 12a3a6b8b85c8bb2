// Splits a batch into files between journals, never within one, with as many journals per file as the package allows.
import { UsageError } from '../../base/errors.ts';
import type { BatchHead, Journal, PackageBooking, PackageFormat } from './package.ts';

/** A journal with its lines as bytes and what they book; no lines if all of them cancel. */
type Item<J extends Journal> = {
  readonly journal: J;
  readonly rows: readonly { readonly bytes: Buffer; readonly booking: PackageBooking }[];
};

/** The journals of one file, and its first and last day. */
export type BatchPart<J extends Journal = Journal> = {
  readonly items: readonly Item<J>[];
  readonly days: { readonly from: string; readonly to: string };
};

/** Splits journals, which come in order of their days. Throws a UsageError if one alone exceeds a file. */
export async function* partsOf<J extends Journal>(
  format: PackageFormat,
  head: BatchHead,
  journals: AsyncIterable<J> | Iterable<J>,
): AsyncGenerator<BatchPart<J>> {
  const headBytes = format.encode(format.head(head, { from: '2026-01-01', to: '2026-01-31' })).length;
  const none = { lines: format.headLines, bytes: headBytes };
  let items: Item<J>[] = [];
  let size = none;
  for await (const journal of journals) {
    const item = itemOf(format, head, journal);
    const own = sizeOf(item);
    refuseTooMuch(format, item, { lines: none.lines + own.lines, bytes: none.bytes + own.bytes });
    const both = { lines: size.lines + own.lines, bytes: size.bytes + own.bytes };
    if (items.length > 0 && (isOver(format, both) || isOtherMonth(format, items, journal))) {
      yield partOf(items);
      items = [];
      size = none;
    }
    items.push(item);
    size = { lines: size.lines + own.lines, bytes: size.bytes + own.bytes };
  }
  if (items.length > 0) yield partOf(items);
}

const JOURNALS_AT_ONCE = 500;

/** The journals of a file, some at a time: a file may have a hundred thousand lines, and what is written of each is longer. */
export function* slicesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let first = 0; first < items.length; first += JOURNALS_AT_ONCE)
    yield items.slice(first, first + JOURNALS_AT_ONCE);
}

type Size = { readonly lines: number; readonly bytes: number };

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

const partOf = <J extends Journal>(items: readonly Item<J>[]): BatchPart<J> => ({
  items,
  days: { from: items[0]?.journal.day ?? '', to: items.at(-1)?.journal.day ?? '' },
});

const isOver = ({ limits }: PackageFormat, { lines, bytes }: Size): boolean =>
  lines > limits.lines || (limits.bytes !== null && bytes > limits.bytes);

const isOtherMonth = (
  { isMonthly }: PackageFormat,
  items: readonly Item<Journal>[],
  { day }: Journal,
): boolean => isMonthly && items[0]?.journal.day.slice(0, 7) !== day.slice(0, 7);

const refuseTooMuch = (format: PackageFormat, { journal, rows }: Item<Journal>, alone: Size): void => {
  const { limits } = format;
  if (isOver(format, alone))
    throw new UsageError(
      `${nameOf(journal)} has ${rows.length} lines, and a file of this package takes ${limits.lines}, and entries are never split: ${cureOf(journal)}`,
    );
  const over = rows
    .flatMap(({ booking }) => booking)
    .find(({ cents }) => String(cents < 0n ? -cents : cents).length > limits.wholeDigits + 2);
  if (over)
    throw new UsageError(
      `${nameOf(journal)} books more than ${limits.wholeDigits} digits on ${over.code}, the limit of this package: ${cureOf(journal)}`,
    );
};

const nameOf = ({ isSum, reference, text }: Journal): string =>
  isSum ? `the sum of ${text}` : `entry ${reference} (${text})`;

const cureOf = ({ isSum }: Journal): string =>
  isSum
    ? 'choose a shorter --summary, such as day, or leave it out'
    : 'post it by hand, or choose another package';
