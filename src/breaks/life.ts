// The steps that people take on a break: assign it, explain it, waive it for a month, or resolve it. Each step has a
// name, a time and a reason, and is stored as an event. One table lists the statuses in which a step is allowed.
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { sameName } from '../base/names.ts';
import type { DB, ReconcileBreaks } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { storeBreakEvents } from './events.ts';

/** A break as found by id. */
export type FoundBreak = Pick<
  Selectable<ReconcileBreaks>,
  'entity_id' | 'break_id' | 'subject' | 'difference' | 'currency' | 'status' | 'assigned_to'
>;

/** Who takes a step on which break, and why. */
export type BreakStep = { readonly found: FoundBreak; readonly by: string; readonly reason: string };

/** The statuses in which each step is allowed; `REFUSALS` has the reason for the others. */
const STEPS = {
  assign: ['open', 'assigned', 'explained'],
  explain: ['open', 'assigned', 'explained'],
  waive: ['open', 'assigned', 'explained', 'waived'],
  resolve: ['open', 'assigned', 'explained', 'waived'],
} as const;

type StepName = keyof typeof STEPS;

const REFUSALS: Readonly<Record<string, string>> = {
  waived: 'is waived, and opens again when its difference changes or the month ends',
  resolved: 'is resolved, and opens again when a comparison finds it',
};

/** Throws UsageError if a break's status does not allow the step. */
export const refuseStep = (name: StepName, { break_id: id, status }: FoundBreak): void => {
  if ((STEPS[name] as readonly string[]).includes(status)) return;
  throw new UsageError(`break ${id} ${REFUSALS[status] ?? `is ${status}`}: there is nothing left to ${name}`);
};

const NAMED_MAX = 5;

/** Finds a break by id or unique prefix, whatever its status. Throws UsageError if none or several match. */
export const findBreak = async (
  db: Kysely<DB>,
  id: string,
  entity: string | undefined,
): Promise<FoundBreak> => {
  const { rows } = await sql<FoundBreak>`
    select entity_id, break_id, subject, trim_scale(difference)::text as difference, currency, status, assigned_to
    from books.breaks
    where starts_with(break_id, ${id}) and ${id} <> '' and (${entity ?? null}::text is null or entity_id = ${entity ?? null})
    order by break_id limit ${NAMED_MAX + 1}`.execute(db);
  const [found, another] = rows;
  if (!found) throw new UsageError(`no break ${id.slice(0, 60)}: npx tieout breaks list --all shows them`);
  if (!another) return found;
  const matches = rows.slice(0, NAMED_MAX).map((row) => `${row.break_id} of ${row.entity_id}`);
  const more = rows.length > NAMED_MAX ? ' and more' : '';
  throw new UsageError(
    `several breaks start with ${id}: ${matches.join(', ')}${more}: write more characters of the id`,
  );
};

/** Assigns a break to a person. Its explanation stays. */
export const assignBreak = async (
  tx: Kysely<DB>,
  run: Run,
  { to, ...step }: BreakStep & { readonly to: string },
): Promise<void> => {
  const { found } = step;
  refuseStep('assign', found);
  if (found.assigned_to !== null && sameName(found.assigned_to, to))
    throw new UsageError(`break ${found.break_id} is assigned to ${found.assigned_to} already`);
  const status = found.status === 'explained' ? 'explained' : 'assigned';
  await write(tx, found, { status, assigned_to: to });
  await storeEvent(tx, run, { ...step, status, reason: `assigned to ${to}: ${step.reason}` });
};

/** Stores a person's explanation beside the program's; `records` support it, each as `stream id`. */
export const explainBreak = async (
  tx: Kysely<DB>,
  run: Run,
  { records, ...step }: BreakStep & { readonly records: readonly string[] },
): Promise<void> => {
  const { found, by, reason } = step;
  refuseStep('explain', found);
  const shown = records.length === 0 ? null : [...records];
  await write(tx, found, {
    status: 'explained',
    explanation: reason,
    explained_by: by,
    explained_records: shown,
  });
  const reasonWithCandidates = shown === null ? reason : `${reason} (${shown.join('; ')})`;
  await storeEvent(tx, run, { ...step, status: 'explained', reason: reasonWithCandidates });
};

/** Adds a waiver to a break's history; its status follows from the waiver itself. */
export const waiveBreak = async (tx: Kysely<DB>, run: Run, step: BreakStep): Promise<void> => {
  refuseStep('waive', step.found);
  await storeEvent(tx, run, { ...step, status: 'waived' });
};

/** Marks a break as resolved by a person; the next comparison confirms it or reopens it. */
export const resolveBreak = async (tx: Kysely<DB>, run: Run, step: BreakStep): Promise<void> => {
  refuseStep('resolve', step.found);
  await write(tx, step.found, {
    status: 'resolved',
    resolved_at: run.startedAt,
    resolved_by: step.by,
  });
  await storeEvent(tx, run, { ...step, status: 'resolved', reason: `marked as resolved: ${step.reason}` });
};

const write = async (
  tx: Kysely<DB>,
  { entity_id, break_id }: FoundBreak,
  change: Updateable<ReconcileBreaks>,
): Promise<void> => {
  await tx
    .updateTable('reconcile.breaks')
    .set(change)
    .where('entity_id', '=', entity_id)
    .where('break_id', '=', break_id)
    .execute();
};

const storeEvent = (
  tx: Kysely<DB>,
  run: Run,
  { found, by, reason, status }: BreakStep & { status: string },
) =>
  storeBreakEvents(tx, run, [
    { entity: found.entity_id, id: found.break_id, difference: found.difference, status, reason, by },
  ]);
