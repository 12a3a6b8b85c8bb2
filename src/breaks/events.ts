// The history of a break: what happened, when, by whom and why, in append-only rows.
import type { Kysely } from 'kysely';
import { inBatches } from '../base/group.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';

/** An event in a break's history. `by` is a person's name; absent if a run did it. */
export type BreakEvent = {
  readonly entity: string;
  readonly id: string;
  readonly status: string;
  readonly difference: string | null;
  readonly reason: string;
  readonly by?: string;
};

const BATCH = 5_000;

/** Adds events of this run, in their order. */
export const storeBreakEvents = async (
  tx: Kysely<DB>,
  run: Run,
  events: readonly BreakEvent[],
): Promise<void> => {
  for (const batch of inBatches(events, BATCH))
    await insertRows(
      tx,
      'reconcile.break_events',
      batch.map(({ entity, id, status, difference, reason, by = null }) => ({
        entity_id: entity,
        break_id: id,
        at: run.startedAt,
        run_id: run.id,
        status,
        difference,
        reason,
        by_name: by,
      })),
    );
};
