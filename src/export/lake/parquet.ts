// Parquet files, written with DuckDB. The only file that imports its package, which is optional: who never writes a lake
// need not install it.
import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import { UsageError } from '../../base/errors.ts';
import { codeOf } from '../../database/database.ts';
import type { Cell } from '../reports/csv.ts';

/** A column of a file: `type` is DuckDB's word, '' stands for text; cells arrive as the text of Postgres. */
export type ParquetColumn = { readonly name: string; readonly type: string };

/** Rows wait in memory until they are written as one file. */
export type ParquetWriter = {
  /** Begins another table. Drops what waits. */
  readonly begin: (columns: readonly ParquetColumn[]) => Promise<void>;
  /** Adds rows, whose first `skipped` cells are not part of the file. */
  readonly add: (rows: readonly (readonly Cell[])[], skipped: number) => Promise<void>;
  /** The names of the decimal columns of which some waiting cell, or the sum of all cells so far, does not fit. */
  readonly unfit: () => Promise<readonly string[]>;
  /** Writes what waits to a new file. */
  readonly write: (path: string) => Promise<void>;
  readonly close: () => void;
};

type DuckDb = typeof import('@duckdb/node-api');

/** The type of exact amounts: 38 digits, 18 of them decimals, which is all that DuckDB, Spark and Trino hold. */
export const DECIMAL = 'decimal(38,18)';
/** DuckDB adds decimals in 128 bits and does not notice an overflow, so a column's sum must fit too. */
const SUM_MAX = 1e20;
const MEMORY = '384MB';
/** Memory that is free goes back to the system at once: by default DuckDB keeps as much as it used before. */
const FREED_AT_ONCE = ['allocator_flush_threshold', 'allocator_bulk_deallocation_flush_threshold'];
/** The rows of one chunk of DuckDB. */
const CHUNK_ROWS = 2048;

/** A column's name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const NEEDS =
  'parquet needs the package @duckdb/node-api, which is not installed: type npm install @duckdb/node-api@1.5.5-r.5';

/** The package; a UsageError with the command that installs it if it is missing. */
export const loadDuckDb = async (
  load: () => Promise<DuckDb> = () => import('@duckdb/node-api'),
): Promise<DuckDb> => {
  try {
    return await load();
  } catch (error) {
    if (['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(codeOf(error)))
      throw new UsageError(NEEDS, { cause: error });
    throw error;
  }
};

/** Opens DuckDB in memory: one thread, so that equal rows give equal bytes, and nothing is fetched from the network. */
export const openParquetWriter = async (): Promise<ParquetWriter> => {
  const duck = await loadDuckDb();
  const instance = await duck.DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: MEMORY,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
  for (const name of FREED_AT_ONCE) await connection.run(`set ${name} = '1MB'`);
  let columns: readonly ParquetColumn[] = [];
  let sums: ColumnSums = new Map();
  let chunk = chunkOf(duck, columns);
  const wait = () => connection.run(waitingSql(columns));
  return {
    begin: async (next) => {
      columns = next;
      sums = new Map();
      chunk = chunkOf(duck, columns);
      await wait();
    },
    add: (rows, skipped) => append(connection, chunk, { width: columns.length, rows, skipped }),
    unfit: () => unfitIn(connection, columns, sums),
    write: async (path) => {
      const cast = columns.map(({ name, type }) => `${castSql(quoted(name), type)} as ${quoted(name)}`);
      const form = '(format parquet, compression zstd)';
      await connection.run(`copy (select ${cast.join(', ')} from waiting) to ${literal(path)} ${form}`);
      await wait(); // a table that is emptied keeps its memory
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

/** The empty table of the rows that wait. */
const waitingSql = (columns: readonly ParquetColumn[]): string =>
  `create or replace table waiting (${columns.map(({ name }) => `${quoted(name)} varchar`).join(', ')})`;

/** A chunk for all rows of a table: each has memory that only the collector frees, which does not know how much that is. */
const chunkOf = (
  { DuckDBDataChunk: Chunk, VARCHAR }: DuckDb,
  columns: readonly ParquetColumn[],
): DuckDBDataChunk => Chunk.create(columns.map(() => VARCHAR));

type Appended = {
  readonly width: number;
  readonly rows: readonly (readonly Cell[])[];
  readonly skipped: number;
};

const append = async (
  connection: DuckDBConnection,
  chunk: DuckDBDataChunk,
  { width, rows, skipped }: Appended,
): Promise<void> => {
  const appender = await connection.createAppender('waiting');
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const part = rows.slice(from, from + CHUNK_ROWS);
    chunk.reset();
    chunk.rowCount = part.length;
    for (let index = 0; index < width; index += 1)
      chunk.setColumnValues(
        index,
        part.map((row) => row[index + skipped] ?? null),
      );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
};

type ColumnSums = Map<string, number>;

const unfitIn = async (
  connection: DuckDBConnection,
  columns: readonly ParquetColumn[],
  sums: ColumnSums,
): Promise<string[]> => {
  const decimals = columns.filter(({ type }) => type === DECIMAL);
  if (decimals.length === 0) return [];
  const checks = decimals.map(({ name }) => fitSql(quoted(name))).join(', ');
  const [row = []] = (await connection.runAndReadAll(`select ${checks} from waiting`)).getRowsJS();
  return decimals.flatMap(({ name }, index) => {
    const sum = (sums.get(name) ?? 0) + (row[index * 2 + 1] as number);
    sums.set(name, sum);
    return row[index * 2] === false || sum >= SUM_MAX ? [name] : [];
  });
};

/** Whether each cell fits, and the sum of their sizes, for which a float is enough: it is compared with a bound, not shown. */
const fitSql = (name: string): string => {
  const fits = `regexp_full_match(${name}, '-?[0-9]{1,20}([.][0-9]{1,18}0*)?')`;
  return `coalesce(bool_and(${fits}), true), coalesce(sum(abs(try_cast(${name} as double))), 0)`;
};

const castSql = (name: string, type: string): string => {
  if (type === '') return name;
  return type.endsWith('[]')
    ? `cast(from_json(${name}, '["varchar"]') as varchar[])`
    : `cast(${name} as ${type})`;
};
