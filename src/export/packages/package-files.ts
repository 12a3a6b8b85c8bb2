// The files of a batch: the package's own, split at the package's limits; batch_entries.csv, which links every line to its
// entries; batch_totals.csv, the total of each account. A batch of summaries has batch_lines.csv besides: each line of the
// package's files with its amount, which the entries linked to it sum to.
import { createHash } from 'node:crypto';
import { FailedError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { type Cell, type Column, csvHeader, csvRows } from '../reports/csv.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { ManifestFile } from '../reports/manifest.ts';
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
import { type BatchPart, partsOf } from './package-parts.ts';

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

type EntryJournal = Journal & { readonly entry: PackageEntry };

/** Writes every entry as a journal of its own. Throws a UsageError if one is too large for a file. */
export const writePackage = async (
  batching: Batching,
  entries: AsyncIterable<PackageEntry>,
): Promise<Written> => {
  const files: ManifestFile[] = [];
  const sums = new Map<string, AccountSum>();
  let count = 0;
  const { file: links } = await writeLinks(batching.folder, async (add) => {
    for await (const part of partsOf(batching.format, batching.head, journalsOf(batching, entries))) {
      const file = await writePart(batching, part, files.length + 1);
      if (file) files.push(file);
      await add(linksOf(batching, part, file?.name ?? null));
      addSums(sums, batching.format, part);
      count += part.items.length;
    }
  });
  return writtenOf([...files, links, await writeTotals(batching.folder, sums)], count, sums);
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
  for await (const entry of entries) yield { ...journalOf(format, entry, head), entry };
}

/** Writes one file of the package; null if all its lines cancel. */
export const writePart = async (
  { folder, format, head, isCopy: isAgain }: Batching,
  { items, days }: BatchPart,
  number: number,
): Promise<ManifestFile | null> => {
  const rows = items.flatMap((item) => item.rows);
  if (rows.length === 0) return null;
  const name = format.fileName(head, number).replace(/\.csv$/, isAgain ? '-again.csv' : '.csv');
  const bytes = Buffer.concat([format.encode(format.head(head, days)), ...rows.map((row) => row.bytes)]);
  await writeFileIn(folder, name, (put) => put(bytes));
  return { name, rows: rows.length, sha256: sha256(bytes), columns: format.limits.columns };
};

/** A line of a file as one row, or two if it books two accounts; an entry whose lines cancel as one row without a line. */
const linksOf = (
  { format, head }: Batching,
  { items }: BatchPart<EntryJournal>,
  file: string | null,
): Cell[][] => {
  let number = format.headLines;
  return items.flatMap(({ journal, rows }) => {
    const [name, about] = [journalNumber(head, journal), entryCells(journal.entry)];
    if (rows.length === 0) return [[null, null, name, ...about, null, null, null, null]];
    return rows.flatMap(({ booking }) => {
      number += 1;
      return booking.map((side) => [file, String(number), name, ...about, ...sideCells(side)]);
    });
  });
};

/** The cells of batch_entries.csv that name an entry. */
export const entryCells = ({ id, kind, day, stream, recordId }: PackageEntry): Cell[] => [
  id,
  kind,
  day,
  stream,
  recordId,
];

/** The cells of an account and its debit or credit. */
export const sideCells = ({ code, name, cents }: AccountSide): Cell[] =>
  cents > 0n ? [code, name, decimal(cents), null] : [code, name, null, decimal(-cents)];

/** Throws a FailedError if the files do not sum, account by account, to the totals of the books. */
export const refuseOtherTotals = (
  written: ReadonlyMap<string, bigint>,
  wanted: ReadonlyMap<string, bigint>,
): void => {
  const keys = [...new Set([...written.keys(), ...wanted.keys()])].sort();
  const differing = keys.filter((key) => (written.get(key) ?? 0n) !== (wanted.get(key) ?? 0n));
  if (differing.length === 0) return;
  const lines = differing.map(
    (key) => `${key}: ${decimal(written.get(key) ?? 0n)}, not ${decimal(wanted.get(key) ?? 0n)}`,
  );
  throw new FailedError(
    `the files do not sum to the trial balance, so nothing was exported. Please report this bug:\n  ${lines.join('\n  ')}`,
  );
};

export type AccountSum = { debit: bigint; credit: bigint };

/** Adds what a file books to the sum of each account. */
export const addSums = (
  sums: Map<string, AccountSum>,
  { keyOf }: PackageFormat,
  { items }: BatchPart,
): void => {
  for (const { cents, ...account } of items.flatMap(({ rows }) => rows.flatMap(({ booking }) => booking))) {
    const sum = sums.get(keyOf(account)) ?? { debit: 0n, credit: 0n };
    if (cents > 0n) sum.debit += cents;
    else sum.credit -= cents;
    sums.set(keyOf(account), sum);
  }
};

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
