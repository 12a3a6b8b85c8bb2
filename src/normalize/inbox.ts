// The inbox: landed versions without an outcome, in the order of their requests.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { LandedRecord } from './booking.ts';

const BATCH = 1_000;

/** The place of a version in the inbox. */
export type InboxPlace = Pick<LandedRecord, 'request_id' | 'stream' | 'record_id' | 'version'>;

/** A waiting version, with the place of its row in the table of the inbox. */
type WaitingRecord = LandedRecord & { readonly place: string };

/** The next versions after a place. Each is read through its key: a plan that joins may read all records for each batch. */
export const waitingAfter = async (
  tx: Kysely<DB>,
  entity: string,
  after: InboxPlace | null,
): Promise<WaitingRecord[]> => {
  const { request_id = '-1', stream = '', record_id = '', version = 0 } = after ?? {};
  const { rows } = await sql<WaitingRecord>`
    select i.place, i.stream, i.record_id, i.version, i.request_id, r.payload, r.landed_at
    from (
      select ctid::text as place, entity_id, stream, record_id, version, request_id from land.inbox
      where entity_id = ${entity} and (request_id, stream, record_id, version) > (${request_id}::bigint, ${stream}, ${record_id}, ${version}::int)
      order by request_id, stream, record_id, version limit ${BATCH}
    ) as i cross join lateral (
      select payload, landed_at from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (i.entity_id, i.stream, i.record_id, i.version) limit 1
    ) as r
    order by i.request_id, i.stream, i.record_id, i.version`.execute(tx);
  return rows;
};

/** Takes versions out, by the places of their rows, which only a deletion ends. */
export const takeOut = async (tx: Kysely<DB>, entity: string, places: readonly string[]): Promise<void> => {
  if (places.length === 0) return;
  await sql`
    delete from land.inbox where entity_id = ${entity} and ctid = any(${places}::text[]::tid[])`.execute(tx);
};

/** How many versions of an entity wait. */
export const waitingIn = async (db: Kysely<DB>, entity: string): Promise<number> => {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from land.inbox where entity_id = ${entity}`.execute(db);
  return rows[0]?.waiting ?? 0;
};
