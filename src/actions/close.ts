// Closing: a month of every entity, or of one, each where nothing stands in its way.
import { sql } from 'kysely';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { approveMonth, type Closed, type CloseRequest, closeMonth, reopenMonth } from '../close/close.ts';
import { returnLate } from '../ledger/returns.ts';
import { bookedEntities } from '../run/entities.ts';
import { report } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { valueAll } from '../valuation/value-all.ts';

export type MonthRequest = {
  readonly period: string;
  readonly only?: string | undefined;
  readonly by: string;
};

/** How a decision ends: it reaches no gateway. */
export const offlineResult = (exitCode: Result['exitCode'], summary: string): Result => ({
  exitCode,
  summary,
  requests: 0,
  pages: 0,
  fewest: 0,
});

/** The entities whose month is asked about. Throws UsageError where there is none. */
export const monthsOf = async (work: Work, only: string | undefined): Promise<string[]> => {
  const entities = await bookedEntities(work, only);
  if (entities.length === 0) throw new UsageError('nothing is booked yet: run npx tieout nightly first');
  return entities;
};

/** Closes the month of each entity that is ready for it; the others keep it open, and the exit code is 1. */
export const closeMonths = async (
  work: Work,
  request: CloseRequest & { readonly only?: string | undefined },
): Promise<{ readonly result: Result; readonly closed: readonly Closed[] }> => {
  const entities = await monthsOf(work, request.only);
  await valueAll(work); // what a closed month is worth stays as it is
  const desk = { pool: work.pool, decider: await work.as('preparer') };
  const closed: Closed[] = [];
  for (const entity of entities) closed.push(await closeMonth(desk, entity, request));
  const open = closed.filter(({ sealed, isClosed }) => sealed === null && !isClosed);
  const before = closed.filter(({ isClosed }) => isClosed);
  const roots = closed.flatMap(({ sealed }) => (sealed ? [`${sealed.entity} ${sealed.root}`] : []));
  const sentences = [
    ...(roots.length > 0 ? [`${request.period} closed by ${request.by}: ${roots.join(', ')}`] : []),
    ...(open.length > 0
      ? [
          `${request.period} stays open for ${open.map(({ entity, obstacles }) => `${entity} (${obstacles.length} in the way)`).join(', ')}`,
        ]
      : []),
    ...(before.length > 0
      ? [`${request.period} was closed before for ${before.map(({ entity }) => entity).join(', ')}`]
      : []),
  ];
  return {
    result: offlineResult(open.length > 0 || roots.length === 0 ? 1 : 0, sentences.join('; ')),
    closed,
  };
};

/** Puts another person's name under the seals of a month: under each of them, or, where one cannot be, under none. */
export const approveMonths = async (work: Work, request: MonthRequest): Promise<Result> => {
  const entities = await monthsOf(work, request.only);
  const approver = await work.as('approver');
  await approver.transaction().execute(async (tx) => {
    for (const entity of entities) await approveMonth(tx, entity, request);
  });
  return offlineResult(0, `${request.period} approved by ${request.by}: ${entities.join(', ')}`);
};

/**
 * Reopens the last closed month of each entity, or of none if it is not the last of one of them. The message is loud,
 * because files that were exported before may no longer match the books.
 */
export const reopenMonths = async (
  work: Work,
  request: MonthRequest & { readonly reason: string },
): Promise<Result> => {
  const entities = await monthsOf(work, request.only);
  const approver = await work.as('approver');
  await approver.transaction().execute(async (tx) => {
    for (const entity of entities) await reopenMonth(tx, entity, request);
  });
  let many = 0;
  for (const entity of entities) many += await returnEntries(work, entity);
  await valueAll(work);
  const late = counted(many, 'late entry', 'late entries');
  return offlineResult(
    0,
    `${request.period} REOPENED by ${request.by} (${request.reason}): ${entities.join(', ')}; ${late} moved back into it, and it is valued anew`,
  );
};

/** Takes late entries back into months that were reopened. A night does it too, for a reopening that was cut short. */
export const returnEntries = async (work: Work, entity: string): Promise<number> => {
  const records = await returnLate(work.db, { entity, whose: 'records' });
  const { rows } = await sql`
    select from books.manual_entries m
    left join books_internal.closed_through c using (entity_id)
    where m.entity_id = ${entity} and m.belongs_to > coalesce(c.through, '') limit 1`.execute(work.db);
  if (rows.length === 0) return records;
  return records + (await returnLate(await work.as('approver'), { entity, whose: 'people' }));
};

type MonthNote = { readonly entity: string; readonly subject: string; readonly detail: string };

/** What a night says of months: those that stand reopened, and what it booked too late for its own. Notes, no findings. */
export const noteMonths = async ({ db, run }: Work): Promise<void> => {
  const { rows } = await sql<MonthNote>`
    select s.entity_id as entity, 'reopened' as subject,
      format('%s was reopened by %s (%s) and is not closed again', s.period, s.reopened_by, s.reopen_reason) as detail
    from books.seals s
    where s.status = 'reopened' and not exists (
      select from books.seals again
      where again.entity_id = s.entity_id and again.period >= s.period and again.status = 'closed'
    )
    union all
    select entity_id, 'late', format('%s entries came too late for %s and count in %s: tieout restate %s shows them',
      count(*), belongs_to, period, belongs_to)
    from ledger.entries
    where belongs_to is not null and entry_number > (select entries_before from run.runs where run_id = ${run.id}::uuid)
    group by entity_id, belongs_to, period`.execute(db);
  for (const note of rows) await report(db, run, { ...note, severity: 'note' });
};
