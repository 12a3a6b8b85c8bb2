// The landed rows of one entity, of the streams that move money, for the comparison with the world.

import { sql } from 'kysely';
import type { StreamName } from '../../src/base/streams.ts';
import type { Books } from '../../src/database/connection.ts';

export type LandedVersion = {
  readonly stream: StreamName;
  readonly scope: string;
  readonly id: string;
  readonly version: number;
  readonly digest: string;
  readonly revision: string;
  readonly recordAt: string;
};

export type Claim = {
  readonly stream: StreamName;
  readonly scope: string;
  readonly lower: string;
  readonly upper: string;
};

/** The world has no records of the others. */
const isBooked = sql`stream in (select s.stream from books_internal.streams s)`;

export const versionsOf = async (db: Books, entity: string): Promise<LandedVersion[]> => {
  const { rows } = await sql<LandedVersion>`
    select stream, scope, record_id as id, version, encode(digest, 'hex') as digest,
      coalesce(substring(payload from '"revision":"([0-9]+)"'), '?') as revision, record_at as "recordAt"
    from land.records where entity_id = ${entity} and ${isBooked} order by stream, record_id, version`.execute(
    db,
  );
  return rows;
};

/** What one run proved. */
export const claimsOf = async (db: Books, entity: string, runId: string): Promise<Claim[]> => {
  const { rows } = await sql<Claim>`
    select stream, scope, lower(covered) as lower, upper(covered) as upper
    from land.leaves where entity_id = ${entity} and ${isBooked} and run_id = ${runId}::uuid`.execute(db);
  return rows;
};

/** Everything that the coverage claims to be complete. */
export const coverageOf = async (db: Books, entity: string): Promise<Claim[]> => {
  const { rows } = await sql<Claim>`
    select stream, scope, lower(part) as lower, upper(part) as upper
    from land.coverage cross join lateral unnest(covered) as part where entity_id = ${entity} and ${isBooked}`.execute(
    db,
  );
  return rows;
};

type FindingText = { readonly subject: string; readonly detail: string };

/** Every finding, of any run. */
export const findingsOf = async (db: Books, entity: string): Promise<FindingText[]> => {
  const { rows } = await sql<FindingText>`
    select subject, detail from run.findings where entity_id = ${entity} and severity = 'finding'`.execute(
    db,
  );
  return rows;
};

/** Pages read of each list by each run, with the number of new records. */
export const pagesOf = async (db: Books, entity: string) => {
  const { rows } = await sql<{
    run_id: string;
    stream: StreamName;
    scope: string;
    pages: number;
    fresh: number;
  }>`
    select q.run_id, p.stream, p.scope, count(*)::int as pages, sum(p.fresh)::int as fresh
    from land.pages p join land.requests q using (entity_id, request_id, stream) where p.entity_id = ${entity} and ${isBooked}
    group by 1, 2, 3`.execute(db);
  return rows;
};
