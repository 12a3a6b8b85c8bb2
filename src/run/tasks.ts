// The entities of a night that several processes share: which there are, how each ended, and the transaction that ends the last.
import { type Kysely, sql, type Transaction } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

type TaskResult = 'read' | 'skipped' | 'unknown' | 'failed' | 'banned';

export type TaskEnd = {
  readonly entity: string;
  readonly result: TaskResult;
  readonly failure: string | null;
  readonly requests: number;
};

/** Stores the entities of a run, once, and calls `then` in the same transaction. */
export const storeTasks = (
  db: Kysely<DB>,
  runId: string,
  entities: readonly string[],
  then: (tx: Transaction<DB>) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const rows = entities.map((entity_id) => ({ entity_id }));
    await sql`
      insert into run.tasks (entity_id, run_id)
      select entity_id, ${runId}::uuid from ${unnest(rows, { entity_id: 'text' })}`.execute(tx);
    await then(tx);
  });

/** Ends an entity's task, once; in the transaction that ends the last task of the run, calls `then`. */
export const endTask = (
  db: Kysely<DB>,
  runId: string,
  { entity, result, failure, requests }: TaskEnd,
  then: (tx: Transaction<DB>) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select from run.runs where run_id = ${runId}::uuid for update`.execute(tx); // one after the other
    const ended = await sql`
      update run.tasks
      set ended_at = clock_timestamp(), result = ${result}, failure = ${failure}, requests = ${requests}
      where run_id = ${runId}::uuid and entity_id = ${entity} and ended_at is null`.execute(tx);
    if (ended.numAffectedRows === 1n && (await openTasks(tx, runId)) === 0) await then(tx);
  });

/** Whether the tasks of a run are stored: it has begun to read its entities. */
export const hasTasks = async (db: Kysely<DB>, runId: string): Promise<boolean> => {
  const { rows } = await sql`select from run.tasks where run_id = ${runId}::uuid limit 1`.execute(db);
  return rows.length > 0;
};

/** How many tasks of a run have not ended. */
export const openTasks = async (db: Kysely<DB>, runId: string): Promise<number> => {
  const { rows } = await sql<{ tasks: number }>`
    select count(*)::int as tasks from run.tasks where run_id = ${runId}::uuid and ended_at is null`.execute(
    db,
  );
  return rows[0]?.tasks ?? 0;
};

/** Whether the task of an entity that is not among these has not ended. */
export const hasOpenTasksBeside = async (
  db: Kysely<DB>,
  runId: string,
  entities: readonly string[],
): Promise<boolean> => {
  const { rows } = await sql`
    select from run.tasks
    where run_id = ${runId}::uuid and ended_at is null and entity_id <> all(${[...entities]}::text[]) limit 1`.execute(
    db,
  );
  return rows.length > 0;
};

/** Whether an entity's task has ended. */
export const hasEnded = async (db: Kysely<DB>, runId: string, entity: string): Promise<boolean> => {
  const { rows } = await sql`
    select from run.tasks where run_id = ${runId}::uuid and entity_id = ${entity} and ended_at is not null`.execute(
    db,
  );
  return rows.length > 0;
};

/** How the tasks of a run ended, in the order of their entities. */
export const endedTasks = async (db: Kysely<DB>, runId: string): Promise<TaskEnd[]> => {
  const { rows } = await sql<TaskEnd>`
    select entity_id as entity, result, failure, requests from run.tasks
    where run_id = ${runId}::uuid and ended_at is not null order by entity_id`.execute(db);
  return rows;
};
