// A run: one execution of a job, and its findings. A finding makes the run end with 1; a note does not.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import { inBatches } from '../base/group.ts';
import { storable } from '../base/json.ts';
import { codeOf, insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { besideRuns } from './beside-runs.ts';
import { linkRows } from './run-links.ts';
import type { NightVerdict } from './verdicts.ts';

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

/**
 * Ends a run and links the rows written in it; false if it has ended before, as a run of several processes may have. `summary` is one
 * line for people.
 */
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
    readonly verdicts?: readonly NightVerdict[];
  },
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
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
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await storeVerdicts(tx, run, end.verdicts ?? []);
    await linkRows(tx, run.id);
    return true;
  });

const storeVerdicts = async (
  tx: Kysely<DB>,
  { id }: Run,
  verdicts: readonly NightVerdict[],
): Promise<void> => {
  for (const batch of inBatches(verdicts, BATCH)) {
    const rows = batch.map(({ entity_id, verdict }) => ({ entity_id, run_id: id, verdict }));
    await insertRows(tx, 'run.verdicts', rows);
  }
};

/** Stores a finding about an entity; repeated findings of one run are stored once. */
export const report = (
  db: Kysely<DB>,
  run: Run,
  found: Finding & { readonly entity: string },
): Promise<void> => reportAll(db, run, [found]);

const BATCH = 5_000;

/** Stores findings in their order, each once in a run. A check may find as many as there are records. */
export const reportAll = async (
  db: Kysely<DB>,
  run: Run,
  found: readonly (Finding & { readonly entity: string })[],
): Promise<void> => {
  for (const batch of inBatches(found, BATCH)) {
    const store = (tx: Kysely<DB>) => storeNew(tx, run, batch);
    await (db.isTransaction ? store(db) : inReportTurn(db, run, store));
  }
};

/**
 * One after the other: what is of no entity alone, such as a wrong clock, several jobs of a shared run report at once. In a transaction
 * of its own, which waits for nothing else.
 */
const inReportTurn = (db: Kysely<DB>, run: Run, store: (tx: Kysely<DB>) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`tieout findings ${run.id}`}, 0))`.execute(tx);
    await store(tx);
  });

const storeNew = async (
  db: Kysely<DB>,
  run: Run,
  found: readonly (Finding & { readonly entity: string })[],
): Promise<void> => {
  const rows = new Map(found.map((finding) => rowOf(run, finding)).map((row) => [JSON.stringify(row), row]));
  for (const stored of await storedAlike(db, run, [...rows.values()])) rows.delete(JSON.stringify(stored));
  await insertRows(db, 'run.findings', [...rows.values()]);
};

/** What a run reports as failed, by entity. */
export const reportedFailures = async (
  db: Kysely<DB>,
  runId: string,
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ entity_id: string; detail: string }>`
    select entity_id, min(detail) as detail from run.findings
    where run_id = ${runId}::uuid and subject = 'failed' and severity = 'finding' group by 1 order by 1`.execute(
    db,
  );
  return new Map(rows.map(({ entity_id, detail }) => [entity_id, detail]));
};

type FindingRow = ReturnType<typeof rowOf>;

/** Subject and detail may contain text from outside. */
const rowOf = (
  { id }: Run,
  { entity, severity = 'finding', subject, detail }: Finding & { readonly entity: string },
) => ({ entity_id: entity, run_id: id, severity, subject: storable(subject), detail: storable(detail) });

/** The findings of a run about these entities and subjects. */
const storedAlike = async (db: Kysely<DB>, run: Run, rows: readonly FindingRow[]): Promise<FindingRow[]> => {
  const entities = [...new Set(rows.map(({ entity_id }) => entity_id))];
  const { rows: stored } = await sql<FindingRow>`
    select entity_id, run_id, severity, subject, detail from run.findings
    where run_id = ${run.id}::uuid and entity_id = any (${entities}::text[])
      and subject = any (${rows.map(({ subject }) => subject)}::text[])`.execute(db);
  return stored;
};
