// Splits a batch into files between entries, never within one, with as many entries per file as the package allows.
import { UsageError } from '../../base/errors.ts';
import type { AccountSide, BatchHead, PackageEntry, PackageFormat } from './package.ts';

/** An entry with its lines as bytes and what they book; no lines if all of them cancel. */
type Item = {
  readonly entry: PackageEntry;
  readonly rows: readonly { readonly bytes: Buffer; readonly sides: readonly AccountSide[] }[];
};

/** The entries of one file, and its first and last day. */
export type BatchPart = {
  readonly items: readonly Item[];
  readonly days: { readonly from: string; readonly to: string };
};

/** Splits entries, which come in order of their days. Throws a UsageError if one alone exceeds a file. */
export async function* partsOf(
  format: PackageFormat,
  head: BatchHead,
  entries: AsyncIterable<PackageEntry>,
): AsyncGenerator<BatchPart> {
  const headBytes = format.encode(format.head(head, { from: '2026-01-01', to: '2026-01-31' })).length;
  const none = { lines: format.headLines, bytes: headBytes };
  let items: Item[] = [];
  let size = none;
  for await (const entry of entries) {
    const item = itemOf(format, head, entry);
    const own = sizeOf(item);
    refuseTooMuch(format, item, { lines: none.lines + own.lines, bytes: none.bytes + own.bytes });
    const both = { lines: size.lines + own.lines, bytes: size.bytes + own.bytes };
    if (items.length > 0 && (isOver(format, both) || isOtherMonth(format, items, entry))) {
      yield partOf(items);
      items = [];
      size = none;
    }
    items.push(item);
    size = { lines: size.lines + own.lines, bytes: size.bytes + own.bytes };
  }
  if (items.length > 0) yield partOf(items);
}

type Size = { readonly lines: number; readonly bytes: number };

const itemOf = (format: PackageFormat, head: BatchHead, entry: PackageEntry): Item => ({
  entry,
  rows: format
    .rows(entry, head)
    .map(({ cells, sides }) => ({ bytes: format.encode(format.row(cells)), sides })),
});

const sizeOf = ({ rows }: Item): Size => ({
  lines: rows.length,
  bytes: rows.reduce((sum, { bytes }) => sum + bytes.length, 0),
});

const partOf = (items: readonly Item[]): BatchPart => ({
  items,
  days: { from: items[0]?.entry.day ?? '', to: items.at(-1)?.entry.day ?? '' },
});

const isOver = ({ limits }: PackageFormat, { lines, bytes }: Size): boolean =>
  lines > limits.lines || (limits.bytes !== null && bytes > limits.bytes);

const isOtherMonth = ({ isMonthly }: PackageFormat, items: readonly Item[], { day }: PackageEntry): boolean =>
  isMonthly && items[0]?.entry.day.slice(0, 7) !== day.slice(0, 7);

const refuseTooMuch = (format: PackageFormat, { entry, rows }: Item, alone: Size): void => {
  const { limits } = format;
  if (isOver(format, alone))
    throw new UsageError(
      `entry ${entry.id} (${entry.stream} ${entry.recordId}) has ${rows.length} lines, and a file of this package takes ${limits.lines}, and entries are never split: post it by hand, or choose another package`,
    );
  const over = rows
    .flatMap(({ sides }) => sides)
    .find(({ cents }) => String(cents < 0n ? -cents : cents).length > limits.wholeDigits + 2);
  if (over)
    throw new UsageError(
      `entry ${entry.id} (${entry.stream} ${entry.recordId}) books more than ${limits.wholeDigits} digits on ${over.line.code}, the limit of this package: post it by hand, or choose another package`,
    );
};
