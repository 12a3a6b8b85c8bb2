// The values of a sealed month: those of its entries as leaves, and the closing carrying amount of every account and lot.
import { type Kysely, sql } from 'kysely';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

export type SealKey = { readonly entity: string; readonly period: string; readonly number: number };

/** The number of rows and the SHA-256 over them, of each kind, as a seal contains them. */
export type SealedValues = {
  readonly values: { readonly rows: string; readonly sha256: string };
  readonly closings: { readonly rows: string; readonly sha256: string };
};

/** Stores a month's values in the transaction that seals it; returns what the seal contains about them. */
export const storeValues = async (tx: Kysely<DB>, key: SealKey): Promise<SealedValues> => {
  const { entity, period, number } = key;
  await sql`
    insert into decide.seal_values (entity_id, period, seal_number, subject, leaf)
    select entity_id, period, ${number}, subject, leaf from books_internal.value_leaves
    where entity_id = ${entity} and period = ${period}`.execute(tx);
  await sql`
    insert into decide.seal_closings (entity_id, period, seal_number, subject, currency, units, exact, value)
    select entity_id, ${period}, ${number}, subject, currency, sum(units), sum(exact), sum(value)
    from books_internal.value_by_month
    where entity_id = ${entity} and period <= ${period}
    group by entity_id, subject, currency
    having sum(units) <> 0 or sum(exact) <> 0 or sum(value) <> 0`.execute(tx);
  return sealedValues(tx, key);
};

/** The stored values of a month, as its seal contains them. */
export const sealedValues = async (
  db: Kysely<DB>,
  { entity, period, number }: SealKey,
): Promise<SealedValues> => {
  const [row] = await readRows<
    Record<'values_rows' | 'values_sha256' | 'closings_rows' | 'closings_sha256', string>
  >(db, loadSql('seal/values.sql', { entity, period, number: String(number) }));
  return {
    values: { rows: row?.values_rows ?? '0', sha256: row?.values_sha256 ?? '' },
    closings: { rows: row?.closings_rows ?? '0', sha256: row?.closings_sha256 ?? '' },
  };
};
