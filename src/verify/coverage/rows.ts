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

/** Every landed version without its payload, which the database compares with its digest. */
export const readVersions = async (db: Kysely<DB>, list: ListName): Promise<VersionRow[]> => {
  const { rows } = await sql<VersionRow>`
    select record_id as "recordId", version, encode(digest, 'hex') as digest, record_at as "recordAt", landed_at as "landedAt",
      request_id, sha256(convert_to(payload, 'UTF8')) = digest as is_sound
    from land.records
    where entity_id = ${list.entity_id} and stream = ${list.stream} and scope = ${list.scope}
    order by request_id`.execute(db);
  return rows;
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
