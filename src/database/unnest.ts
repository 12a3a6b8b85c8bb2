// Rows as a table in a statement.
import assert from 'node:assert/strict';
import { type RawBuilder, sql } from 'kysely';

const NAME = /^[a-z_][a-z0-9_]*(\[\])?$/;

/**
 * Rows as a table in a statement, one array parameter per column, for batches of thousands: ``sql`insert into t (a, b)
 * select a, b from ${unnest(rows, { a: 'text', b: 'numeric' })}` ``. Values are text, numbers, booleans or null; columns
 * cannot be arrays. The table's alias is `input`.
 */
export const unnest = <C extends string>(
  rows: readonly { readonly [K in C]: string | number | boolean | null }[],
  columns: Record<C, string>,
): RawBuilder<unknown> => {
  const names = Object.keys(columns) as C[];
  for (const name of names)
    assert(NAME.test(name) && NAME.test(columns[name]), `not a column of a type: ${name}`);
  const arrays = names.map((name) => sql`${rows.map((row) => row[name])}::${sql.raw(columns[name])}[]`);
  return sql`unnest(${sql.join(arrays)}) as input(${sql.raw(names.join(', '))})`;
};
