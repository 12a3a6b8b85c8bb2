// Reads records with personal fields in batches, so that memory use does not grow with their number.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';

/** One record with the personal fields of all its versions. It may be erased once it is older than the retention period. */
export type PeopleRecord = {
  readonly stream: string;
  readonly record_id: string;
  readonly paths: readonly string[];
  readonly values: readonly string[];
  readonly may_go_at: string;
  readonly is_young: boolean;
};

type Retention = { readonly years: number; readonly at: string };

const BATCH = 2_000;

/**
 * Every record of an entity with personal fields, by stream and id. Its age counts from its own time, or else from its
 * landing.
 */
export async function* peopleRecords(
  db: Kysely<DB>,
  entity: string,
  { years, at: instant }: Retention,
): AsyncGenerator<readonly PeopleRecord[]> {
  await sql`select ledger.renew_statistics()`.execute(db); // without statistics the planner guesses, and this takes minutes
  let after = { stream: '', record_id: '' };
  while (true) {
    const { rows } = await sql<PeopleRecord>`
      with people as (
        select stream, record_id, array_agg(path) as paths, array_agg(value) as values
        from land.people
        where entity_id = ${entity} and (stream, record_id) > (${after.stream}, ${after.record_id})
        group by stream, record_id
        order by stream, record_id
        limit ${BATCH}
      )
      select p.*, age.may_go_at, age.may_go_at > ${instant}::timestamptz as is_young
      from people p
      cross join lateral (
        select max(coalesce(r.record_at, r.landed_at)) + make_interval(years => ${years}) as may_go_at
        from land.records r
        where (r.entity_id, r.stream, r.record_id) = (${entity}, p.stream, p.record_id)
      ) as age
      order by p.stream, p.record_id`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last;
  }
}

/** The personal fields of a record, as landed. */
export const fieldsOf = ({ paths, values }: PeopleRecord) =>
  paths.map((path, index) => ({ path, value: values[index] ?? '' }));
