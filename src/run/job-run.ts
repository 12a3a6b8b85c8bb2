// A run: one execution of a job, and its findings. A finding makes the run end with 1; a note does not.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import { storable } from '../base/json.ts';
import { codeOf } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { besideRuns } from './beside-runs.ts';
import { linkRows } from './run-links.ts';

/** `number` orders runs reliably; clocks do not. */
export type Run = {
  readonly id: string;
  readonly number: string;
  readonly job: string;
  readonly startedAt: string;
};

type Severity = 'finding' | 'note';
type Finding = { readonly subject: string; readonly detail: string; readonly severity?: Severity };

/** Raised if a transaction of an earlier run is still open although its lock is gone. */
const NOT_AVAILABLE = '55P03';

/**
 * Begins a run: no earlier run can write after this. Waits for their open transactions. The row of the run is committed
 * at once, so a killed run appears as unfinished.
 */
export const openRun = async (db: Kysely<DB>, job: string): Promise<Run> => {
  const run = { id: randomUUID(), job };
  try {
    return await besideRuns(db, async (tx) => {
      await sql`select run.take_over()`.execute(tx);
      const { rows } = await sql<Pick<Run, 'number' | 'startedAt'>>`
          insert into run.runs (run_id, job, started_at, entries_before, requests_before)
          values (${run.id}, ${job}, clock_timestamp(), (
            select case when is_called then last_value else 0 end from ledger.entries_entry_number_seq
          ), (
            select case when is_called then last_value else 0 end from land.requests_request_id_seq
          ))
          returning run_number as number, started_at as "startedAt"`.execute(tx);
      const [row] = rows;
      assert(row, 'an insert returns its row');
      return { ...run, ...row };
    });
  } catch (error) {
    if (codeOf(error) !== NOT_AVAILABLE) throw error;
    throw new FailedError(
      'an earlier run still has an open transaction on these books: end its session (see pg_stat_activity) and run again',
    );
  }
};

/** Ends a run and links the rows written in it. `summary` is one line for people. */
export const closeRun = async (
  db: Kysely<DB>,
  run: Run,
  end: {
    readonly exitCode: number;
    readonly requests: number;
    /** Pages of lists that were read, and the fewest that could have sufficed. */
    readonly pages: number;
    readonly fewest: number;
    readonly summary: string;
  },
): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('run.runs')
      .set({
        finished_at: sql`clock_timestamp()`,
        exit_code: end.exitCode,
        requests: end.requests,
        pages: end.pages,
        pages_fewest: end.fewest,
        summary: end.summary,
        position: sql`(select coalesce(max(position), 0) + 1 from run.runs)`,
      })
      .where('run_id', '=', run.id)
      .execute();
    await linkRows(tx, run.id);
  });
};

/** Stores a finding about an entity; repeated findings of one run are stored once. */
export const report = async (
  db: Kysely<DB>,
  run: Run,
  found: Finding & { readonly entity: string },
): Promise<void> => {
  const { entity, severity = 'finding' } = found;
  const [subject, detail] = [storable(found.subject), storable(found.detail)]; // both may contain text from outside
  await sql`
    insert into run.findings (entity_id, run_id, severity, subject, detail)
    select ${entity}, ${run.id}, ${severity}, ${subject}, ${detail}
    where not exists (
      select from run.findings
      where entity_id = ${entity} and run_id = ${run.id} and severity = ${severity} and subject = ${subject} and detail = ${detail}
    )`.execute(db);
};
