// A lake read again with DuckDB, which adds up its rows: none of them becomes an object here, so memory stays flat.
import { withTemporaryFolder } from '../../base/temporary-folder.ts';
import type { LakeFacts, LakeTableFacts } from '../reports/manifest.ts';
import { type DuckDBConnection, literal, openDuckDb } from './duckdb.ts';
import { viewsSql } from './lake-sql.ts';

/** The files of a lake do not answer a statement; the message is one line. */
export class UnreadLakeError extends Error {
  override readonly name = 'UnreadLakeError';
}

const firstLine = (message: string): string => message.split('\n')[0] ?? '';

/** A row by column name; every value is DuckDB's text. */
export type LakeRow = Readonly<Record<string, string | null>>;

/** An open lake: every table is a view in schema books; a statement about one that cannot be read fails with its name. */
export type OpenLake = {
  /** The rows of a statement that has few of them. */
  readonly rows: (sql: string) => Promise<readonly LakeRow[]>;
  /** The columns of one file with DuckDB's words for their types, as the manifest writes them. */
  readonly columnsOf: (path: string) => Promise<LakeTableFacts['columns']>;
  /** One file, as a table in SQL. */
  readonly fileSql: (path: string) => string;
  /** The pattern of a table's files, as a text in SQL. */
  readonly filesOf: (table: LakeTableFacts) => string;
};

/**
 * Exact amounts of any size that the books have, as two whole numbers that DuckDB can add: those before the point, and the 18
 * decimals. A sum of both is zero if the decimals carry exactly what the others lack.
 */
const EXACT = `
create macro units(amount) as cast(split_part(amount::varchar, '.', 1) as hugeint);
create macro decimals(amount) as
  cast(rpad(split_part(amount::varchar, '.', 2), 18, '0') as hugeint) * case when starts_with(amount::varchar, '-') then -1 else 1 end;
create macro is_zero(whole, rest) as rest % 1000000000000000000 = 0 and whole + rest // 1000000000000000000 = 0;`;

/** Opens a lake by its manifest, not by its lake.sql, which anybody may have changed. Throws a UsageError without DuckDB's package. */
export const withLake = <T>(dir: string, lake: LakeFacts, use: (open: OpenLake) => Promise<T>): Promise<T> =>
  withTemporaryFolder('tieout-lake-', async (spillDir) => {
    const { connection, close } = await openDuckDb(spillDir);
    try {
      const place = asPattern(dir);
      await connection.run(`set variable lake = ${literal(place)}; create schema books; ${EXACT}`);
      const unread = await openTables(connection, lake);
      const rows = (sql: string) =>
        rowsOf(connection, sql).catch(({ message }: Error) => {
          const table = unread.find(({ name }) => tablesIn(sql).includes(name));
          throw new UnreadLakeError(table?.why ?? firstLine(message));
        });
      return await use({
        rows,
        columnsOf: async (path) => (await rows(describeSql(path))).map(columnIn),
        fileSql,
        filesOf: ({ name, partitions }) =>
          literal(`${place}/${name}/${partitions.map(() => '*/').join('')}part-*.parquet`),
      });
    } finally {
      close();
    }
  });

const tablesIn = (sql: string): string[] => [...sql.matchAll(/\bbooks\.(\w+)/g)].map(([, name = '']) => name);

type UnreadTable = { readonly name: string; readonly why: string };

/** Makes a view of each table; returns those that cannot be read. The others are none the worse for it. */
const openTables = async (connection: DuckDBConnection, lake: LakeFacts): Promise<UnreadTable[]> => {
  const unread: UnreadTable[] = [];
  for (const table of lake.tables)
    await connection.run(viewsSql({ ...lake, tables: [table] })).catch(({ message }: Error) => {
      const what = message.includes('No files found')
        ? 'has no file'
        : `cannot be read: ${firstLine(message)}`;
      unread.push({ name: table.name, why: `${table.name} ${what}` });
    });
  return unread;
};

/** A folder's name in a pattern of DuckDB, where these signs stand for others. */
const asPattern = (dir: string): string => dir.replace(/[*?[]/g, '[$&]');

/** `file_row_number` counts rows from 0. */
const fileSql = (path: string): string =>
  `read_parquet(${literal(asPattern(path))}, hive_partitioning = false, file_row_number = true)`;

const describeSql = (path: string): string =>
  `select column_name, column_type from (describe select * exclude (file_row_number) from ${fileSql(path)})`;

const columnIn = ({ column_name, column_type }: LakeRow): LakeTableFacts['columns'][number] => {
  const type = (column_type ?? '').toLowerCase();
  return { name: column_name ?? '', type: type === 'timestamp with time zone' ? 'timestamptz' : type };
};

const rowsOf = async (connection: DuckDBConnection, sql: string): Promise<readonly LakeRow[]> => {
  const reader = await connection.runAndReadAll(`select columns(*)::varchar from (${sql})`);
  return reader.getRowObjectsJson() as LakeRow[];
};
