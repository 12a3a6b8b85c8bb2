// Reports: one file under sql/reports becomes one CSV, written while it is read. The reports of a sealed month are taken
// from its seal, byte for byte.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { FailedError } from '../../base/errors.ts';
import { bindSql, type RowBatch, readSql } from '../../database/database.ts';
import { csvHeader, csvRows } from './csv.ts';
import { type Folder, writeFileIn } from './folder.ts';
import { labelledIn } from './labels.ts';
import type { ManifestFile } from './manifest.ts';
import { type EntityPart, fromSeal, type Piece } from './sealed.ts';
import type { Snapshot } from './snapshot.ts';

/** The date that places an entry: its posting date; or, with a month, of all entities or of one, its date as if that month were not closed. */
type By = 'posted_at' | (string & {});

/**
 * The parameters that a report may use: the period `[from, to)`, entity ids separated by commas, '' for all, and, where the newest
 * state is shown, the number of the last run that counts, by default all.
 */
export type Cut = {
  readonly from: string;
  readonly to: string;
  readonly by: By;
  readonly entity: string;
  readonly last_run?: string;
};

/** The name of a report: `reports/journal.sql` is journal. */
export const reportName = (path: string): string => basename(path, '.sql');

/** The file of a report: `reports/journal.sql` becomes journal.csv. */
export const fileOf = (path: string): string => `${reportName(path)}.csv`;

/** The reverse: journal.csv comes from `reports/journal.sql`. */
export const reportPath = (file: string): string => `reports/${basename(file, '.csv')}.sql`;

/** Writes the pieces of one report into its file; returns its manifest entry. */
export const writeReport = (
  folder: Folder,
  path: string,
  pieces: AsyncIterable<Piece>,
): Promise<ManifestFile> => {
  const name = fileOf(path);
  return writeFileIn(folder, name, (write) => collect(name, write, pieces));
};

/** Writes the pieces of a report; returns the manifest entry of the file. */
export const collect = async (
  name: string,
  write: (text: Uint8Array) => Promise<void>,
  pieces: AsyncIterable<Piece>,
): Promise<ManifestFile> => {
  const hash = createHash('sha256');
  let columns: readonly string[] = [];
  let headings: readonly string[] | undefined;
  let rows = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.text, 'utf8');
    hash.update(bytes);
    await write(bytes);
    columns = piece.columns ?? columns;
    headings = piece.headings ?? headings;
    rows += piece.rows;
  }
  return { name, rows, sha256: hash.digest('hex'), columns, ...(headings ? { headings } : {}) };
};

/** What is exported: its bounds, the name of the period (of a sealed month), and the source of each entity's rows. */
export type ExportScope = {
  readonly cut: Cut;
  readonly period: string;
  readonly parts: readonly EntityPart[];
};

/** One report in the machine profile, entity by entity. */
export async function* reportOf(
  snapshot: Snapshot,
  path: string,
  { cut, period, parts }: ExportScope,
): AsyncGenerator<Piece> {
  let head: string | null = null;
  for (const part of parts) {
    const pieces =
      part.from === 'books'
        ? fromBooks(snapshot, path, { ...cut, entity: part.entity })
        : fromSeal(snapshot, fileOf(path), { ...part, period });
    for await (const piece of pieces) {
      if (piece.columns === undefined) yield piece;
      else if (head === null) {
        head = piece.text;
        yield piece;
      } else if (piece.text !== head) throw otherColumns(path, parts, period);
    }
  }
}

/** The cause of such an error: a report sealed by another version has other columns, and one file cannot mix them. */
export const OTHER_COLUMNS = 'other columns';

const otherColumns = (path: string, parts: readonly EntityPart[], period: string): FailedError => {
  const sealed = parts.filter(({ from }) => from === 'seal').map(({ entity }) => entity);
  return new FailedError(
    `${fileOf(path)} was sealed for ${period} with other columns than today's (${sealed.join(', ')}): export each entity alone, with --entity`,
    { cause: OTHER_COLUMNS },
  );
};

/** One report from the books, without any seal; `only` selects some of its columns. */
export async function* fromBooks(
  snapshot: Snapshot,
  path: string,
  cut: Cut,
  only?: readonly string[],
): AsyncGenerator<Piece> {
  const labelled = await labelledIn(snapshot);
  let hasHead = false;
  for await (const batch of snapshot.batches(cutSql(path, cut))) {
    const { columns, rows } = labelled(only ? narrowed(batch, only) : batch);
    if (!hasHead) yield { text: csvHeader(columns), rows: 0, columns: columns.map((column) => column.name) };
    hasHead = true;
    if (rows.length > 0) yield { text: csvRows(columns, rows), rows: rows.length };
  }
}

const narrowed = ({ columns, rows }: RowBatch, only: readonly string[]): RowBatch => {
  const indexes = columns.flatMap(({ name }, index) => (only.includes(name) ? [index] : []));
  const pick = <T>(all: readonly T[]): T[] => indexes.map((index) => all[index] as T);
  return { columns: pick(columns), rows: rows.map(pick) };
};

/** Binds the period parameters that the file declares; any other parameter is an error in the file. */
export const cutSql = (path: string, cut: Cut) => {
  const file = readSql(path);
  const parameters = Object.entries({ last_run: '', ...cut }).filter(([name]) =>
    file.parameters.includes(name),
  );
  return bindSql(file, Object.fromEntries(parameters));
};
