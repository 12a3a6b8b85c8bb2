// The lake: the views of schema books as Parquet files, in folders by entity and month, from one snapshot of the books. A part is
// written when it is full or its folder ends, so memory does not grow with the books.
import { open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder } from '../../base/flush-folder.ts';
import { sha256 } from '../../base/json.ts';
import { fileDigest } from '../../base/named-file.ts';
import { makeFolders } from '../../base/ownership.ts';
import { type Cell, loadSql } from '../../database/database.ts';
import { booksStateOf } from '../reports/books-state.ts';
import { notWritten, onDisk } from '../reports/disk.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { LakeFacts, LakeTableFacts, ManifestFile } from '../reports/manifest.ts';
import { rowsOf, type Snapshot } from '../reports/snapshot.ts';
import { LAKE_SQL, lakeSql } from './lake-sql.ts';
import { openParquetWriter, type ParquetWriter } from './parquet.ts';
import { fileColumns, type LakeCut, type LakeTable, tableSql, tablesOf } from './tables.ts';

/** A part ends at this many rows, which is one group of rows in its file. */
const PART_ROWS = 12_500;
/** A part also ends at about this many characters. */
const PART_CHARS = 16_000_000;
/** What Hive, Spark, Trino and DuckDB call the folder of rows without a value. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';

export type LakeFiles = { readonly files: readonly ManifestFile[]; readonly lake: LakeFacts };

type LakeRow = readonly Cell[];
type LakeTarget = { readonly folder: Folder; readonly writer: ParquetWriter };

/** Writes every view, and lake.sql. Throws a UsageError if DuckDB's package is missing. */
export const writeLake = async (folder: Folder, snapshot: Snapshot, cut: LakeCut): Promise<LakeFiles> => {
  const tables = tablesOf(await rowsOf(snapshot, loadSql('export/lake_columns.sql')));
  const writer = await openParquetWriter();
  try {
    const files: ManifestFile[] = [];
    const facts: LakeTableFacts[] = [];
    for (const table of tables) {
      const written = await writeTable({ folder, writer }, snapshot, { table, cut });
      files.push(...written.files);
      facts.push(written.facts);
    }
    const has_all_months = cut.months === null;
    const has_all_entities = cut.entities === null;
    const lake = { tables: facts, has_all_months, has_all_entities, books: await booksStateOf(snapshot) };
    const text = lakeSql(lake);
    await writeFileIn(folder, LAKE_SQL, (put) => put(text));
    const listing = { name: LAKE_SQL, rows: 0, sha256: sha256(text), columns: [] };
    return { files: [...files, listing], lake };
  } finally {
    writer.close();
  }
};

type WrittenTable = { readonly files: readonly ManifestFile[]; readonly facts: LakeTableFacts };
type TableCut = { readonly table: LakeTable; readonly cut: LakeCut; readonly texts?: readonly string[] };

/** Writes one view; if some amounts do not fit into a decimal, again with those columns as text. */
const writeTable = async (target: LakeTarget, snapshot: Snapshot, ask: TableCut): Promise<WrittenTable> => {
  const { table, texts = [] } = ask;
  const parts = await writeParts(target, snapshot, ask);
  if (parts.unfit.size > 0) {
    await rm(join(target.folder.partial, table.name), { recursive: true, force: true });
    return writeTable(target, snapshot, { ...ask, texts: [...texts, ...parts.unfit] });
  }
  const columns = fileColumns(table, texts).map(({ name, type }) => ({ name, type: type || 'varchar' }));
  const rows = parts.files.reduce((sum, file) => sum + file.rows, 0);
  const facts = { name: table.name, rows, partitions: table.keys, columns, texts };
  return { files: parts.files, facts: { ...facts, order: table.columns.map(({ name }) => name) } };
};

type WrittenParts = { readonly files: readonly ManifestFile[]; readonly unfit: ReadonlySet<string> };

const writeParts = async (
  { folder, writer }: LakeTarget,
  snapshot: Snapshot,
  { table, cut, texts = [] }: TableCut,
): Promise<WrittenParts> => {
  const files: ManifestFile[] = [];
  const unfit = new Set<string>();
  const part = { path: '', number: 0, rows: 0, chars: 0 };
  const endPart = async () => {
    for (const name of await writer.unfit()) unfit.add(name);
    const name = `${part.path}/part-${part.number}.parquet`;
    if (unfit.size === 0) files.push(await writeFile(folder, writer, { name, rows: part.rows }));
    else await writer.begin(fileColumns(table, texts)); // read to the end, to know all such columns
    Object.assign(part, { number: part.number + 1, rows: 0, chars: 0 });
  };
  await writer.begin(fileColumns(table, texts));
  for await (const { rows } of snapshot.batches(tableSql(table, cut)))
    for (const run of runsOf(rows, table.keys.length)) {
      const path = pathOf(table, run[0] ?? []);
      for (let rest = run; rest.length > 0; ) {
        if (part.rows > 0 && (path !== part.path || isFull(part))) await endPart();
        if (path !== part.path) Object.assign(part, { path, number: 0 });
        const fits = fitting(rest, part);
        await writer.add(rest.slice(0, fits.rows), table.keys.length);
        part.rows += fits.rows;
        part.chars += fits.chars;
        rest = rest.slice(fits.rows);
      }
    }
  if (part.path === '') part.path = table.name;
  if (part.rows > 0 || table.keys.length === 0) await endPart();
  return { files, unfit };
};

/** Splits rows where their first cells change. */
function* runsOf(rows: readonly LakeRow[], keys: number): Generator<readonly LakeRow[]> {
  let from = 0;
  for (let to = 1; to <= rows.length; to += 1) {
    const [a, b] = [rows[from], rows[to]];
    if (b !== undefined && a?.slice(0, keys).every((cell, i) => cell === b[i])) continue;
    yield rows.slice(from, to);
    from = to;
  }
}

type Size = { readonly rows: number; readonly chars: number };

const isFull = ({ rows, chars }: Size): boolean => rows >= PART_ROWS || chars > PART_CHARS;

/** The first rows, until the part is full: where a part ends follows from its rows, not from how many of them a read brought at once. */
const fitting = (run: readonly LakeRow[], part: Size): Size => {
  let [rows, chars] = [0, 0];
  for (const row of run) {
    if (isFull({ rows: part.rows + rows, chars: part.chars + chars })) break;
    rows += 1;
    chars += charsOf(row);
  }
  return { rows, chars };
};

const charsOf = (row: LakeRow): number => row.reduce((chars, cell) => chars + (cell?.length ?? 0), 0);

/** `postings/entity_id=main/month=2026-10`: each key a folder. */
const pathOf = ({ name, keys }: LakeTable, cells: LakeRow): string =>
  [name, ...keys.map((key, i) => `${key}=${folderName(cells[i] ?? null)}`)].join('/');

/**
 * Letters, digits, "_", "-" and "." stay; every other byte is written as %41, which readers undo. So is the first letter of a name
 * that DuckDB reads as no value.
 */
const folderName = (value: string | null): string =>
  value === null
    ? NO_VALUE
    : encodeURIComponent(value).replace(
        /[!'()*~]|^[n_](?=ull$|_hive_default_partition__$)/gi,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );

const writeFile = async (
  { target, partial }: Folder,
  writer: ParquetWriter,
  { name, rows }: Pick<ManifestFile, 'name' | 'rows'>,
): Promise<ManifestFile> => {
  const path = join(partial, name);
  await onDisk(target, async () => makeFolders(dirname(path)));
  await writer.write(path).catch((error: Error) => {
    throw notWritten(target, `${error.message}; make room for it`, error);
  });
  await onDisk(target, () => flushFile(path));
  return { name, rows, sha256: await fileDigest(path), columns: [] };
};

const flushFile = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  await file.chmod(0o600);
  await file.sync().finally(() => file.close());
  await flushFolder(dirname(path));
};
