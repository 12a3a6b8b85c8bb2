// Reports for a close: rendered into a seal, and read again row by row, as they were sealed and as they would be today.
import type { Database } from '../../database/database.ts';
import { readSql, sqlPaths } from '../../database/sql.ts';
import type { ManifestFile } from './manifest.ts';
import { type Cut, collect, fileOf, fromBooks, reportPath } from './report.ts';
import { fromSeal, type Piece, partsOf } from './sealed.ts';
import { inSnapshot, type Snapshot } from './snapshot.ts';

/** Where the text of one report goes. */
export type Sink = { readonly put: (text: Uint8Array) => Promise<void>; readonly end: () => Promise<void> };

/** Renders every report of one moment of the books, seals left aside; returns what a manifest says of each. */
export const renderReports = (
  pool: Database['pool'],
  cut: Cut,
  open: (name: string) => Sink,
): Promise<ManifestFile[]> =>
  inSnapshot(pool, async (snapshot) => {
    const files: ManifestFile[] = [];
    for (const path of sqlPaths('reports')) {
      const { put, end } = open(fileOf(path));
      files.push(await collect(fileOf(path), put, fromBooks(snapshot, path, cut)));
      await end();
    }
    return files;
  });

/** The reports that late facts change: those cut by when an entry counts. The others tell of the night they were made. */
export const restatable = (): string[] =>
  sqlPaths('reports').filter((path) => readSql(path).parameters.includes('by'));

/** A report of one entity's month: as its seal has it (nothing where it is not closed), or of the books of today. */
export type ReportVersion =
  | { readonly of: 'seal'; readonly entity: string; readonly period: string }
  | { readonly of: 'books'; readonly cut: Cut; readonly only?: readonly string[] | undefined };

/** The columns that each report of a closed month was sealed with, by its path; null where the month is not closed. */
export const sealedColumns = (
  pool: Database['pool'],
  { entity, period }: { readonly entity: string; readonly period: string },
): Promise<ReadonlyMap<string, readonly string[]> | null> =>
  inSnapshot(pool, async (snapshot) => {
    const [part] = await partsOf(snapshot, { cut: { entity }, period, entities: [entity] });
    if (part?.from !== 'seal') return null;
    return new Map(part.manifest.files.map(({ name, columns }) => [reportPath(name), columns]));
  });

/** Reads a report row by row, the header first; a row is its text without the line's end. */
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

/** A line's end between quotes is part of a cell: an odd number of quotes leaves one open. */
const isInQuotes = (text: string): boolean => text.split('"').length % 2 === 0;

async function* piecesOf(snapshot: Snapshot, path: string, version: ReportVersion): AsyncGenerator<Piece> {
  if (version.of === 'books') {
    yield* fromBooks(snapshot, path, version.cut, version.only);
    return;
  }
  const { entity, period } = version;
  const [part] = await partsOf(snapshot, { cut: { entity }, period, entities: [entity] });
  if (part?.from === 'seal') yield* fromSeal(snapshot, fileOf(path), { ...part, period });
}
