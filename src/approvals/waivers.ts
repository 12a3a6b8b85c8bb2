// Waivers: a break that a named person accepts for the close of one period, at its difference as of the period's end.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { closedThrough, sealsOf } from '../ledger/ledger.ts';
import type { WaiverChange } from './changes.ts';
import type { Enacted } from './enacted.ts';

/** Stores an approved waiver; in the same transaction, another room adds it to the break's history. */
export const waive = async (tx: Kysely<DB>, enacted: Enacted<WaiverChange>): Promise<void> => {
  const { break_id, period, difference } = enacted.change;
  await sql`
    insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at, proposal_id)
    values (${enacted.entity}, ${break_id}, ${period}, ${difference}::numeric, ${enacted.by}, ${enacted.reason}, ${enacted.at}::timestamptz,
      ${enacted.proposalId})`.execute(tx);
};

/** Why nothing can be accepted for that month's close any more; null while it is open. */
export const closedAlready = async (
  db: Kysely<DB>,
  entity: string,
  { period, what }: { readonly period: string; readonly what: string },
): Promise<string | null> => {
  const closed = closedThrough(await sealsOf(db, entity), null);
  return closed === null || period > closed
    ? null
    : `${period} of ${entity} is closed: only an open month can have ${what}`;
};

/** Why a break cannot be waived for that month; null if nothing prevents it. */
export const notToWaive = async (
  db: Kysely<DB>,
  entity: string,
  { break_id, period, difference }: WaiverChange,
): Promise<string | null> => {
  const closed = await closedAlready(db, entity, { period, what: 'a waiver' });
  if (closed !== null) return closed;
  const { rows } = await sql`
    select from books.waivers w
    where w.entity_id = ${entity} and w.break_id = ${break_id} and w.period = ${period}
      and w.difference is not distinct from ${difference}::numeric`.execute(db);
  return rows.length > 0 ? `break ${break_id} is already waived for ${period} at this difference` : null;
};
