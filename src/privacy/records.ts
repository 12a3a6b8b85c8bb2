// Reads records with personal fields in batches, so that memory use does not grow with their number.
import type { Kysely } from 'kysely';
import { loadSql, readRows, renewStatistics } from '../database/database.ts';
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
  await renewStatistics(db, 'ledger'); // without statistics the planner guesses, and this takes minutes
  let after = { stream: '', record_id: '' };
  while (true) {
    const rows = await readRows<PeopleRecord>(
      db,
      loadSql('privacy/people_records.sql', {
        entity,
        after_stream: after.stream,
        after_record: after.record_id,
        years: String(years),
        now: instant,
        most: String(BATCH),
      }),
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last;
  }
}

/** The personal fields of a record, as landed. */
export const fieldsOf = ({ paths, values }: PeopleRecord) =>
  paths.map((path, index) => ({ path, value: values[index] ?? '' }));
