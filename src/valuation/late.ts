// Late entries: those of closed months that were valued in an open one.
import { type Kysely, sql } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Whether an entry of a closed month was valued in an open month from `from` on: it must be valued there again. */
export const hasLate = async (
  tx: Kysely<DB>,
  { name, entities, closed }: Taxpayer,
  from: string,
): Promise<boolean> => {
  if (closed === '') return false;
  const { rows } = await sql<{ late: boolean }>`
    select exists (
      select from value.monthly m
      where (m.taxpayer = ${name} or m.entity_id = any(${entities}::text[])) and m.period >= ${from} and m.booked_in <= ${closed}
    ) as late`.execute(tx);
  return rows[0]?.late === true;
};

/** Whether a closed month of an entity has entries that are valued in an open one: their values still follow today's sources. */
export type IsLateMonth = (month: { readonly period: string; readonly entity_id: string }) => boolean;

export const lateMonths = async (
  db: Kysely<DB>,
  taxpayers: readonly Pick<Taxpayer, 'entities' | 'closed'>[],
): Promise<IsLateMonth> => {
  const own = taxpayers.flatMap(({ entities, closed }) =>
    closed === '' ? [] : entities.map((entity_id) => ({ entity_id, closed })),
  );
  if (own.length === 0) return () => false;
  const { rows } = await sql<{ month: string }>`
    select distinct concat_ws(' ', m.booked_in, m.entity_id) as month
    from ${unnest(own, { entity_id: 'text', closed: 'text' })}
    join value.monthly m on m.entity_id = input.entity_id and m.period > input.closed and m.booked_in <= input.closed`.execute(
    db,
  );
  const late = new Set(rows.map(({ month }) => month));
  return ({ period, entity_id }) => late.has(`${period} ${entity_id}`);
};
