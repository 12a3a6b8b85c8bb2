// Consolidates the books of several databases: adds the reported and booked balances of each currency, and writes the result as
// the one database that had all entities would.
import { sha256 } from '../../base/json.ts';
import { sum } from '../../base/money.ts';
import type { Stopping } from '../../database/connection.ts';
import { csvHeader, csvRows } from '../reports/csv.ts';
import { dropFolder, type Folder, openFolder, placeFolder, writeFileIn } from '../reports/folder.ts';
import { MANIFEST, type ManifestFile, manifestText, programOf } from '../reports/manifest.ts';
import { refuseDisagreement } from './agreement.ts';
import type { ConsolidatedManifest, SourceFacts } from './consolidated-manifest.ts';
import { type BooksSource, type SourceTable, withSources } from './source.ts';

/** The file with the rows of sql/cookbook/consolidated.sql. */
const REPORT = 'consolidated.csv';

/** The figures together, and what each database contributed. `dir` is absolute, null without --out. */
export type Consolidated = {
  readonly consolidated: readonly Readonly<Record<string, string | null>>[];
  readonly sources: readonly SourceFacts[];
  readonly dir: string | null;
};

/**
 * Reads all databases, refuses those that cannot be added (a UsageError), and writes a folder if one is named, replacing an
 * earlier export there as a whole. A folder that cannot be written is refused before anything is read.
 */
export const consolidate = async (
  urls: readonly string[],
  outDir?: string,
  stopping: Stopping = {},
): Promise<Consolidated> => {
  if (outDir === undefined) return consolidateInto(null, urls, stopping);
  const folder = await openFolder(outDir);
  try {
    return await consolidateInto(folder, urls, stopping);
  } catch (error) {
    await dropFolder(folder);
    throw error;
  }
};

const consolidateInto = (
  folder: Folder | null,
  urls: readonly string[],
  stopping: Stopping,
): Promise<Consolidated> =>
  withSources(
    urls,
    async (sources) => {
      await refuseDisagreement(sources);
      const table = merged(sources.map(({ consolidated }) => consolidated));
      const facts = sources.map(factsOf);
      const consolidated = table.rows.map((row) =>
        Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index] ?? null])),
      );
      if (folder !== null) await writeFolder(folder, table, facts);
      return { consolidated, sources: facts, dir: folder?.target ?? null };
    },
    stopping,
  );

const factsOf = ({ place, books_id, entities, links, links_sha256 }: BooksSource): SourceFacts => ({
  database: place,
  books_id,
  entities,
  links,
  links_sha256,
});

/** Adds the rows of each currency, the first column; every other column is a figure. */
const merged = (tables: readonly SourceTable[]): SourceTable => {
  const rows = new Map<string, readonly (readonly (string | null)[])[]>();
  for (const row of tables.flatMap((table) => table.rows))
    rows.set(row[0] ?? '', [...(rows.get(row[0] ?? '') ?? []), row]);
  const columns = tables[0]?.columns ?? [];
  const added = [...rows].map(([currency, parts]) => [
    currency,
    ...columns.slice(1).map((_, index) => sum(parts.map((row) => row[index + 1] ?? '0'))),
  ]);
  return {
    columns,
    rows: added.sort(([a = ''], [b = '']) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  };
};

const writeFolder = async (
  folder: Folder,
  { columns, rows }: SourceTable,
  sources: readonly SourceFacts[],
): Promise<void> => {
  const text = csvHeader(columns) + csvRows(columns, rows);
  await writeFileIn(folder, REPORT, (put) => put(text));
  const file: ManifestFile = {
    name: REPORT,
    rows: rows.length,
    sha256: sha256(text),
    columns: columns.map(({ name }) => name),
  };
  const manifest: ConsolidatedManifest = {
    program: programOf(),
    format: 'consolidated',
    files: [file],
    sources,
  };
  await writeFileIn(folder, MANIFEST, (put) => put(manifestText(manifest)));
  await placeFolder(folder);
};
