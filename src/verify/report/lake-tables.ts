// The shape of a lake's tables: the rows of each file, and its columns with their types, as the manifest states them.
import { MANIFEST, type OpenLake } from '../../export/contents.ts';
import type { LakeManifest, LakeTableFacts, ManifestFile } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';

/** A sentence for each file with other rows or columns, and for each table whose files have other rows than the table. */
export const tablesProof = async (lake: OpenLake, manifest: LakeManifest): Promise<Proof> => {
  const faults: string[] = [];
  const parquet = manifest.files.filter(({ name }) => name.endsWith('.parquet'));
  for (const table of manifest.lake.tables) {
    const files = parquet.filter(({ name }) => name.startsWith(`${table.name}/`));
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    if (rows !== table.rows)
      faults.push(`${MANIFEST}: ${table.name} has ${table.rows} rows, and ${rows} in its files`);
    else if (files.length === 0 && table.partitions.length === 0) faults.push(`${table.name} has no file`);
    if (files.length > 0) faults.push(...(await fileFaults(lake, table, files)));
  }
  return proofFrom('each has its rows and columns', parquet.length, faults);
};

const fileFaults = async (
  lake: OpenLake,
  table: LakeTableFacts,
  files: readonly ManifestFile[],
): Promise<string[]> => [...(await rowFaults(lake, table, files)), ...(await columnFaults(lake, table))];

const rowFaults = async (
  lake: OpenLake,
  table: LakeTableFacts,
  files: readonly ManifestFile[],
): Promise<string[]> => {
  const counts = await lake.rows(
    `select file_name, num_rows from parquet_file_metadata(${lake.filesOf(table)})`,
  );
  const found = new Map(counts.map((row) => [nameIn(table, row.file_name), row.num_rows]));
  return files
    .filter(({ name, rows }) => found.get(name) !== `${rows}`)
    .map(
      ({ name, rows }) =>
        `${name}: the manifest says ${rows} rows, the file has ${found.get(name) ?? 'none'}`,
    );
};

/** The files of a table by the shape that they declare: one of each shape, with its columns as DuckDB reads them. */
const columnFaults = async (lake: OpenLake, table: LakeTableFacts): Promise<string[]> => {
  const shapes = await lake.rows(`select min(file_name) as file_name from (
    select file_name, string_agg(concat_ws(' ', name, type, converted_type, logical_type, num_children), ',' order by column_id) as shape
    from parquet_schema(${lake.filesOf(table)}) group by file_name) group by shape order by 1`);
  const faults: string[] = [];
  for (const { file_name } of shapes) {
    const found = await lake.columnsOf(file_name ?? '');
    const fault = firstDifference(table, found);
    if (fault !== null) faults.push(`${nameIn(table, file_name)}: ${fault}`);
  }
  return faults;
};

const firstDifference = ({ columns }: LakeTableFacts, found: LakeTableFacts['columns']): string | null => {
  const [stated, read] = [columns, found].map((all) => all.map(({ name, type }) => `${name} ${type}`));
  const length = Math.max(columns.length, found.length);
  for (let i = 0; i < length; i += 1)
    if (stated?.[i] !== read?.[i])
      return `the manifest says column ${stated?.[i] ?? 'none'}, the file has ${read?.[i] ?? 'none'}`;
  return null;
};

/** The name of a file in the manifest, by the path under which DuckDB found it. */
const nameIn = ({ name, partitions }: LakeTableFacts, path: string | null | undefined): string =>
  [name, ...(path ?? '').split('/').slice(-1 - partitions.length)].join('/');
