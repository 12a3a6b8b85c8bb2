// The ledger: posts entries and reads the standing ones. Entries and their legs are added, never changed: a wrong entry is
// corrected by a reversal, equal and opposite, that names it.
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { copyBatch, insertOfColumns } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { dailyAddition, emptyDaily, fillDaily } from './daily.ts';
import type { Kind, Leg } from './entry.ts';
import type { Entry, Standing } from './posting.ts';

const ENTRY_COLUMNS = {
  entity_id: 'text',
  entry_id: 'uuid',
  effective_at: 'timestamptz',
  recorded_at: 'timestamptz',
  period: 'text',
  kind: 'text',
  stream: 'text',
  record_id: 'text',
  version: 'int4',
  ordinal: 'int4',
  reverses: 'uuid',
  undoes: 'uuid',
  rule_version: 'int4',
  description: 'text',
  original_period: 'text',
};

/** Adds entries with their legs, in bulk, and updates the daily summary. Fails on an entry that exists already. */
export const post = (tx: Kysely<DB>, entries: readonly Entry[]): Promise<void> => preparePost(entries)(tx);

/** The same in two steps, so that the rows are laid out while the database still works on other entries. */
export const preparePost = (entries: readonly Entry[]): ((tx: Kysely<DB>) => Promise<void>) => {
  if (entries.length === 0) return async () => {};
  const [insertEntries, storeLegs, addDaily] = [
    entriesInsert(entries),
    legsOf(entries),
    dailyAddition(entries),
  ];
  return async (tx) => {
    await insertEntries.execute(tx);
    await storeLegs(tx);
    await addDaily.execute(tx);
  };
};

const entriesInsert = (entries: readonly Entry[]): RawBuilder<unknown> => {
  const rows = entries.map((entry) => ({
    entity_id: entry.entity,
    entry_id: entry.id,
    effective_at: entry.effectiveAt,
    recorded_at: entry.recordedAt,
    period: entry.period,
    kind: entry.kind,
    stream: entry.stream,
    record_id: entry.recordId,
    version: entry.version,
    ordinal: entry.ordinal,
    reverses: entry.reverses,
    undoes: entry.undoes,
    rule_version: entry.ruleVersion,
    description: entry.description,
    original_period: entry.originalPeriod,
  }));
  return insertOfColumns('ledger.entries', rows, ENTRY_COLUMNS);
};

const legsOf = (entries: readonly Entry[]): ((tx: Kysely<DB>) => Promise<void>) => {
  const transfers = copyBatch('ledger.transfers');
  for (const { entity, id, legs } of entries)
    for (const [index, { debit, credit, currency, amount }] of legs.entries())
      transfers.add({ entity_id: entity, entry_id: id, leg: index + 1, debit, credit, currency, amount });
  return transfers.take();
};

/**
 * Deletes every entry, to be posted again from landed records, except those of the records in the table `keptTable`
 * (entity_id, stream, record_id). Only a rebuild does this. Deleted and not truncated: a truncated table blocks readers, and
 * is empty for those that began before.
 */
export const emptyLedger = async (tx: Kysely<DB>, keptTable: string): Promise<void> => {
  await sql`
    create temporary table kept_entries on commit drop as
    select e.* from ledger.entries e join ${sql.table(keptTable)} using (entity_id, stream, record_id)`.execute(
    tx,
  );
  await sql`
    create temporary table kept_transfers on commit drop as
    select t.* from ledger.transfers t join pg_temp.kept_entries using (entity_id, entry_id)`.execute(tx);
  await sql`
    create temporary table former_numbers on commit drop as
    select entity_id, entry_id, entry_number from ledger.entries`.execute(tx);
  await sql`delete from ledger.transfers`.execute(tx);
  await sql`delete from ledger.entries`.execute(tx);
  await emptyDaily(tx);
  await sql`insert into ledger.entries select * from pg_temp.kept_entries`.execute(tx);
  await sql`insert into ledger.transfers select * from pg_temp.kept_transfers`.execute(tx);
  await fillDaily(tx);
};

/**
 * Gives entries that were posted again, in the transaction that emptied the ledger, the numbers that they had. A past run knows
 * which entries it booked by their numbers alone.
 */
export const restoreNumbers = async (tx: Kysely<DB>): Promise<void> => {
  await sql`
    update ledger.entries e set entry_number = f.entry_number from pg_temp.former_numbers f
    where (e.entity_id, e.entry_id) = (f.entity_id, f.entry_id) and e.entry_number <> f.entry_number`.execute(
    tx,
  );
};

/** What stands of some records of one stream, by record id; absent if nothing was ever booked. */
export const standing = async (
  tx: Kysely<DB>,
  records: { readonly entity: string; readonly stream: string; readonly recordIds: readonly string[] },
): Promise<Map<string, Standing>> => {
  if (records.recordIds.length === 0) return new Map();
  const { rows } = await sql<StandingRow>`
    select distinct on (e.record_id) e.*, (
      select json_agg(json_build_array(t.debit, t.credit, t.currency, t.amount::text) order by t.leg)::text
      from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
    ) as legs
    from ledger.entries e
    where e.entity_id = ${records.entity} and e.stream = ${records.stream} and e.record_id = any(${records.recordIds}::text[])
    order by e.record_id, e.ordinal desc`.execute(tx);
  const reversed = await chainsOf(tx, {
    entity: records.entity,
    keys: rows.filter(({ reverses }) => reverses !== null),
  });
  return new Map(
    rows.map((row) => {
      const chain = reversed.get(keyOf(row));
      return [
        row.record_id,
        { last: entryFrom(row), reversed: chain?.find(({ id }) => id === row.reverses) ?? null },
      ];
    }),
  );
};

type RecordKey = { readonly stream: string; readonly record_id: string };

const keyOf = ({ stream, record_id }: RecordKey): string => JSON.stringify([stream, record_id]);

/** All entries of some records, in order, by the JSON of stream and record id. */
export const chainsOf = async (
  tx: Kysely<DB>,
  query: {
    readonly entity: string;
    readonly keys: readonly RecordKey[];
  },
): Promise<Map<string, Entry[]>> => {
  if (query.keys.length === 0) return new Map();
  const text = (values: readonly string[]) => sql`${values}::text[]`;
  const { rows } = await sql<StandingRow>`
    select e.*, (
      select json_agg(json_build_array(t.debit, t.credit, t.currency, t.amount::text) order by t.leg)::text
      from ledger.transfers t where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id)
    ) as legs
    from unnest(${text(query.keys.map(({ stream }) => stream))}, ${text(query.keys.map(({ record_id }) => record_id))}) as key (stream, record_id)
    join ledger.entries e on e.entity_id = ${query.entity} and (e.stream, e.record_id) = (key.stream, key.record_id)
    order by e.stream, e.record_id, e.ordinal`.execute(tx);
  const chains = groupBy(rows, keyOf);
  return new Map([...chains].map(([key, chain]) => [key, chain.map(entryFrom)]));
};

type StandingRow = Omit<Selectable<DB['ledger.entries']>, 'kind' | 'entry_number'> & {
  kind: Kind;
  legs: string;
};

const entryFrom = (row: StandingRow): Entry => ({
  entity: row.entity_id,
  id: row.entry_id,
  effectiveAt: row.effective_at,
  recordedAt: row.recorded_at,
  period: row.period,
  originalPeriod: row.original_period,
  kind: row.kind,
  stream: row.stream,
  recordId: row.record_id,
  version: row.version,
  ordinal: row.ordinal,
  reverses: row.reverses,
  undoes: row.undoes,
  ruleVersion: row.rule_version,
  description: row.description,
  legs: (JSON.parse(row.legs) as [string, string, string, string][]).map(
    ([debit, credit, currency, amount]): Leg => ({ debit, credit, currency, amount }),
  ),
});
