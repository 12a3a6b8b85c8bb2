// The files of a batch: the package's own, split at the package's limits; batch_entries.csv, which links every line to its
// entries; batch_totals.csv, the total of each account. A batch of summaries has batch_lines.csv besides: each line of the
// package's files with its amount, which the entries linked to it sum to.

import { createHash } from 'node:crypto';
import type { Cell, Column } from '../../database/database.ts';
import { csvHeader, csvRows } from '../reports/csv.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { ManifestFile } from '../reports/manifest.ts';
import { type AccountSum, addSums } from './account-sums.ts';
import {
  type AccountSide,
  type BatchHead,
  decimal,
  type Journal,
  journalNumber,
  journalOf,
  type PackageEntry,
  type PackageFormat,
} from './package.ts';
import { type BatchPart, type Item, partsOf } from './package-parts.ts';

export type Batching = {
  readonly folder: Folder;
  readonly format: PackageFormat;
  readonly head: BatchHead;
  /** Whether this is a re-export, which shows in its file names. */
  readonly isCopy: boolean;
};

/** The files for the manifest, the number of entries, and the sum of the lines by account key, in cents. */
export type Written = {
  readonly files: readonly ManifestFile[];
  readonly entries: number;
  readonly totals: ReadonlyMap<string, bigint>;
};

const [TEXT, INTEGER, NUMERIC, UUID, DATE] = [25, 23, 1700, 2950, 1082];
const LINK_COLUMNS: readonly Column[] = [
  column('file', TEXT),
  column('line', INTEGER),
  column('journal', TEXT),
  column('entry_id', UUID),
  column('kind', TEXT),
  column('day', DATE),
  column('stream', TEXT),
  column('record_id', TEXT),
  column('code', TEXT),
  column('name', TEXT),
  column('debit', NUMERIC),
  column('credit', NUMERIC),
];
/** Each line of the package's files, with its entries. */
export const LINKS = 'batch_entries.csv';
/** The total of each account, by the package's key of the account. */
export const TOTALS = 'batch_totals.csv';
/** Each line of the package's files, in a batch of summaries. */
export const LINES = 'batch_lines.csv';
/** The files of a batch besides those of its package. */
export const BATCH_FILES: readonly string[] = [LINKS, TOTALS, LINES];
const TOTAL_COLUMNS: readonly Column[] = [
  column('account', TEXT),
  column('debit', NUMERIC),
  column('credit', NUMERIC),
  column('balance', NUMERIC),
];
const LINE_COLUMNS: readonly Column[] = [
  column('file', TEXT),
  column('line', INTEGER),
  column('journal', TEXT),
  column('day', DATE),
  column('subject', TEXT),
  column('streams', TEXT),
  column('code', TEXT),
  column('name', TEXT),
  column('debit', NUMERIC),
  column('credit', NUMERIC),
];

function column(name: string, typeId: number | undefined): Column {
  return { name, typeId: typeId ?? 0 };
}

/** Writes a file of ours in pieces; returns it for the manifest, and the result of `fill`. */
const writeTable = async <T>(
  folder: Folder,
  { name, columns }: { readonly name: string; readonly columns: readonly Column[] },
  fill: (add: (rows: readonly Cell[][]) => Promise<void>) => Promise<T>,
): Promise<{ readonly file: ManifestFile; readonly result: T }> => {
  const hash = createHash('sha256');
  let count = 0;
  const result = await writeFileIn(folder, name, async (put) => {
    const add = async (text: string): Promise<void> => {
      hash.update(text);
      await put(text);
    };
    await add(csvHeader(columns));
    return fill(async (rows) => {
      count += rows.length;
      await add(csvRows(columns, rows));
    });
  });
  const file = { name, rows: count, sha256: hash.digest('hex'), columns: columns.map(({ name }) => name) };
  return { file, result };
};

/** Writes batch_entries.csv. */
export const writeLinks = <T>(
  folder: Folder,
  fill: (add: (rows: readonly Cell[][]) => Promise<void>) => Promise<T>,
) => writeTable(folder, { name: LINKS, columns: LINK_COLUMNS }, fill);

/** Writes batch_lines.csv. */
export const writeLines = async (folder: Folder, rows: readonly Cell[][]): Promise<ManifestFile> =>
  (await writeTable(folder, { name: LINES, columns: LINE_COLUMNS }, (add) => add(rows))).file;

type AboutEntry = Omit<PackageEntry, 'lines'>;
type EntryJournal = Journal & { readonly entry: AboutEntry };

/** Rows of batch_entries.csv that are written at once. */
const ROWS_PER_WRITE = 1000;

/** Writes every entry as a journal of its own. Throws a UsageError if one is too large for a file. */
export const writePackage = async (
  batching: Batching,
  entries: AsyncIterable<PackageEntry>,
): Promise<Written> => {
  const { folder, format, head } = batching;
  const files: ManifestFile[] = [];
  const sums = new Map<string, AccountSum>();
  let count = 0;
  const { file: links } = await writeLinks(folder, async (add) => {
    let pending: Cell[][] = [];
    const onItem = async (item: Item<EntryJournal>, line: number): Promise<void> => {
      pending.push(...linksOf(head, item, { file: fileNameOf(batching, files.length + 1), line }));
      addSums(sums, format, item);
      count += 1;
      if (pending.length < ROWS_PER_WRITE) return;
      await add(pending);
      pending = [];
    };
    for await (const part of partsOf(format, head, { journals: journalsOf(batching, entries), onItem })) {
      const file = await writePart(batching, part, files.length + 1);
      if (file) files.push(file);
    }
    await add(pending);
  });
  return writtenOf([...files, links, await writeTotals(folder, sums)], count, sums);
};

/** What was written, with the balance of each account. */
export const writtenOf = (
  files: readonly ManifestFile[],
  entries: number,
  sums: ReadonlyMap<string, AccountSum>,
): Written => ({
  files,
  entries,
  totals: new Map([...sums].map(([key, { debit, credit }]) => [key, debit - credit] as const)),
});

async function* journalsOf(
  { format, head }: Batching,
  entries: AsyncIterable<PackageEntry>,
): AsyncGenerator<EntryJournal> {
  for await (const entry of entries) {
    const { lines: _booked, ...about } = entry; // its bookings hold them
    yield { ...journalOf(format, entry, head), entry: about };
  }
}

/** The name of a file of the package, by its number in the batch. */
export const fileNameOf = ({ format, head, isCopy: isAgain }: Batching, number: number): string =>
  format.fileName(head, number).replace(/\.csv$/, isAgain ? '-again.csv' : '.csv');

/** Writes one file of the package; null if all its lines cancel. */
export const writePart = async (
  batching: Batching,
  { pages, rows, days }: BatchPart,
  number: number,
): Promise<ManifestFile | null> => {
  if (rows === 0) return null;
  const { folder, format, head } = batching;
  const name = fileNameOf(batching, number);
  const hash = createHash('sha256');
  await writeFileIn(folder, name, async (put) => {
    const add = async (bytes: Uint8Array): Promise<void> => {
      hash.update(bytes);
      await put(bytes);
    };
    await add(format.encode(format.head(head, days)));
    for (const page of pages) await add(page);
  });
  return { name, rows, sha256: hash.digest('hex'), columns: format.limits.columns };
};

/** A line of a file as one row, or two if it books two accounts; an entry whose lines cancel as one row without a line. */
const linksOf = (
  head: BatchHead,
  { journal, rows }: Item<EntryJournal>,
  { file, line }: { readonly file: string; readonly line: number },
): Cell[][] => {
  const [name, about] = [journalNumber(head, journal), entryCells(journal.entry)];
  if (rows.length === 0) return [[null, null, name, ...about, null, null, null, null]];
  return rows.flatMap(({ booking }, nth) =>
    booking.map((side) => [file, String(line + nth + 1), name, ...about, ...sideCells(side)]),
  );
};

/** The cells of batch_entries.csv that name an entry. */
export const entryCells = ({ id, kind, day, stream, recordId }: AboutEntry): Cell[] => [
  id,
  kind,
  day,
  stream,
  recordId,
];

/** The cells of an account and its debit or credit. */
export const sideCells = ({ code, name, cents }: AccountSide): Cell[] =>
  cents > 0n ? [code, name, decimal(cents), null] : [code, name, null, decimal(-cents)];

/** Writes batch_totals.csv. */
export const writeTotals = async (
  folder: Folder,
  sums: ReadonlyMap<string, AccountSum>,
): Promise<ManifestFile> => {
  const rows = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { debit, credit }]) => [key, decimal(debit), decimal(credit), decimal(debit - credit)]);
  return (await writeTable(folder, { name: TOTALS, columns: TOTAL_COLUMNS }, (add) => add(rows))).file;
};
