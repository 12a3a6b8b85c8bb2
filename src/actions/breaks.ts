// Work on breaks: assign, explain, propose a waiver, resolve; the list of breaks, and the page of one. Nothing here books
// an entry.
import { sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import type { BreakPage } from '../breaks/break-page.ts';
import { assignBreak, explainBreak, findBreak, pageOf, refuseStep, resolveBreak } from '../breaks/breaks.ts';
import type { BreakStep, FoundBreak } from '../breaks/life.ts';
import { closedThrough, sealsOf } from '../ledger/ledger.ts';
import { offlineResult } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { begunMonth } from './close.ts';
import { type SubmittedProposal, submitProposal } from './proposals.ts';

/** Which break, by id or unique prefix; by whom and why. `only` is the entity given by the user, if any. */
export type StepRequest = {
  readonly id: string;
  readonly only?: string | undefined;
  readonly by: string;
  readonly reason: string;
};

/** A record that supports an explanation. */
export type RecordReference = { readonly stream: string; readonly recordId: string };

type Preparer = Awaited<ReturnType<Work['as']>>;

/** Runs one step on a break in one transaction as the preparer, with the preparer's rights only. */
const step = async (
  work: Work,
  { id, only, by, reason }: StepRequest,
  take: (tx: Preparer, request: BreakStep) => Promise<string>,
): Promise<Result> => {
  const found = await findBreak(work.db, id, only);
  const preparer = await work.as('preparer');
  const done = await preparer.transaction().execute((tx) => take(tx, { found, by, reason }));
  return offlineResult(
    0,
    `break ${found.break_id} of ${found.entity_id} (${aboutOf(found)}) ${done}: ${reason}`,
  );
};

const aboutOf = ({ subject, difference, currency }: FoundBreak): string =>
  `${subject}, ${difference === null ? 'no difference' : `${difference} ${currency ?? ''}`.trim()}`;

/** Assigns a break to a person. */
export const assignOne = (work: Work, request: StepRequest & { readonly to: string }): Promise<Result> =>
  step(work, request, async (tx, target) => {
    await assignBreak(tx, work.run, { ...target, to: request.to });
    return `assigned to ${request.to} by ${target.by}`;
  });

/** Stores a person's explanation of a break, with the records that support it. */
export const explainOne = (
  work: Work,
  request: StepRequest & { readonly records: readonly RecordReference[] },
): Promise<Result> =>
  step(work, request, async (tx, target) => {
    for (const record of request.records) await refuseUnknown(work, target.found.entity_id, record);
    const records = request.records.map(({ stream, recordId }) => `${stream} ${recordId}`);
    await explainBreak(tx, work.run, { ...target, records });
    return `explained by ${target.by}`;
  });

const refuseUnknown = async (
  work: Work,
  entity: string,
  { stream, recordId }: RecordReference,
): Promise<void> => {
  const { rows } = await sql`
    select from land.records
    where entity_id = ${entity} and stream = ${stream} and record_id = ${recordId} limit 1`.execute(work.db);
  if (rows.length === 0)
    throw new UsageError(`${entity} has no record ${recordId} in ${stream}: look for it in books.records`);
};

/** Marks a break as resolved; the next comparison confirms it or reopens it. */
export const resolveOne = (work: Work, request: StepRequest): Promise<Result> =>
  step(work, request, async (tx, target) => {
    await resolveBreak(tx, work.run, target);
    return `marked as resolved by ${target.by}; the next comparison confirms or reopens it`;
  });

/** Proposes to accept a break for the close of a month, at its difference as of the month's end. */
export const waiveOne = async (
  work: Work,
  { id, only, by, reason, ...month }: StepRequest & { readonly period: string },
): Promise<SubmittedProposal> => {
  const { period, to } = await begunMonth(work, month.period);
  const found = await findBreak(work.db, id, only);
  refuseStep('waive', found);
  const { entity_id: entity, break_id, currency } = found;
  await refuseClosed(work.db, entity, period);
  const difference = await differenceAt(work.db, found, { period, to });
  const what =
    difference === null ? found.subject : `${found.subject}, ${difference} ${currency ?? ''}`.trim();
  const description = `waiver of break ${break_id} (${what}) for ${period}`;
  const content = { action: 'waive', description, period, break_id, difference } as const;
  return submitProposal(work, { by, reason, evidence: null }, { entity, content });
};

const refuseClosed = async (db: Work['db'], entity: string, period: string): Promise<void> => {
  const closed = closedThrough(await sealsOf(db, entity), null);
  if (closed !== null && period <= closed)
    throw new UsageError(`${period} of ${entity} is closed: only an open month can have a waiver`);
};

/** A break's difference as of a month's end. Throws UsageError if it had not arisen by then. */
const differenceAt = async (
  db: Work['db'],
  { entity_id, break_id }: FoundBreak,
  { period, to }: { readonly period: string; readonly to: string },
): Promise<string | null> => {
  const { rows } = await sql<{ difference: string | null }>`
    select trim_scale(difference)::text as difference from books_internal.breaks_at(${to}::timestamptz, ${entity_id})
    where entity_id = ${entity_id} and break_id = ${break_id}`.execute(db);
  const [found] = rows;
  if (!found)
    throw new UsageError(
      `break ${break_id} arose after ${period}: it does not block that month, so there is nothing to waive`,
    );
  return found.difference;
};

/** The page of one break. */
export const breakPage = async (
  db: Work['db'],
  { id, only }: Pick<StepRequest, 'id' | 'only'>,
): Promise<BreakPage> => pageOf(db, await findBreak(db, id, only));

export type BreakRow = Omit<
  BreakPage['standing'],
  | 'account'
  | 'reported'
  | 'booked'
  | 'reporting_currency'
  | 'found_at'
  | 'explained_records'
  | 'resolved_at'
  | 'resolved_by'
  | 'tied_run_id'
>;

/** Breaks by severity, then by value, highest first; with `isAll` also resolved ones, last. */
export const breaksIn = async (
  db: Work['db'],
  { only = null, isAll }: { only?: string | null | undefined; isAll: boolean },
): Promise<BreakRow[]> => {
  const { rows } = await sql<BreakRow>`
    select b.break_id, b.entity_id, b.check_name, b.subject, trim_scale(b.difference)::text as difference, b.currency, b.status,
      b.opened_at, b.reason, b.severity, round(b.value, 2)::text as value, b.since, b.age_days, b.due_at,
      coalesce(b.due_at < coalesce(b.resolved_at, now()), false) as is_overdue, b.assigned_to, b.explanation, b.explained_by,
      w.period as waived_for, w.prepared_by as waived_by
    from books.breaks b
    left join books_internal.standing_waivers w on b.status = 'waived' and (w.entity_id, w.break_id) = (b.entity_id, b.break_id)
    left join books.severities s using (severity)
    where (${isAll}::bool or b.status <> 'resolved') and (${only}::text is null or b.entity_id = ${only})
    order by b.status = 'resolved', s.rank desc nulls last, b.value desc nulls last, b.since, b.entity_id, b.break_id`.execute(
    db,
  );
  return rows;
};
