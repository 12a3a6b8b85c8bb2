// Waivers: a break accepted by name for the close of one period, at the difference that it has now.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';

export type Waived = {
  readonly entity: string;
  readonly breakId: string;
  readonly period: string;
  readonly difference: string | null;
  readonly by: string;
  readonly reason: string;
  readonly at: string;
};

/** Writes a waiver down; the break itself is told by reconcile, in the same transaction. */
export const waive = async (tx: Kysely<DB>, it: Waived): Promise<void> => {
  await sql`
    insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
    values (${it.entity}, ${it.breakId}, ${it.period}, ${it.difference}::numeric, ${it.by}, ${it.reason},
      ${it.at}::timestamptz)`.execute(tx);
};

/** Whether a break is waived for that period already, at that difference. */
export const isWaived = async (
  db: Kysely<DB>,
  { entity, breakId, period, difference }: Waived,
): Promise<boolean> => {
  const { rows } = await sql`
    select from books.waivers w
    where w.entity_id = ${entity} and w.break_id = ${breakId} and w.period = ${period}
      and w.difference is not distinct from ${difference}::numeric`.execute(db);
  return rows.length > 0;
};
