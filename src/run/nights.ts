// Nights: what each nightly did with an entity: read its lists, or skipped them because nothing had changed since a reading.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from './job-run.ts';

/** A nightly's reading of an entity. `reason` says why its lists were read; null if they were skipped. */
export type NightReading = {
  /** When it began, by the database's clock: an event before this is part of it. */
  readonly beganAt: string;
  readonly reason: string | null;
  /** Whether every list was read from its start, and so everything is proved again. */
  readonly isFull: boolean;
};

/** The database's time, in which events and readings are compared. */
export const databaseTime = async (db: Kysely<DB>): Promise<string> => {
  const { rows } = await sql<{ instant: string }>`select clock_timestamp() as instant`.execute(db);
  return rows[0]?.instant ?? '';
};

/** Stores a night of an entity, once its lists are read and compared, or skipped. */
export const storeNight = async (
  db: Kysely<DB>,
  run: Run,
  { entity, beganAt, reason }: NightReading & { readonly entity: string },
): Promise<void> => {
  await sql`
    insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason)
    select ${entity}, ${run.id}::uuid, ${beganAt}::timestamptz, case when ${reason}::text is null then (
      select n.lists_run_id from run.nights n join run.runs r using (run_id)
      where n.entity_id = ${entity} order by r.run_number desc limit 1
    ) else ${run.id}::uuid end, ${reason}`.execute(db);
};

/**
 * What a night of an entity that is stored did in a run; null if none is. A worker that was killed after it stored the night, and
 * before it ended the task, leaves nothing to do again.
 */
export const storedNight = async (
  db: Kysely<DB>,
  runId: string,
  entity: string,
): Promise<'read' | 'skipped' | null> => {
  const night = await db
    .selectFrom('run.nights')
    .select('reason')
    .where('entity_id', '=', entity)
    .where('run_id', '=', runId)
    .executeTakeFirst();
  if (night === undefined) return null;
  return night.reason === null ? 'skipped' : 'read';
};

/** Entities in the order in which to read them: those with an event since their last reading, those never read, the rest. */
export const urgentFirst = async (db: Kysely<DB>, entities: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select listed.id
    from unnest(${[...entities]}::text[]) with ordinality as listed (id, place)
    left join run.hints h on h.entity_id = listed.id
    left join lateral (
      select max(n.began_at) as began_at from run.nights n where n.entity_id = listed.id and n.lists_run_id = n.run_id
    ) as past on true
    order by (h.hinted_at >= past.began_at) is not true, past.began_at is not null, listed.place`.execute(db);
  return rows.map(({ id }) => id);
};
