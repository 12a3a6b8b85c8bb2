// The plan of a walk, from what is landed: the known records determine it, never a high-water mark.
import { type Kysely, sql } from 'kysely';
import type { LandedStream } from '../base/streams.ts';
import type { DB } from '../database/db-types.ts';
import type { Interval, ShownRow } from '../extract/step.ts';

export type PlannedList = { readonly entity: string; readonly stream: LandedStream; readonly scope: string };

/**
 * The start of the interval to read again: `lagMs` before the earlier of the end of coverage and the newest record's own
 * time. null on a first walk, which reads everything.
 */
export const readAgainFrom = async (
  db: Kysely<DB>,
  list: PlannedList,
  lagMs: number,
): Promise<string | null> => {
  const { rows } = await sql<{ since: string | null }>`
    select least(upper(covered), newest_at) - make_interval(secs => ${lagMs} / 1000.0) as since
    from land.coverage
    where entity_id = ${list.entity} and stream = ${list.stream} and scope = ${list.scope} and not isempty(covered)`.execute(
    db,
  );
  return rows[0]?.since ?? null;
};

/** Whether all time before an instant is proved: only then may a walk from the newest record stop there. */
export const isProvedBefore = async (
  db: Kysely<DB>,
  list: PlannedList,
  instant: string,
): Promise<boolean> => {
  const { rows } = await sql<{ proved: boolean }>`
    select covered @> tstzrange('-infinity', ${instant}::timestamptz) as proved
    from land.coverage
    where entity_id = ${list.entity} and stream = ${list.stream} and scope = ${list.scope}`.execute(db);
  return rows[0]?.proved ?? false;
};

/** The windows to walk, newest first: the last days again, and every gap. */
export const windowsToWalk = async (
  db: Kysely<DB>,
  list: PlannedList,
  since: string | null,
): Promise<Interval[]> => {
  const { rows } = await sql<Interval>`
    select nullif(lower(wanted), '-infinity') as "from", upper(wanted) as "to"
    from unnest(
      tstzmultirange(tstzrange('-infinity', null)) - coalesce((
        select covered from land.coverage
        where entity_id = ${list.entity} and stream = ${list.stream} and scope = ${list.scope}
      ), '{}') + tstzmultirange(tstzrange(${since ?? '-infinity'}::timestamptz, null))
    ) as wanted
    order by wanted desc`.execute(db);
  return rows;
};

/** Enough records to find one that the gateway still lists. */
const ABOVE_MAX = 50;

/** The records landed at or above an instant, oldest first. */
export const landedAbove = async (
  db: Kysely<DB>,
  list: PlannedList,
  instant: string,
): Promise<ShownRow[]> => {
  const { rows } = await sql<ShownRow>`
    select record_id as id, record_at as time from land.records
    where entity_id = ${list.entity} and stream = ${list.stream} and scope = ${list.scope} and record_at >= ${instant}::timestamptz
    order by record_at, record_id, version limit ${ABOVE_MAX}`.execute(db);
  return rows;
};

/** The newest record landed at or before an instant; none if there is none. */
export const landedBelow = async (
  db: Kysely<DB>,
  list: PlannedList,
  instant: string,
): Promise<ShownRow[]> => {
  const { rows } = await sql<ShownRow>`
    select record_id as id, record_at as time from land.records
    where entity_id = ${list.entity} and stream = ${list.stream} and scope = ${list.scope} and record_at <= ${instant}::timestamptz
    order by record_at desc, record_id desc limit 1`.execute(db);
  return rows;
};

type SoFar = {
  readonly known: number;
  readonly gone: number;
  readonly newest: string | null;
  readonly place: string | null;
};

/**
 * The number of distinct landed records of a list, and the time of the newest, as its certificate counts them; `gone` of them were
 * no longer listed when the list was last proved. `place` is where a reading of all of it was interrupted.
 */
export const landedSoFar = async (db: Kysely<DB>, list: PlannedList): Promise<SoFar> => {
  const { rows } = await sql<SoFar>`
    select c.landed as known, coalesce(p.landed - p.total, 0) as gone, c.newest_at as newest, t.token as place
    from land.coverage c
    left join books_internal.proved_totals p using (entity_id, stream, scope)
    left join land.resume_tokens t using (entity_id, stream, scope)
    where c.entity_id = ${list.entity} and c.stream = ${list.stream} and c.scope = ${list.scope}`.execute(db);
  return rows[0] ?? { known: 0, gone: 0, newest: null, place: null };
};

/** The place where an interrupted walk resumes. */
export const storedPlace = async (db: Kysely<DB>, list: PlannedList): Promise<string | null> => {
  const row = await db
    .selectFrom('land.resume_tokens')
    .select('token')
    .where((eb) => eb.and({ entity_id: list.entity, stream: list.stream, scope: list.scope }))
    .executeTakeFirst();
  return row?.token ?? null;
};

/** A record to request again: its id, and its time in the list. */
export type Late = { readonly recordId: string; readonly recordAt: string | null };

/** Records whose latest version is not final and older than `before`: the walk does not reach them, so each is requested alone. */
export const notFinal = async (db: Kysely<DB>, list: PlannedList, before: string): Promise<Late[]> => {
  const { rows } = await sql<Late>`
    select o.record_id as "recordId", r.record_at as "recordAt"
    from ledger.outcomes o
    join books_internal.latest_records r using (entity_id, stream, record_id, version)
    where o.entity_id = ${list.entity} and o.stream = ${list.stream} and r.scope = ${list.scope} and not o.final
      and (r.record_at is null or r.record_at < ${before}::timestamptz)
    order by o.record_id`.execute(db);
  return rows;
};
