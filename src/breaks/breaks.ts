// Breaks as runs see them: a break is the same one every night, because its identity is what it is about. A comparison
// opens it, keeps it, opens it again, and resolves it by itself when it ties. What people do to it is in life.ts.
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/run.ts';
import type { Candidate } from './cause.ts';
import { storeBreakEvent } from './events.ts';
import { onsetOf } from './onset.ts';

/** One row that a check found wrong: what every file in sql/checks returns. */
export type CheckRow = {
  readonly entity_id: string;
  readonly subject: string;
  readonly account: string | null;
  readonly currency: string | null;
  readonly reported: string | null;
  readonly booked: string | null;
  readonly difference: string | null;
  readonly reason: string;
  /** When it arose, of what is of no account; absent where the check cannot tell. */
  readonly since?: string | null;
};

/** The identity of a break: entity, check and subject, twelve hex digits. */
export const breakId = (entity: string, check: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([entity, check, subject]))
    .digest('hex')
    .slice(0, 12);

type Known = {
  readonly status: string;
  readonly difference: string | null;
  readonly assigned_to: string | null;
  readonly explanation: string | null;
  readonly tied_run_id: string | null;
};

const NO_REASON = { explanation: null, explained_by: null, explained_records: null };

/** Opens, keeps or reopens the break that a row is about. */
export const openBreak = async (
  tx: Kysely<DB>,
  run: Run,
  found: { readonly check: string; readonly wrong: CheckRow; readonly cause?: Candidate | undefined },
): Promise<void> => {
  const { check, cause } = found;
  const { since: _, ...wrong } = found.wrong;
  const onset = await onsetOf(tx, found.wrong, cause);
  const id = breakId(wrong.entity_id, check, wrong.subject);
  const known = await tx
    .selectFrom('reconcile.breaks')
    .select(['status', 'difference', 'assigned_to', 'explanation', 'tied_run_id'])
    .where('entity_id', '=', wrong.entity_id)
    .where('break_id', '=', id)
    .executeTakeFirst();
  const { reported, booked, difference, reason } = wrong;
  const { event, ...rest } = nextOf(known, run, difference);
  const diverged = { diverged_at: onset.at, diverged_after: onset.after };
  const now = { reported, booked, difference, reason, run_id: run.id, ...diverged, ...OPEN, ...rest };
  await tx
    .insertInto('reconcile.breaks')
    .values({
      ...wrong,
      opened_at: run.startedAt,
      since: run.startedAt,
      ...now,
      break_id: id,
      check_name: check,
    })
    .onConflict((c) => c.columns(['entity_id', 'break_id']).doUpdateSet(now))
    .execute();
  const eventReason =
    event !== null
      ? `${event}: ${reason}`
      : known?.difference !== difference
        ? `the difference was ${known?.difference}`
        : null;
  if (eventReason !== null)
    await storeBreakEvent(tx, run, {
      entity: wrong.entity_id,
      id,
      status: rest.status,
      difference,
      reason: eventReason,
    });
};

const OPEN = { resolved_at: null, resolved_by: null, tied_run_id: null };

/**
 * What a break is once a comparison finds it. After a tie it begins anew: nobody has it, and it is as old as this run.
 * What people said of one difference, and that it is settled, does not hold for another one; who has it, has it still.
 */
const nextOf = (known: Known | undefined, run: Run, difference: string | null) => {
  if (known === undefined) return { status: 'open', event: 'opened' };
  if (known.tied_run_id !== null)
    return { status: 'open', event: 'reopened', since: run.startedAt, assigned_to: null, ...NO_REASON };
  const isSame = known.difference === difference;
  const isKept =
    known.status !== 'resolved' && (isSame || known.status === 'open' || known.status === 'assigned');
  if (isKept) return { status: known.status, event: null };
  const status = known.assigned_to === null ? 'open' : 'assigned';
  if (isSame && known.explanation !== null) return { status: 'explained', event: 'reopened' };
  return { status, event: 'reopened', ...(isSame ? {} : NO_REASON) };
};

/**
 * Resolves the breaks of a check that its rows no longer name: those of an account only when this run tied it, since
 * a balance that could not be compared proves nothing. What a person resolved is borne out in the same way.
 */
export const resolveBreaks = async (
  tx: Kysely<DB>,
  run: Run,
  check: { entity: string; check: string; open: readonly string[] },
): Promise<void> => {
  const { rows } = await sql<{ break_id: string; resolved_by: string | null }>`
    update reconcile.breaks b set status = 'resolved', resolved_at = coalesce(resolved_at, ${run.startedAt}::timestamptz),
      run_id = ${run.id}::uuid, tied_run_id = ${run.id}::uuid
    where entity_id = ${check.entity} and check_name = ${check.check} and tied_run_id is null and break_id <> all(${check.open}::text[])
      and (account is null or coalesce((
        select t.status = 'tied' from books.tie_outs t
        where (t.entity_id, t.run_id, t.account, t.currency) = (b.entity_id, ${run.id}::uuid, b.account, b.currency)
      ), false))
    returning break_id, resolved_by`.execute(tx);
  for (const { break_id: id, resolved_by: by } of rows) {
    const reason = by === null ? 'it ties again' : `it ties, as ${by} stated`;
    await storeBreakEvent(tx, run, {
      entity: check.entity,
      id,
      status: 'resolved',
      difference: null,
      reason,
    });
  }
};
