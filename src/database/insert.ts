// Bulk insert: many rows of one table in one statement with one JSON parameter, as fast as one array per column, with the
// table's own types.
import { type Insertable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { DB } from './db-types.ts';

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
