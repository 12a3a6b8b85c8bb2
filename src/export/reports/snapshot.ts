// The snapshot: one moment of the books, read by every report of an export, in batches, independent of session settings.
import assert from 'node:assert/strict';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Books, Connection, Database } from '../../database/connection.ts';
import type { DB } from '../../database/db-types.ts';
import type { BoundSql } from '../../database/sql.ts';
import type { Cell, Column } from './csv.ts';

/** Rows of one statement, in order; every cell is the text of Postgres. There is a first batch even without rows. */
export type RowBatch = { readonly columns: readonly Column[]; readonly rows: readonly (readonly Cell[])[] };

/** `db` reads the same moment, before rows are read or after. */
export type Snapshot = {
  readonly batches: (query: BoundSql) => AsyncGenerator<RowBatch>;
  readonly db: Books;
};

/** Throws if the books, at the moment of the snapshot, must not be exported. */
export type Refusal = (db: Books) => Promise<void>;

type Client = Connection & { release(error?: Error): void };

/** Rows per fetch, by default. */
const PAGE_ROWS = 10_000;

/** Settings of the session, the role or the database must not affect an exported byte. */
const SETTINGS = [
  "set local timezone to 'UTC'",
  "set local datestyle to 'ISO, YMD'",
  'set local cursor_tuple_fraction to 1', // every row is read, so the best plan is the fastest for all rows
  "set local work_mem to '64MB'", // a month is sorted in memory, one statement after the other
];

const asText = { getTypeParser: () => (text: string) => text };

/** Runs `work` over one unchanging, read-only state of the database; throws what it or Postgres throws. */
export const inSnapshot = async <T>(
  pool: Database['pool'],
  work: (snapshot: Snapshot) => Promise<T>,
  pageRows = PAGE_ROWS,
): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    for (const setting of SETTINGS) await client.query(setting);
    return await work({ batches: (query) => batches(client, query, pageRows), db: booksOver(client) });
  } finally {
    await finish(client);
  }
};

/** A query builder over one connection, in its current transaction; the caller releases the connection. */
const booksOver = (client: Connection): Books => {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: async () => lent, end: async () => {} } }),
  });
};

/** Nothing was written, so there is nothing to commit. If the rollback fails, the connection is discarded. */
const finish = async (client: Client): Promise<void> => {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
};

/** The rows of a statement by column name, for the statements that are not a CSV. */
export async function* eachRow(
  snapshot: Snapshot,
  query: BoundSql,
): AsyncGenerator<Readonly<Record<string, Cell>>> {
  for await (const { columns, rows } of snapshot.batches(query))
    for (const row of rows) yield Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null]));
}

/** All of them, of a statement with few rows. */
export const rowsOf = async (snapshot: Snapshot, query: BoundSql): Promise<Record<string, Cell>[]> => {
  const all: Record<string, Cell>[] = [];
  for await (const row of eachRow(snapshot, query)) all.push(row);
  return all;
};

/** A cell that must not be null. */
export const text = (row: Readonly<Record<string, Cell>>, column: string): string => {
  const cell = row[column];
  assert(typeof cell === 'string', `no ${column} in the answer`);
  return cell;
};

/** A server-side cursor bounds memory to two batches: one being written, one being fetched. */
async function* batches(client: Client, query: BoundSql, pageRows: number): AsyncGenerator<RowBatch> {
  await client.query(`declare report no scroll cursor for ${query.text}`, query.values);
  let next = fetchBatch(client, pageRows);
  let isReading = true;
  try {
    for (let more = true; more; ) {
      isReading = true;
      const { fields, rows } = await next;
      isReading = false;
      more = rows.length === pageRows;
      if (more) next = fetchBatch(client, pageRows);
      yield { columns: fields.map((field) => ({ name: field.name, typeId: field.dataTypeID })), rows };
    }
  } finally {
    if (!isReading) await client.query('close report'); // also for a reader that stops early; an error ends the transaction
  }
}

const fetchBatch = (client: Client, pageRows: number) => {
  const text = `fetch ${pageRows} from report`;
  const batch = client.query<Cell[]>({ text, rowMode: 'array', types: asText });
  batch.catch(() => {}); // the error surfaces at the await; a reader that stops before that has an error of its own
  return batch;
};
