// Records, by version: new, same or changed, told by the digest of canonical JSON against the latest version only,
// since a value that changes and changes back is two changes.
import { type Kysely, sql } from 'kysely';
import { canonical, sha256, storable } from '../base/json.ts';
import { type LandedStream, recordIdOf, timeFieldOf, type WireRecord } from '../base/streams.ts';
import { isoOf, nowMs, readInstant } from '../base/time.ts';
import { insertRows } from '../database/database.ts';
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
  const versions: RecordVersion[] = [];
  for (const candidate of received) {
    const known = latest.get(candidate.recordId);
    if (known?.digest === candidate.digest) continue;
    const version = (known?.version ?? 0) + 1;
    latest.set(candidate.recordId, { version, digest: candidate.digest });
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

const latestVersions = async (tx: Kysely<DB>, to: RecordKey, ids: readonly string[]) => {
  const { rows } = await sql<{ record_id: string; version: number; digest: string }>`
    select id as record_id, latest.version, latest.digest
    from unnest(${ids}::text[]) as id cross join lateral (
      select version, encode(digest, 'hex') as digest from land.records
      where entity_id = ${to.entity} and stream = ${to.stream} and record_id = id
      order by version desc limit 1
    ) as latest`.execute(tx);
  return new Map(rows.map(({ record_id, version, digest }) => [record_id, { version, digest }]));
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
  const keyOf = ({ recordId, version }: RecordVersion) => ({
    entity_id: to.entity,
    stream: to.stream,
    record_id: recordId,
    version,
  });
  await insertRows(
    tx,
    'land.records',
    versions.map((version) => ({
      ...keyOf(version),
      scope: to.scope,
      digest: `\\x${version.digest}`,
      payload: version.payload,
      record_at: version.recordAt,
      landed_at: landedAt,
      request_id: requestId,
    })),
  );
  await insertRows(
    tx,
    'land.inbox',
    versions.map((version) => ({ ...keyOf(version), request_id: requestId })),
  );
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
