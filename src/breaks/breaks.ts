// Breaks as runs handle them. A break keeps its identity from night to night, because its id derives from its subject. A
// comparison opens, updates or reopens it, and resolves it when it ties. life.ts has the steps that people take.
import { type Kysely, type Selectable, sql } from 'kysely';
import { sha256 } from '../base/json.ts';
import type { DB, ReconcileBreaks } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import type { Candidate } from './cause.ts';
import { storeBreakEvent } from './events.ts';
import { onsetOf } from './onset.ts';

export { pageOf } from './break-page.ts';
export { storeCandidates } from './candidates.ts';
export { placeOf } from './cause.ts';
export { explain } from './causes.ts';
export { assignBreak, explainBreak, findBreak, refuseStep, resolveBreak, waiveBreak } from './life.ts';
export { effectsOfNotFinal } from './not-final.ts';

/** One row returned by a file in sql/checks: one thing that is wrong. */
export type CheckRow = Pick<
  Selectable<ReconcileBreaks>,
  'entity_id' | 'subject' | 'account' | 'currency' | 'reported' | 'booked' | 'difference' | 'reason'
> & {
  /** When it arose, for a row without an account; absent if the check cannot tell. */
  readonly since?: string | null;
};

/** The id of a break: twelve hex digits over entity, check and subject. */
export const breakId = (entity: string, check: string, subject: string): string =>
  sha256(JSON.stringify([entity, check, subject])).slice(0, 12);

type Known = Pick<
  Selectable<ReconcileBreaks>,
  'status' | 'difference' | 'assigned_to' | 'explanation' | 'tied_run_id'
>;

const NO_REASON = { explanation: null, explained_by: null, explained_records: null };

/** Opens, updates or reopens the break of a row. */
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
 * The new state of a break that a comparison found. After a tie it starts anew: unassigned, and as old as this run. If
 * the difference changes, explanations and resolutions no longer apply, but the assignment stays.
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

/** The checks with breaks that no comparison has tied yet, as `entity check`: only these can have one to resolve. */
export const openChecks = async (
  tx: Kysely<DB>,
  entities: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ entity_id: string; check_name: string }>`
    select distinct entity_id, check_name from reconcile.breaks
    where tied_run_id is null and entity_id = any(${entities}::text[])`.execute(tx);
  return new Set(rows.map(({ entity_id, check_name }) => `${entity_id} ${check_name}`));
};

/**
 * Resolves breaks that the check's rows no longer contain. A break of an account is resolved only if this run tied the
 * account, because a balance that was not compared proves nothing. The same rule confirms what a person resolved.
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
