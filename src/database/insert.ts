// Bulk insert: many rows of one table in one statement with one JSON parameter, as fast as one array per column, with the
// table's own types.
import assert from 'node:assert/strict';
import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { DB } from './db-types.ts';
import { unnest } from './unnest.ts';

/** A row to insert; bytes are text, as `\x` and hex. Every row of a batch has the same columns. */
export type InsertableRow<T> = { readonly [C in keyof T]: T[C] extends Buffer ? string : T[C] };

/** Inserts rows in order; `onConflict` is an `on conflict` clause. */
export const insertRows = async <T extends keyof DB>(
  tx: Kysely<DB>,
  table: T,
  rows: readonly InsertableRow<Insertable<DB[T]>>[],
  onConflict: RawBuilder<unknown> = sql``,
): Promise<void> => {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)));
  const target = sql.table(table);
  await sql`
    insert into ${target} (${columns})
    select ${columns} from json_populate_recordset(null::${target}, ${JSON.stringify(rows)}::json)
    ${onConflict}`.execute(tx);
};

/**
 * The statement that inserts rows in order, at least one, from one array per column of the type named: three quarters of the time of
 * `insertRows`, for the tables that get most rows. A value that all rows share is sent once.
 */
export const insertOfColumns = <C extends string>(
  table: keyof DB,
  rows: readonly { readonly [K in C]: string | number | boolean | null }[],
  columns: Record<C, string>,
): RawBuilder<unknown> => {
  const [first] = rows;
  assert(first, `an insert into ${table} takes at least one row`);
  const names = Object.keys(columns) as C[];
  const varying = names.filter((name) => rows.length === 1 || rows.some((row) => row[name] !== first[name]));
  const types = Object.fromEntries(varying.map((name) => [name, columns[name]]));
  const values = names.map((name) =>
    name in types ? sql.ref(`input.${name}`) : sql`${first[name]}::${sql.raw(columns[name])}`,
  );
  return sql`
    insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(values)} from ${unnest<string>(rows, types)}`;
};
