// Breaks as runs handle them. A break keeps its identity from night to night, because its id derives from its subject. A
// comparison opens, updates or reopens it (opening.ts), and resolves it when it ties. life.ts has the steps that people take.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { breakId } from './check-row.ts';
import { storeBreakEvents } from './events.ts';
import { openBreaks, type RowsFound } from './opening.ts';

export { pageOf } from './break-page.ts';
export { placeOf, reasonParts } from './cause.ts';
export { explain } from './causes.ts';
export type { CheckRow } from './check-row.ts';
export { assignBreak, explainBreak, findBreak, refuseStep, resolveBreak, waiveBreak } from './life.ts';
export { effectsOfNotFinal } from './not-final.ts';
export type { Explanations } from './opening.ts';

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

/** Brings the breaks of a check in line with its rows: each row opens or updates one, and those without a row are resolved. */
export const settleBreaks = async (tx: Kysely<DB>, run: Run, found: RowsFound): Promise<void> => {
  await openBreaks(tx, run, found);
  await resolveBreaks(tx, run, found);
};

/**
 * Resolves breaks that the check's rows no longer contain. A break of an account is resolved only if this run tied the
 * account, because a balance that was not compared proves nothing. The same rule confirms what a person resolved. The events
 * have the order in which the breaks were opened, so that equal books get equal histories.
 */
const resolveBreaks = async (
  tx: Kysely<DB>,
  run: Run,
  { entity, check, rows: wrongs }: RowsFound,
): Promise<void> => {
  const open = wrongs.map(({ subject }) => breakId(entity, check, subject));
  const { rows } = await sql<{ break_id: string; resolved_by: string | null }>`
    with resolved as (
      update reconcile.breaks b set status = 'resolved', resolved_at = coalesce(resolved_at, ${run.startedAt}::timestamptz),
        run_id = ${run.id}::uuid, tied_run_id = ${run.id}::uuid
      where entity_id = ${entity} and check_name = ${check} and tied_run_id is null and break_id <> all(${open}::text[])
        and (account is null or coalesce((
          select t.status = 'tied' from books.tie_outs t
          where (t.entity_id, t.run_id, t.account, t.currency) = (b.entity_id, ${run.id}::uuid, b.account, b.currency)
        ), false))
      returning break_id, resolved_by, position
    )
    select break_id, resolved_by from resolved order by position`.execute(tx);
  await storeBreakEvents(
    tx,
    run,
    rows.map(({ break_id: id, resolved_by: by }) => ({
      entity,
      id,
      status: 'resolved',
      difference: null,
      reason: by === null ? 'it ties again' : `it ties, as ${by} stated`,
    })),
  );
};
