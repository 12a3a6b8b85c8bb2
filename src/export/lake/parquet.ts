// Parquet files, written with DuckDB.
import type { Cell } from '../../database/database.ts';
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDb,
  literal,
  openDuckDb,
  quoted,
} from './duckdb.ts';

/**
 * A column of a file: `type` is DuckDB's word, '' stands for text; cells arrive as the text of Postgres. `currency` is DuckDB's
 * expression of a row's currency in this column; '' where all rows count as one.
 */
export type ParquetColumn = { readonly name: string; readonly type: string; readonly currency: string };

/** Rows wait in memory until they are written as one file. */
export type ParquetWriter = {
  /** Begins another table. Drops what waits. */
  readonly begin: (columns: readonly ParquetColumn[]) => Promise<void>;
  /** Adds rows, whose first `skipped` cells are not part of the file. */
  readonly add: (rows: readonly (readonly Cell[])[], skipped: number) => Promise<void>;
  /** The names of the decimal columns of which some waiting cell, or the sum of one currency so far, does not fit. */
  readonly unfit: () => Promise<readonly string[]>;
  /** Writes what waits to a new file. */
  readonly write: (path: string) => Promise<void>;
  readonly close: () => void;
};

/** The type of exact amounts: 38 digits, 18 of them decimals, which is all that DuckDB, Spark and Trino hold. */
export const DECIMAL = 'decimal(38,18)';
/** The sum of a currency must fit too: beyond 128 bits Arrow returns a wrong sum without an error. */
const SUM_MAX = 1e20;
/** The rows of one chunk of DuckDB. */
const CHUNK_ROWS = 2048;

/** Opens a writer, which holds the rows of one file. */
export const openParquetWriter = async (): Promise<ParquetWriter> => {
  const { duck, connection, close } = await openDuckDb();
  let columns: readonly ParquetColumn[] = [];
  let sums: SizeSums = new Map();
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
    close,
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

/** The sizes of the amounts so far, by column and currency. */
type SizeSums = Map<string, number>;

const unfitIn = async (
  connection: DuckDBConnection,
  columns: readonly ParquetColumn[],
  sums: SizeSums,
): Promise<string[]> => {
  const decimals = columns.filter(({ type }) => type === DECIMAL);
  if (decimals.length === 0) return [];
  const reader = await connection.runAndReadAll(decimals.map(fitSql).join(' union all '));
  const unfit = new Set<string>();
  for (const { name, currency, fits, size } of reader.getRowObjectsJS() as FitRow[]) {
    const key = JSON.stringify([name, currency]);
    const sum = (sums.get(key) ?? 0) + size;
    sums.set(key, sum);
    if (!fits || sum >= SUM_MAX) unfit.add(name);
  }
  return [...unfit];
};

type FitRow = { name: string; currency: string | null; fits: boolean; size: number };

/**
 * For each currency whether its cells fit, and the sum of their sizes, for which a float is enough: it is compared with a bound,
 * not shown.
 */
const fitSql = ({ name, currency }: ParquetColumn): string => {
  const cell = quoted(name);
  const fits = `regexp_full_match(${cell}, '-?[0-9]{1,20}([.][0-9]{1,18}0*)?')`;
  return `select ${literal(name)} as name, ${currency || "''"} as currency, bool_and(${fits}) as fits,
    sum(abs(try_cast(${cell} as double))) as size from waiting where ${cell} is not null group by 2`;
};

const castSql = (name: string, type: string): string => {
  if (type === '') return name;
  return type.endsWith('[]')
    ? `cast(from_json(${name}, '["varchar"]') as varchar[])`
    : `cast(${name} as ${type})`;
};
