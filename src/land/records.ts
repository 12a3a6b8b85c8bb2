// Records, by version: new, same or changed, told by the digest of canonical JSON against the latest version only,
// since a value that changes and changes back is two changes.
import { type Kysely, sql } from 'kysely';
import { canonical, parseExact, sha256, storable } from '../base/json.ts';
import { type LandedStream, recordIdOf, timeFieldOf, type WireRecord } from '../base/streams.ts';
import { isoOf, nowMs, readInstant } from '../base/time.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { type Person, seal } from '../privacy/people.ts';
import { storePeople } from './people.ts';

type RecordKey = {
  readonly entity: string;
  readonly stream: LandedStream;
  readonly scope: string;
  readonly key: Buffer;
};

type RecordVersion = Omit<CountedVersion, 'landedAt'> & {
  readonly payload: string;
  readonly people: readonly Person[];
};

/** A version as the certificate counts it; instants as they read back. */
export type CountedVersion = {
  readonly recordId: string;
  readonly version: number;
  readonly digest: string;
  readonly recordAt: string | null;
  readonly landedAt: string;
};

type LandedRecords = {
  readonly fresh: number;
  readonly changed: number;
  readonly versions: readonly CountedVersion[];
};

/** Lands one page's rows. Returns how many ids were never seen before, and how many known ones changed. */
export const landRecords = async (
  tx: Kysely<DB>,
  to: RecordKey,
  page: { readonly rows: readonly WireRecord[]; readonly requestId: string },
): Promise<LandedRecords> => {
  if (page.rows.length === 0) return { fresh: 0, changed: 0, versions: [] };
  const landedAt = isoOf(nowMs());
  const received = page.rows.map((row) => versionOf(to, row));
  const latest = await latestVersions(
    tx,
    to,
    received.map((it) => it.recordId),
  );
  const richer = await singleAnswers(
    tx,
    to,
    received.flatMap(({ recordId, digest }) => {
      const known = latest.get(recordId);
      return known && known.digest !== digest ? [{ record_id: recordId, version: known.version }] : [];
    }),
    page.requestId,
  );
  const versions: RecordVersion[] = [];
  for (const candidate of received) {
    const known = latest.get(candidate.recordId);
    if (known?.digest === candidate.digest) continue;
    if (isPartOf(candidate.payload, richer.get(candidate.recordId))) continue;
    const version = (known?.version ?? 0) + 1;
    latest.set(candidate.recordId, { version, digest: candidate.digest });
    richer.delete(candidate.recordId);
    versions.push({ ...candidate, version });
  }
  await store(tx, to, { versions, requestId: page.requestId, landedAt });
  return {
    fresh: versions.filter((version) => version.version === 1).length,
    changed: versions.filter((version) => version.version > 1).length,
    versions: versions.map((version) => ({ ...version, landedAt })),
  };
};

const versionOf = (to: RecordKey, row: WireRecord): Omit<RecordVersion, 'version'> => {
  const { payload, people } = seal(row, to.key, to.stream);
  const text = canonical(payload);
  return {
    recordId: storable(recordIdOf(to.stream, row)),
    digest: sha256(text),
    payload: text,
    recordAt: readInstant(row[timeFieldOf(to.stream)]),
    people,
  };
};

/** No version is above this one. */
const VERSION_MAX = 2_147_483_647;

/**
 * The latest version of each id: the last one at or before its key. In this form only the primary key serves, whatever the
 * planner knows: of a table that was empty a moment ago, an index that finds a whole list looks just as good.
 */
const latestVersions = async (tx: Kysely<DB>, to: RecordKey, ids: readonly string[]) => {
  const { rows } = await sql<{ record_id: string; version: number; digest: string }>`
    select id as record_id, latest.version, encode(latest.digest, 'hex') as digest
    from unnest(${ids}::text[]) as id cross join lateral (
      select stream, record_id, version, digest from land.records
      where entity_id = ${to.entity} and (stream, record_id, version) <= (${to.stream}::text, id, ${VERSION_MAX}::int)
      order by stream desc, record_id desc, version desc limit 1
    ) as latest
    where (latest.stream, latest.record_id) = (${to.stream}::text, id)`.execute(tx);
  return new Map(rows.map(({ record_id, version, digest }) => [record_id, { version, digest }]));
};

/** Where the target of a request for one wallet transaction alone begins. */
export const SINGLE_ANSWER = '/v1/wallet/transaction/';

/**
 * Of some versions, the payloads that were answers for one record alone; none if the page is such an answer too. The
 * gateway's answer for one wallet transaction has members that its row in the list lacks.
 */
const singleAnswers = async (
  tx: Kysely<DB>,
  { entity, stream }: RecordKey,
  versions: readonly { readonly record_id: string; readonly version: number }[],
  requestId: string,
): Promise<Map<string, string>> => {
  if (stream !== 'wallet-transactions' || versions.length === 0) return new Map();
  const { rows } = await sql<{ record_id: string; payload: string }>`
    select r.record_id, r.payload
    from ${unnest(versions, { record_id: 'text', version: 'int4' })}
    join land.records r on (r.entity_id, r.stream, r.record_id, r.version) = (${entity}, ${stream}, input.record_id, input.version)
    join land.requests q on (q.entity_id, q.request_id) = (r.entity_id, r.request_id)
    join land.requests page on (page.entity_id, page.request_id) = (${entity}, ${requestId}::bigint)
    where starts_with(q.target, ${SINGLE_ANSWER}) and not starts_with(page.target, ${SINGLE_ANSWER})`.execute(
    tx,
  );
  return new Map(rows.map(({ record_id, payload }) => [record_id, payload]));
};

const membersOf = (payload: string) => parseExact(payload) as Readonly<Record<string, unknown>>;

/** Whether each member of a payload is equal in another. Both are canonical JSON, with numbers as text. */
const isPartOf = (payload: string, whole: string | undefined): boolean => {
  if (whole === undefined) return false;
  const members = membersOf(whole);
  const names = Object.keys(membersOf(payload)).filter((name) => name in members);
  return canonical(Object.fromEntries(names.map((name) => [name, members[name]]))) === payload;
};

const store = async (
  tx: Kysely<DB>,
  to: RecordKey,
  page: {
    readonly versions: readonly RecordVersion[];
    readonly requestId: string;
    readonly landedAt: string;
  },
): Promise<void> => {
  const { versions, requestId, landedAt } = page;
  const rows = versions.map(({ recordId, version, digest, payload, recordAt }) => ({
    record_id: recordId,
    version,
    digest: `\\x${digest}`,
    payload,
    record_at: recordAt,
  }));
  if (rows.length > 0) await insertVersions(tx, to, { json: JSON.stringify(rows), requestId, landedAt });
  const people = versions.flatMap((version) =>
    version.people.map(({ path, value }) => ({
      record_id: version.recordId,
      version: version.version,
      path,
      value,
    })),
  );
  await storePeople(tx, to, people);
};

/** Adds versions, and puts each into the inbox of what is to be booked. */
const insertVersions = async (
  tx: Kysely<DB>,
  { entity, stream, scope }: RecordKey,
  page: { readonly json: string; readonly requestId: string; readonly landedAt: string },
): Promise<void> => {
  await sql`
    with landed as (
      insert into land.records (entity_id, stream, record_id, version, scope, digest, payload, record_at, landed_at, request_id)
      select ${entity}, ${stream}, r.record_id, r.version, ${scope}, r.digest, r.payload, r.record_at, ${page.landedAt}::timestamptz,
        ${page.requestId}::bigint
      from json_populate_recordset(null::land.records, ${page.json}::json) as r
      returning entity_id, stream, record_id, version, request_id
    )
    insert into land.inbox (entity_id, stream, record_id, version, request_id)
    select entity_id, stream, record_id, version, request_id from landed`.execute(tx);
};
