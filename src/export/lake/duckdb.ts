// DuckDB: the only file that imports its package, which is optional: who never writes or verifies a lake need not install it.
import type { DuckDBConnection } from '@duckdb/node-api';
import { UsageError } from '../../base/errors.ts';
import { codeOf } from '../../database/database.ts';

export type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';

export type DuckDb = typeof import('@duckdb/node-api');

/** An open DuckDB: the package itself, and the one connection. */
type OpenDuckDb = {
  readonly duck: DuckDb;
  readonly connection: DuckDBConnection;
  readonly close: () => void;
};

const MEMORY = '384MB';
/** Memory that is free goes back to the system at once: by default DuckDB keeps as much as it used before. */
const FREED_AT_ONCE = ['allocator_flush_threshold', 'allocator_bulk_deallocation_flush_threshold'];

/** A name in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A text in SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

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

/**
 * Opens DuckDB in memory: one thread, so that equal rows give equal bytes, and nothing is fetched from the network. What memory
 * does not hold goes to `spillDir`; without one, a statement that needs more fails.
 */
export const openDuckDb = async (spillDir = ''): Promise<OpenDuckDb> => {
  const duck = await loadDuckDb();
  const instance = await duck.DuckDBInstance.create(':memory:', {
    threads: '1',
    memory_limit: MEMORY,
    temp_directory: spillDir,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
  for (const name of FREED_AT_ONCE) await connection.run(`set ${name} = '1MB'`);
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return { duck, connection, close };
};
