// The rows that a replay compares: each record's landed versions, their outcomes, and its chain of entries with their legs.
// They are read in batches, so that memory does not grow with the books.
import { type Kysely, type Nullable, type Selectable, sql } from 'kysely';
import { groupBy } from '../../base/group.ts';
import { parseExact } from '../../base/json.ts';
import type { LandedStream } from '../../base/streams.ts';
import type { DB } from '../../database/db-types.ts';

/** A landed version; `outcome` is null while it has none. */
export type VersionRow = Pick<
  Selectable<DB['land.records']>,
  'record_id' | 'version' | 'payload' | 'landed_at' | 'request_id'
> &
  Nullable<Pick<Selectable<DB['ledger.outcomes']>, 'outcome' | 'reason' | 'final' | 'rule_version'>>;

/** A stored entry; `legs` are the number, debit, credit, currency and amount of each leg, as JSON. */
export type EntryRow = Omit<Selectable<DB['ledger.entries']>, 'entity_id' | 'stream' | 'entry_number'> & {
  readonly legs: string;
};

/** All rows of one record. */
export type RecordRows = {
  readonly recordId: string;
  readonly versions: readonly VersionRow[];
  readonly entries: readonly EntryRow[];
  /** A restatement or a reopening added to its chain, at a time that no landed row shows. */
  readonly isRestated: boolean;
};

const BATCH = 1_000;

type RecordStream = { readonly entity: string; readonly stream: LandedStream };
type RecordRange = RecordStream & { readonly after: string; readonly last: string };

/** Every landed record of a stream, by id, in batches. */
export async function* recordsOf(db: Kysely<DB>, list: RecordStream): AsyncGenerator<RecordRows[]> {
  for (let after = ''; ; ) {
    const last = await lastOf(db, list, after);
    if (last === null) return;
    const range = { ...list, after, last };
    const versions = groupBy(await versionsIn(db, range), ({ record_id }) => record_id);
    const entries = groupBy(await entriesIn(db, range), ({ record_id }) => record_id);
    const restated = await restatedIn(db, range);
    yield [...versions].map(([recordId, rows]) => ({
      recordId,
      versions: rows,
      entries: entries.get(recordId) ?? [],
      isRestated: restated.has(recordId),
    }));
    after = last;
  }
}

const lastOf = async (
  db: Kysely<DB>,
  { entity, stream }: RecordStream,
  after: string,
): Promise<string | null> => {
  const { rows } = await sql<{ last: string | null }>`
    select max(record_id) as last from (
      select distinct record_id from land.records
      where entity_id = ${entity} and stream = ${stream} and record_id > ${after}
      order by record_id limit ${BATCH}
    ) as batch`.execute(db);
  return rows[0]?.last ?? null;
};

const versionsIn = async (db: Kysely<DB>, { entity, stream, after, last }: RecordRange) => {
  const { rows } = await sql<VersionRow>`
    select r.record_id, r.version, r.payload, r.landed_at, r.request_id, o.outcome, o.reason, o.final, o.rule_version
    from land.records r
    left join ledger.outcomes o using (entity_id, stream, record_id, version)
    where r.entity_id = ${entity} and r.stream = ${stream} and r.record_id > ${after} and r.record_id <= ${last}
    order by r.record_id, r.version`.execute(db);
  return rows;
};

const entriesIn = async (db: Kysely<DB>, { entity, stream, after, last }: RecordRange) => {
  const { rows } = await sql<EntryRow>`
    select e.entry_id, e.effective_at, e.recorded_at, e.period, e.original_period, e.kind, e.record_id, e.version, e.ordinal,
      e.reverses, e.undoes, e.rule_version, e.description, coalesce((
        select json_agg(json_build_array(t.leg::text, t.debit, t.credit, t.currency, trim_scale(t.amount)::text) order by t.leg)
        from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
      ), '[]')::text as legs
    from ledger.entries e
    where e.entity_id = ${entity} and e.stream = ${stream} and e.record_id > ${after} and e.record_id <= ${last}
    order by e.record_id, e.ordinal`.execute(db);
  return rows.map((row) => ({ ...row, legs: JSON.stringify(parseExact(row.legs)) }));
};

const restatedIn = async (
  db: Kysely<DB>,
  { entity, stream, after, last }: RecordRange,
): Promise<Set<string>> => {
  const { rows } = await sql<{ record_id: string }>`
    select record_id from ledger.restatements
    where entity_id = ${entity} and stream = ${stream} and record_id > ${after} and record_id <= ${last}
    union
    select e.record_id from ledger.returns join ledger.entries e using (entity_id, entry_id)
    where entity_id = ${entity} and e.stream = ${stream} and e.record_id > ${after} and e.record_id <= ${last}`.execute(
    db,
  );
  return new Set(rows.map(({ record_id }) => record_id));
};
