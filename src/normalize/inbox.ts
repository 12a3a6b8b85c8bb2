// The inbox: landed versions without an outcome, in the order of their requests.
import { strict as assert } from 'node:assert';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { LandedRecord } from './booking.ts';

/** Versions that one transaction books. */
export const BATCH = 1_000;

/** The place of a version in the inbox. */
export type InboxPlace = Pick<LandedRecord, 'request_id' | 'stream' | 'record_id' | 'version'>;

/** A waiting version, with the place of its row in the table of the inbox. */
export type WaitingRecord = LandedRecord & { readonly place: string };

const FIRST: InboxPlace = { request_id: '-1', stream: 'movements', record_id: '', version: 0 };

/** The next versions after a place. Each is read through its key: a plan that joins may read all records for each batch. */
export const waitingAfter = async (
  tx: Kysely<DB>,
  entity: string,
  after: InboxPlace | null,
): Promise<WaitingRecord[]> => {
  const { rows } = await sql<WaitingRecord>`
    select i.place, i.stream, i.record_id, i.version, i.request_id, r.payload, r.landed_at,
      case when i.version > 1 then (
        select f.request_id from land.records f
        where (f.entity_id, f.stream, f.record_id, f.version) = (i.entity_id, i.stream, i.record_id, 1)
      ) else i.request_id end as first_request_id
    from (
      select ctid::text as place, entity_id, stream, record_id, version, request_id from land.inbox
      where entity_id = ${entity} and ${isAfter(after)}
      order by request_id, stream, record_id, version limit ${BATCH}
    ) as i left join lateral (
      select payload, landed_at from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (i.entity_id, i.stream, i.record_id, i.version) limit 1
    ) as r on true
    order by i.request_id, i.stream, i.record_id, i.version`.execute(tx);
  for (const { payload, stream, record_id } of rows)
    assert(payload !== null, `${stream} ${record_id} waits to be booked, and its record is not there`);
  return rows;
};

const isAfter = (after: InboxPlace | null): RawBuilder<boolean> => {
  const { request_id, stream, record_id, version } = after ?? FIRST;
  return sql`(request_id, stream, record_id, version) > (${request_id}::bigint, ${stream}, ${record_id}, ${version}::int)`;
};

/**
 * Takes versions out, by the places of their rows, which only a deletion ends. They lie between two places of the inbox:
 * without these, the planner may read the whole inbox for each batch.
 */
export const takeOut = async (
  tx: Kysely<DB>,
  entity: string,
  { places, after, last }: InboxRange,
): Promise<void> => {
  if (!last || places.length === 0) return;
  const { numAffectedRows } = await sql`
    delete from land.inbox
    where entity_id = ${entity} and ${isAfter(after)}
      and (request_id, stream, record_id, version) <= (${last.request_id}::bigint, ${last.stream}, ${last.record_id}, ${last.version}::int)
      and ctid = any(${places}::text[]::tid[])`.execute(tx);
  assert(numAffectedRows === BigInt(places.length), 'a version that was booked was no longer in the inbox');
};

/** Versions between two places of the inbox, by the places of their rows in its table. */
type InboxRange = {
  readonly places: readonly string[];
  readonly after: InboxPlace | null;
  readonly last: InboxPlace | null;
};
