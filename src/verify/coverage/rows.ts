// The rows from which a certificate is recomputed, as they are now.
import { type Kysely, type Selectable, sql } from 'kysely';
import type { DB } from '../../database/db-types.ts';
import type { RequestRow } from '../../land/certificate.ts';
import type { CountedVersion } from '../../land/records.ts';

/** Which lists to verify; without a field, all. */
export type ListFilter = { readonly entity?: string | undefined; readonly stream?: string | undefined };

export type ListName = {
  readonly entity_id: string;
  readonly stream: string;
  readonly scope: string;
  readonly page_seal: string;
  readonly leaf_seal: string;
  readonly covered_to: string | null;
  readonly landed: number | null;
  readonly records_sum: string | null;
  readonly newest_at: string | null;
};

export type PageRow = Selectable<DB['land.pages']> &
  Omit<RequestRow, 'target'> & { readonly target: string | null };
export type LeafRow = Omit<Selectable<DB['land.leaves']>, 'covered' | 'proof'> & {
  readonly proof: 'window' | 'split' | 'list' | 'cursor';
  readonly lower: string;
  readonly upper: string;
};

export type VersionRow = CountedVersion & { readonly request_id: string; readonly is_sound: boolean };

/** The lists that have a certificate, or anything landed without one. */
export const readLists = async (db: Kysely<DB>, { entity, stream }: ListFilter): Promise<ListName[]> => {
  const { rows } = await sql<ListName>`
    with landed as (
      select entity_id, stream, scope from land.records
      union select entity_id, stream, scope from land.pages
      union select entity_id, stream, scope from land.leaves
    )
    select entity_id, stream, scope, coalesce(page_seal, '') as page_seal, coalesce(leaf_seal, '') as leaf_seal,
      upper(covered) as covered_to, coverage.landed, records_sum, newest_at
    from land.coverage full join landed using (entity_id, stream, scope)
    where (${entity ?? null}::text is null or entity_id = ${entity ?? null}) and (${stream ?? null}::text is null or stream = ${stream ?? null})
    order by entity_id collate "C", stream collate "C", scope collate "C"`.execute(db);
  return rows;
};

/** The pages of a list in the order in which they were landed, each with its request. */
export const readPages = async (db: Kysely<DB>, list: ListName): Promise<PageRow[]> => {
  const { rows } = await sql<PageRow>`
    select q.*, p.*
    from land.pages p
    left join land.requests q on (q.entity_id, q.request_id, q.stream, q.scope) = (p.entity_id, p.request_id, p.stream, p.scope)
    where p.entity_id = ${list.entity_id} and p.stream = ${list.stream} and p.scope = ${list.scope}
    order by p.request_id`.execute(db);
  return rows;
};

/** The requests of a list that have no page. */
export const readStrayRequests = async (db: Kysely<DB>, list: ListName): Promise<string[]> => {
  const { rows } = await sql<{ request_id: string }>`
    select q.request_id from land.requests q
    where q.entity_id = ${list.entity_id} and q.stream = ${list.stream} and q.scope = ${list.scope}
      and not exists (select from land.pages p where (p.entity_id, p.request_id) = (q.entity_id, q.request_id))
    order by q.request_id`.execute(db);
  return rows.map((row) => row.request_id);
};

export const readLeaves = async (db: Kysely<DB>, list: ListName): Promise<LeafRow[]> => {
  const { rows } = await sql<LeafRow>`
    select *, lower(covered) as lower, upper(covered) as upper from land.leaves
    where entity_id = ${list.entity_id} and stream = ${list.stream} and scope = ${list.scope}
    order by leaf_id`.execute(db);
  return rows;
};

/** Requests after `after`, from the least number if null, up to and including `through`, whose pages say that they landed `brought` versions. */
export type RequestRange = {
  readonly after: string | null;
  readonly through: string;
  readonly brought: number;
};

/**
 * The versions that some requests landed, without the payload, which the database compares with its digest. Of more than their
 * pages say, the first one too many is enough to find where they differ.
 */
export const readVersions = async (
  db: Kysely<DB>,
  list: ListName,
  { after, through, brought }: RequestRange,
): Promise<VersionRow[]> => {
  const { rows } = await sql<VersionRow>`
    select record_id as "recordId", version, encode(digest, 'hex') as digest, record_at as "recordAt", landed_at as "landedAt",
      request_id, sha256(convert_to(payload, 'UTF8')) = digest as is_sound
    from land.records
    where entity_id = ${list.entity_id} and stream = ${list.stream} and scope = ${list.scope}
      and (${after}::bigint is null or request_id > ${after}::bigint) and request_id <= ${through}::bigint
    order by request_id
    limit ${brought + 1}`.execute(db);
  return rows;
};

/** Records dated in [lower, upper), in the version that the requests up to `request_id` had landed. */
type ProvedPart = Pick<LeafRow, 'lower' | 'upper' | 'request_id'>;
const BATCH = 10_000;

/** The latest version of each record in a part of a list, as of the moment when the part was proved: in order of time, in batches. */
export async function* versionsInside(
  db: Kysely<DB>,
  list: ListName,
  part: ProvedPart,
): AsyncGenerator<CountedVersion[]> {
  let last = { recordAt: part.lower, recordId: '', version: 0 };
  for (;;) {
    const batch = await versionsAfter(db, list, { ...part, last });
    if (batch.length > 0) yield batch;
    if (batch.length < BATCH) return;
    const { recordAt, recordId, version } = batch.at(-1) as CountedVersion;
    last = { recordAt: recordAt ?? part.upper, recordId, version };
  }
}

type VersionPlace = { readonly recordAt: string; readonly recordId: string; readonly version: number };

const versionsAfter = async (
  db: Kysely<DB>,
  list: ListName,
  { lower, upper, request_id, last }: ProvedPart & { readonly last: VersionPlace },
): Promise<CountedVersion[]> => {
  const { rows } = await sql<CountedVersion>`
    select r.record_id as "recordId", r.version, encode(r.digest, 'hex') as digest, r.record_at as "recordAt", r.landed_at as "landedAt"
    from land.records r
    where r.entity_id = ${list.entity_id} and r.stream = ${list.stream} and r.scope = ${list.scope}
      and r.record_at >= ${last.recordAt}::timestamptz and r.record_at < ${upper}::timestamptz and r.request_id <= ${request_id}::bigint
      and (r.record_at, r.record_id, r.version) > (${last.recordAt}::timestamptz, ${last.recordId}::text, ${last.version}::int)
      and not exists (
        select from land.records newer
        where (newer.entity_id, newer.stream, newer.record_id) = (r.entity_id, r.stream, r.record_id) and newer.scope = r.scope
          and newer.version > r.version and newer.record_at >= ${lower}::timestamptz and newer.record_at < ${upper}::timestamptz
          and newer.request_id <= ${request_id}::bigint
      )
    order by r.record_at, r.record_id, r.version
    limit ${BATCH}`.execute(db);
  return rows;
};

type ListTotals = { readonly records: number; readonly newest_at: string | null };

/** How many records a list has, and the time of the newest version. */
export const readTotals = async (db: Kysely<DB>, list: ListName): Promise<ListTotals> => {
  const { rows } = await sql<ListTotals>`
    select count(distinct record_id)::int as records, max(record_at) as newest_at from land.records
    where entity_id = ${list.entity_id} and stream = ${list.stream} and scope = ${list.scope}`.execute(db);
  return rows[0] ?? { records: 0, newest_at: null };
};

const SHOWN_MAX = 3;

/** Versions with an outcome in the ledger that are no longer landed. */
export const readMissing = async (db: Kysely<DB>, list: ListName): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select 'record ' || o.record_id || ', version ' || o.version as name
    from ledger.outcomes o
    where o.entity_id = ${list.entity_id} and o.stream = ${list.stream} and not exists (
      select from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (o.entity_id, o.stream, o.record_id, o.version)
    )
    order by o.record_id, o.version limit ${SHOWN_MAX}`.execute(db);
  return rows.map(({ name }) => name);
};
