// Records, by version: new, same or changed, by comparing the digest of canonical JSON with the latest version only,
// since a value that changes and changes back is two changes.
import assert from 'node:assert/strict';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { canonical, parseExact, sha256 } from '../base/json.ts';
import { ID_MAX, keyText } from '../base/key-text.ts';
import {
  type LandedStream,
  recordIdOf,
  SINGLE_ANSWER,
  timeFieldOf,
  type WireRecord,
} from '../base/streams.ts';
import { readInstant } from '../base/time.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { type Person, seal } from '../privacy/people.ts';
import { peopleInsert } from './people.ts';

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

/** The versions that a page adds. `landedAt` is the time of all of them, by the database's clock: several hosts may land. */
export type NewVersions = {
  readonly fresh: number;
  readonly changed: number;
  readonly versions: readonly (RecordVersion & CountedVersion)[];
  /** The ids that the page shows more than once, with different content: its last one counts. */
  readonly contradictory: readonly string[];
};

export const NO_VERSIONS: NewVersions = { fresh: 0, changed: 0, versions: [], contradictory: [] };

/**
 * The versions to add for one page's rows, and how many ids were never seen before or are known and changed. `target` is that
 * of the page's request.
 */
export const newVersions = async (
  tx: Kysely<DB>,
  to: RecordKey,
  page: { readonly rows: readonly WireRecord[]; readonly target: string },
): Promise<NewVersions> => {
  if (page.rows.length === 0) return NO_VERSIONS;
  const received = page.rows.map((row) => versionOf(to, row));
  const { latest, landedAt } = await latestVersions(
    tx,
    to,
    received.map((it) => it.recordId),
  );
  const known = received.flatMap(({ recordId, digest }) => {
    const last = latest.get(recordId);
    return last && last.digest !== digest ? [{ record_id: recordId, version: last.version }] : [];
  });
  const richer = page.target.startsWith(SINGLE_ANSWER) ? new Map() : await singleAnswers(tx, to, known);
  const versions: (RecordVersion & CountedVersion)[] = [];
  for (const candidate of received) {
    const last = latest.get(candidate.recordId);
    if (last?.digest === candidate.digest) continue;
    if (isPartOf(candidate.payload, richer.get(candidate.recordId))) continue;
    const version = (last?.version ?? 0) + 1;
    latest.set(candidate.recordId, { version, digest: candidate.digest });
    richer.delete(candidate.recordId);
    versions.push({ ...candidate, version, landedAt });
  }
  const fresh = versions.filter((version) => version.version === 1).length;
  return { fresh, changed: versions.length - fresh, versions, contradictory: contradictoryIn(received) };
};

const contradictoryIn = (received: readonly Omit<RecordVersion, 'version'>[]): string[] => {
  const digests = new Map(received.map(({ recordId, digest }) => [recordId, digest]));
  const others = received.filter(({ recordId, digest }) => digests.get(recordId) !== digest);
  return [...new Set(others.map(({ recordId }) => recordId))];
};

const versionOf = (to: RecordKey, row: WireRecord): Omit<RecordVersion, 'version'> => {
  const { payload, people } = seal(row, to.key, to.stream);
  const text = canonical(payload);
  return {
    recordId: keyText(recordIdOf(to.stream, row), ID_MAX),
    digest: sha256(text),
    payload: text,
    recordAt: readInstant(row[timeFieldOf(to.stream)]),
    people,
  };
};

/** No version is above this one. */
const VERSION_MAX = 2_147_483_647;

/**
 * The database's time, and the latest version of each id: the last one at or before its key. In this form only the primary key serves, whatever the
 * planner knows: of a table that was empty a moment ago, an index that finds a whole list looks just as good.
 */
const latestVersions = async (tx: Kysely<DB>, to: RecordKey, ids: readonly string[]) => {
  const { rows } = await sql<{
    landed_at: string;
    record_id: string;
    version: number | null;
    digest: string | null;
  }>`
    select date_trunc('milliseconds', statement_timestamp()) as landed_at, id as record_id, latest.version,
      encode(latest.digest, 'hex') as digest
    from unnest(${ids}::text[]) as id left join lateral (
      select stream, record_id, version, digest from land.records
      where entity_id = ${to.entity} and (stream, record_id, version) <= (${to.stream}::text, id, ${VERSION_MAX}::int)
      order by stream desc, record_id desc, version desc limit 1
    ) as latest on (latest.stream, latest.record_id) = (${to.stream}::text, id)`.execute(tx);
  const landedAt = rows[0]?.landed_at;
  assert(landedAt, 'a page has records');
  const known = rows.flatMap(({ record_id, version, digest }) =>
    version === null || digest === null ? [] : ([[record_id, { version, digest }]] as const),
  );
  return { latest: new Map(known), landedAt };
};

/**
 * Of some versions, the payloads that were answers for one record alone. The gateway's answer for one wallet transaction has
 * members that its row in the list lacks.
 */
const singleAnswers = async (
  tx: Kysely<DB>,
  { entity, stream }: RecordKey,
  versions: readonly { readonly record_id: string; readonly version: number }[],
): Promise<Map<string, string>> => {
  if (stream !== 'wallet-transactions' || versions.length === 0) return new Map();
  const { rows } = await sql<{ record_id: string; payload: string }>`
    select r.record_id, r.payload
    from ${unnest(versions, { record_id: 'text', version: 'int4' })}
    join land.records r on (r.entity_id, r.stream, r.record_id, r.version) = (${entity}, ${stream}, input.record_id, input.version)
    join land.requests q on (q.entity_id, q.request_id) = (r.entity_id, r.request_id)
    where starts_with(q.target, ${SINGLE_ANSWER})`.execute(tx);
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

/**
 * The parts of a statement that add a page's versions, put each into the inbox of what is to be booked, and store their personal
 * values. They read the page's request from its part `request`.
 */
export const versionParts = (to: RecordKey, versions: NewVersions['versions']): RawBuilder<unknown>[] => {
  const [first] = versions;
  if (!first) return [];
  const people = peopleIn(versions);
  return [
    sql`landed as (${recordsInsert(to, versions, first.landedAt)})`,
    sql`waiting as (
      insert into land.inbox (entity_id, stream, record_id, version, request_id)
      select entity_id, stream, record_id, version, request_id from landed
    )`,
    ...(people.length > 0 ? [sql`persons as (${peopleInsert(to, people)})`] : []),
  ];
};

/** The personal values of the versions that a page adds. */
export const peopleIn = (versions: NewVersions['versions']) =>
  versions.flatMap(({ recordId, version, people }) =>
    people.map(({ path, value }) => ({ record_id: recordId, version, path, value })),
  );

const recordsInsert = (
  { entity, stream, scope }: RecordKey,
  versions: NewVersions['versions'],
  landedAt: string,
): RawBuilder<unknown> => {
  const rows = versions.map(({ recordId, version, digest, payload, recordAt }) => ({
    record_id: recordId,
    version,
    digest: `\\x${digest}`,
    payload,
    record_at: recordAt,
  }));
  return sql`
    insert into land.records (entity_id, stream, record_id, version, scope, digest, payload, record_at, landed_at, request_id)
    select ${entity}, ${stream}, r.record_id, r.version, ${scope}, r.digest, r.payload, r.record_at, ${landedAt}::timestamptz,
      request.request_id
    from json_populate_recordset(null::land.records, ${JSON.stringify(rows)}::json) as r cross join request
    returning entity_id, stream, record_id, version, request_id`;
};
