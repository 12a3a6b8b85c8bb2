// Reports for a close: rendered into a seal, then read row by row, both as sealed and as they would be today.
import { ownRows } from '../../base/csv-file.ts';
import type { Database } from '../../database/connection.ts';
import { readSql, sqlPaths } from '../../database/database.ts';
import { csvText } from './csv.ts';
import { LABEL_COLUMNS } from './labels.ts';
import type { ManifestFile } from './manifest.ts';
import { type Cut, collect, fileOf, fromBooks, reportPath } from './report.ts';
import { fromSeal, type Piece, partsOf } from './sealed.ts';
import { inSnapshot, type Snapshot } from './snapshot.ts';

/** Receives the text of one report. */
export type Sink = { readonly put: (text: Uint8Array) => Promise<void>; readonly end: () => Promise<void> };

/** Columns with the times of recording, which differ between books that landed the same records at other times. */
export const RECORDING_TIMES: ReadonlySet<string> = new Set(['recorded_at', 'days_to_record']);

/** Renders every report of one moment of the books, without using seals or the columns `leftOut`; returns their manifest entries. */
export const renderReports = (
  pool: Database['pool'],
  cut: Cut,
  open: (name: string) => Sink,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<ManifestFile[]> =>
  inSnapshot(pool, async (snapshot) => {
    const files: ManifestFile[] = [];
    for (const path of sqlPaths('reports')) {
      const { put, end } = open(fileOf(path));
      const pieces = fromBooks(snapshot, path, cut);
      files.push(
        await collect(fileOf(path), put, leftOut.size === 0 ? pieces : withoutColumns(pieces, leftOut)),
      );
      await end();
    }
    return files;
  });

/** The reports that late records change: those cut by posting date. The others describe the night that made them. */
export const restatable = (): string[] =>
  sqlPaths('reports').filter((path) => readSql(path).parameters.includes('by'));

/** A report of one entity's month: as its seal has it (empty if the month is not closed), or from today's books. */
export type ReportVersion =
  | { readonly of: 'seal'; readonly entity: string; readonly period: string }
  | { readonly of: 'books'; readonly cut: Cut; readonly only?: readonly string[] | undefined };

/** The columns with which each report of a closed month was sealed, by its path; null if the month is not closed. */
export const sealedColumns = (
  pool: Database['pool'],
  { entity, period }: { readonly entity: string; readonly period: string },
): Promise<ReadonlyMap<string, readonly string[]> | null> =>
  inSnapshot(pool, async (snapshot) => {
    const [part] = await partsOf(snapshot, { cut: { entity }, period, entities: [entity] });
    if (part?.from !== 'seal') return null;
    return new Map(part.manifest.files.map(({ name, columns }) => [reportPath(name), columns]));
  });

/** Reads a report row by row, the header first, without labels, which are no difference; a row is its text without the line end. */
export const eachLine = (
  pool: Database['pool'],
  path: string,
  options: { readonly version: ReportVersion; readonly visit: (line: string) => void },
): Promise<void> =>
  inSnapshot(pool, async (snapshot) => {
    let open = '';
    for await (const { text } of piecesOf(snapshot, path, options.version)) {
      for (const line of text.split(/(?<=\n)/)) {
        open += line;
        if (!open.endsWith('\n') || isInQuotes(open)) continue;
        options.visit(open.slice(0, -1));
        open = '';
      }
    }
  });

/** A line end between quotes belongs to a cell: an odd number of quotes leaves a cell open. */
const isInQuotes = (text: string): boolean => text.split('"').length % 2 === 0;

async function* piecesOf(snapshot: Snapshot, path: string, version: ReportVersion): AsyncGenerator<Piece> {
  if (version.of === 'books') {
    yield* withoutColumns(fromBooks(snapshot, path, version.cut, version.only), LABEL_COLUMNS);
    return;
  }
  const { entity, period } = version;
  const [part] = await partsOf(snapshot, { cut: { entity }, period, entities: [entity] });
  if (part?.from === 'seal')
    yield* withoutColumns(fromSeal(snapshot, fileOf(path), { ...part, period }), LABEL_COLUMNS);
}

async function* withoutColumns(
  pieces: AsyncIterable<Piece>,
  leftOut: ReadonlySet<string>,
): AsyncGenerator<Piece> {
  let keep: readonly number[] = [];
  for await (const piece of pieces) {
    if (piece.columns) keep = piece.columns.flatMap((name, index) => (leftOut.has(name) ? [] : [index]));
    const rows = ownRows(piece.text).map((row) => keep.map((index) => row[index] ?? ''));
    yield { ...piece, text: piece.text === '' ? '' : csvText(rows) };
  }
}
