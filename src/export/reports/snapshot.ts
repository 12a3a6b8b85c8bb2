// The snapshot: one moment of the books, read by every report of an export, in batches, independent of session settings.
import assert from 'node:assert/strict';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Books, Database } from '../../database/connection.ts';
import { type Cell, copiedRows, type RowBatch } from '../../database/database.ts';
import type { DB } from '../../database/db-types.ts';
import type { BoundSql } from '../../database/sql.ts';
import { type Lane, type Lanes, openLanes } from './lanes.ts';

/** `db` reads the same moment, before rows are read or after. */
export type Snapshot = {
  readonly batches: (query: BoundSql) => AsyncGenerator<RowBatch>;
  readonly db: Books;
};

/** Throws if the books, at the moment of the snapshot, must not be exported. */
export type Refusal = (db: Books) => Promise<void>;

/**
 * Runs `work` over one unchanging, read-only state of the database; throws what it or Postgres throws. `work` may read several
 * statements at once, and must end all of them.
 */
export const inSnapshot = async <T>(
  pool: Database['pool'],
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const lanes = await openLanes(pool);
  try {
    return await work({ batches: (query) => batches(lanes, query), db: booksOver(lanes.first) });
  } finally {
    await lanes.close();
  }
};

/** A query builder over one connection, in its current transaction; the caller releases the connection. */
const booksOver = (client: Lane): Books => {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: async () => lent, end: async () => {} } }),
  });
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

async function* batches(lanes: Lanes, query: BoundSql): AsyncGenerator<RowBatch> {
  const lane = await lanes.take();
  try {
    yield* copiedRows(lane, query);
  } catch (error) {
    throw lanes.fail(error);
  } finally {
    lanes.give(lane);
  }
}
