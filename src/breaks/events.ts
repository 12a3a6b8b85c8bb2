// The history of a break: what happened, when, by whom and why, in append-only rows.
import type { Kysely } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';

/** An event in a break's history. `by` is a person's name; absent if a run did it. */
type BreakEvent = {
  readonly entity: string;
  readonly id: string;
  readonly status: string;
  readonly difference: string | null;
  readonly reason: string;
  readonly by?: string;
};

/** Adds an event of this run. */
export const storeBreakEvent = async (tx: Kysely<DB>, run: Run, event: BreakEvent): Promise<void> => {
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
