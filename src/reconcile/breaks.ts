// Breaks and their life: a break is the same one every night, because its identity is what it is about. Nothing is
// deleted: what happened to it, when and why is a row of its own.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import type { Run } from '../run.ts';

/** One row that a check found wrong: what every file in sql/checks returns. */
export type Wrong = {
  readonly entity_id: string;
  readonly subject: string;
  readonly account: string | null;
  readonly currency: string | null;
  readonly reported: string | null;
  readonly booked: string | null;
  readonly difference: string | null;
  readonly reason: string;
};

/** The identity of a break: entity, check and subject, twelve hex digits. */
export const breakId = (entity: string, check: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([entity, check, subject]))
    .digest('hex')
    .slice(0, 12);

/** Opens, keeps or reopens the break that a row is about. */
export const openBreak = async (
  tx: Kysely<DB>,
  run: Run,
  at: { readonly check: string; readonly wrong: Wrong },
): Promise<void> => {
  const { check, wrong } = at;
  const id = breakId(wrong.entity_id, check, wrong.subject);
  const known = await tx
    .selectFrom('reconcile.breaks')
    .select(['status', 'difference'])
    .where('entity_id', '=', wrong.entity_id)
    .where('break_id', '=', id)
    .executeTakeFirst();
  const { reported, booked, difference, reason } = wrong;
  // What was waived is that difference, not whatever it becomes.
  const isOver =
    known === undefined ||
    known.status === 'resolved' ||
    (known.status === 'waived' && known.difference !== difference);
  const status = isOver ? 'open' : known.status;
  const now = { reported, booked, difference, reason, status, run_id: run.id, resolved_at: null };
  await tx
    .insertInto('reconcile.breaks')
    .values({ ...wrong, ...now, break_id: id, check_name: check, opened_at: run.startedAt })
    .onConflict((c) => c.columns(['entity_id', 'break_id']).doUpdateSet(now))
    .execute();
  const event = known === undefined ? 'opened' : isOver ? 'reopened' : null;
  if (event)
    await remember(tx, run, {
      entity: wrong.entity_id,
      id,
      status,
      difference,
      reason: `${event}: ${reason}`,
    });
  else if (known?.difference !== difference) {
    await remember(tx, run, {
      entity: wrong.entity_id,
      id,
      status,
      difference,
      reason: `the difference was ${known?.difference}`,
    });
  }
};

/**
 * Resolves the breaks of a check that its rows no longer name: those of an account only when this run tied it, since
 * a balance that could not be compared proves nothing.
 */
export const resolveBreaks = async (
  tx: Kysely<DB>,
  run: Run,
  of: { entity: string; check: string; open: readonly string[] },
): Promise<void> => {
  const { rows } = await sql<{ break_id: string }>`
    update reconcile.breaks b set status = 'resolved', resolved_at = ${run.startedAt}::timestamptz, run_id = ${run.id}::uuid
    where entity_id = ${of.entity} and check_name = ${of.check} and status <> 'resolved' and break_id <> all(${of.open}::text[])
      and (account is null or coalesce((
        select t.status = 'tied' from books.tie_outs t
        where (t.entity_id, t.run_id, t.account, t.currency) = (b.entity_id, ${run.id}::uuid, b.account, b.currency)
      ), false))
    returning break_id`.execute(tx);
  for (const { break_id } of rows) {
    await remember(tx, run, {
      entity: of.entity,
      id: break_id,
      status: 'resolved',
      difference: null,
      reason: 'it ties again',
    });
  }
};

/** A break as a person finds it. */
export type Found = {
  readonly entity_id: string;
  readonly break_id: string;
  readonly subject: string;
  readonly difference: string | null;
  readonly currency: string | null;
  readonly status: string;
};

/** A break by its id, whatever its status. */
export const findBreak = async (
  db: Kysely<DB>,
  id: string,
  entity: string | undefined,
): Promise<Found | undefined> => {
  const { rows } = await sql<Found>`
    select entity_id, break_id, subject, trim_scale(difference)::text as difference, currency, status
    from books.breaks
    where break_id = ${id} and (${entity ?? null}::text is null or entity_id = ${entity ?? null})`.execute(
    db,
  );
  return rows[0];
};

/** Marks a break as waived by somebody, as long as its difference stays what it is. */
export const waiveBreak = async (
  tx: Kysely<DB>,
  run: Run,
  at: { readonly found: Found; readonly by: string; readonly reason: string },
): Promise<void> => {
  const { entity_id: entity, break_id: id, difference } = at.found;
  await tx
    .updateTable('reconcile.breaks')
    .set({ status: 'waived' })
    .where('entity_id', '=', entity)
    .where('break_id', '=', id)
    .execute();
  await remember(tx, run, { entity, id, status: 'waived', difference, reason: at.reason, by: at.by });
};

const remember = async (
  tx: Kysely<DB>,
  run: Run,
  event: {
    entity: string;
    id: string;
    status: string;
    difference: string | null;
    reason: string;
    by?: string;
  },
): Promise<void> => {
  const { entity, id, status, difference, reason, by = null } = event;
  await tx
    .insertInto('reconcile.break_events')
    .values({
      entity_id: entity,
      break_id: id,
      at: run.startedAt,
      run_id: run.id,
      status,
      difference,
      reason,
      by_name: by,
    })
    .execute();
};
