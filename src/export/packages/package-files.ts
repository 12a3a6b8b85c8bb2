// The files of a batch: the package's own, split at the package's limits; batch_entries.csv, which links every line to its
// entry; batch_totals.csv, the total of each account.
import { createHash } from 'node:crypto';
import { FailedError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { type Cell, type Column, csvHeader, csvRows } from '../reports/csv.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { ManifestFile } from '../reports/manifest.ts';
import { type BatchHead, decimal, journalNumber, type PackageEntry, type PackageFormat } from './package.ts';
import { type BatchPart, partsOf } from './package-parts.ts';

type Batching = {
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
/** Each line of the package's files, with its entry. */
export const LINKS = 'batch_entries.csv';
/** The total of each account, by the package's key of the account. */
export const TOTALS = 'batch_totals.csv';
/** The files of a batch besides those of its package. */
export const BATCH_FILES: readonly string[] = [LINKS, TOTALS];
const TOTAL_COLUMNS: readonly Column[] = [
  column('account', TEXT),
  column('debit', NUMERIC),
  column('credit', NUMERIC),
  column('balance', NUMERIC),
];

function column(name: string, typeId: number | undefined): Column {
  return { name, typeId: typeId ?? 0 };
}

/** Writes every entry. Throws a UsageError if one is too large for a file. */
export const writePackage = (batching: Batching, entries: AsyncIterable<PackageEntry>): Promise<Written> => {
  const hash = createHash('sha256');
  const files: ManifestFile[] = [];
  const sums = new Map<string, AccountSum>();
  const seen = { entries: 0, links: 0 };
  return writeFileIn(batching.folder, LINKS, async (put) => {
    const link = async (text: string): Promise<void> => {
      hash.update(text);
      await put(text);
    };
    await link(csvHeader(LINK_COLUMNS));
    for await (const part of partsOf(batching.format, batching.head, entries)) {
      const file = await writePart(batching, part, files.length + 1);
      if (file) files.push(file);
      const links = linksOf(batching, part, file?.name ?? null);
      await link(csvRows(LINK_COLUMNS, links));
      addSums(sums, batching.format, part);
      seen.entries += part.items.length;
      seen.links += links.length;
    }
    files.push({ name: LINKS, rows: seen.links, sha256: hash.digest('hex'), columns: namesOf(LINK_COLUMNS) });
    files.push(await writeTotals(batching.folder, sums));
    const totals = new Map([...sums].map(([key, { debit, credit }]) => [key, debit - credit] as const));
    return { files, entries: seen.entries, totals };
  });
};

const namesOf = (columns: readonly Column[]): string[] => columns.map(({ name }) => name);

/** Writes one file of the package; null if all its lines cancel. */
const writePart = async (
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
const linksOf = ({ format, head }: Batching, { items }: BatchPart, file: string | null): Cell[][] => {
  let number = format.headLines;
  return items.flatMap(({ entry, rows }) => {
    const about = [entry.id, entry.kind, entry.day, entry.stream, entry.recordId];
    const journal = journalNumber(head, entry);
    if (rows.length === 0) return [[null, null, journal, ...about, null, null, null, null]];
    return rows.flatMap(({ sides }) => {
      number += 1;
      return sides.map(({ line: { code, name }, cents }) => {
        const amounts = cents > 0n ? [decimal(cents), null] : [null, decimal(-cents)];
        return [file, String(number), journal, ...about, code, name, ...amounts];
      });
    });
  });
};

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

type AccountSum = { debit: bigint; credit: bigint };

const addSums = (sums: Map<string, AccountSum>, { keyOf }: PackageFormat, { items }: BatchPart): void => {
  for (const { line, cents } of items.flatMap(({ rows }) => rows.flatMap(({ sides }) => sides))) {
    const sum = sums.get(keyOf(line)) ?? { debit: 0n, credit: 0n };
    if (cents > 0n) sum.debit += cents;
    else sum.credit -= cents;
    sums.set(keyOf(line), sum);
  }
};

const writeTotals = async (folder: Folder, sums: ReadonlyMap<string, AccountSum>): Promise<ManifestFile> => {
  const rows = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { debit, credit }]) => [key, decimal(debit), decimal(credit), decimal(debit - credit)]);
  const text = csvHeader(TOTAL_COLUMNS) + csvRows(TOTAL_COLUMNS, rows);
  await writeFileIn(folder, TOTALS, (put) => put(text));
  return { name: TOTALS, rows: rows.length, sha256: sha256(text), columns: namesOf(TOTAL_COLUMNS) };
};
