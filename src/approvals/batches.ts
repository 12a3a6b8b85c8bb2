// Export batches: the entries that a person exports to an accounting package. The lines are written first, then the
// batch, all in one transaction. Its number is the next of its entity and year, and a batch never changes.
import { type Insertable, type Kysely, sql } from 'kysely';
import { insertRows } from '../database/database.ts';
import type { DB, DecideBatchLines } from '../database/db-types.ts';

/** The key of a batch: entity, year `2026`, and its number in them. */
export type BatchKey = { readonly entity: string; readonly year: string; readonly number: number };

/** What is stored of a batch. `settings` and `facts` are canonical JSON; `at` is an instant in UTC. */
type Batch = {
  readonly package: string;
  readonly period: string;
  readonly currency: string;
  readonly timezone: string;
  readonly mapSha256: string;
  readonly settings: string;
  readonly facts: string;
  readonly summary: string | null;
  readonly by: string;
  readonly at: string;
};

/** A line as it was exported: `day` is 2026-10-31, `value` debit positive with two decimals. */
export type BatchLine = Omit<Insertable<DecideBatchLines>, 'entity_id' | 'year' | 'batch_number'>;

/** The next batch number of an entity and year. The caller holds the writer lock. */
export const nextBatchNumber = async (
  tx: Kysely<DB>,
  { entity, year }: Omit<BatchKey, 'number'>,
): Promise<number> => {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(batch_number), 0) + 1 as next from decide.batches
    where entity_id = ${entity} and year = ${year}::int`.execute(tx);
  return rows[0]?.next ?? 1;
};

/** Adds lines to a batch that is not written yet. */
export const addBatchLines = (
  tx: Kysely<DB>,
  { entity, year, number }: BatchKey,
  lines: readonly BatchLine[],
): Promise<void> =>
  insertRows(
    tx,
    'decide.batch_lines',
    lines.map((line) => ({
      entity_id: entity,
      year: Number.parseInt(year, 10),
      batch_number: number,
      ...line,
    })),
  );

/** Writes the batch of lines added before: no further line can be added. */
export const writeBatch = async (
  tx: Kysely<DB>,
  { entity, year, number }: BatchKey,
  batch: Batch & { readonly entries: number; readonly lines: number },
): Promise<void> => {
  await sql`
    insert into decide.batches (entity_id, year, batch_number, package, period, currency, timezone, map_sha256, settings,
      facts, summary, entries, lines, by_name, at)
    values (${entity}, ${year}::int, ${number}, ${batch.package}, ${batch.period}, ${batch.currency}, ${batch.timezone}, ${batch.mapSha256},
      ${batch.settings}, ${batch.facts}, ${batch.summary}, ${batch.entries}, ${batch.lines}, ${batch.by}, ${batch.at}::timestamptz)`.execute(
    tx,
  );
};

/** Records that a batch was exported again. */
export const writeBatchCopy = async (
  tx: Kysely<DB>,
  { entity, year, number }: BatchKey,
  { by, at: instant }: { readonly by: string; readonly at: string },
): Promise<void> => {
  await sql`
    insert into decide.batch_copies (entity_id, year, batch_number, by_name, at)
    values (${entity}, ${year}::int, ${number}, ${by}, ${instant}::timestamptz)`.execute(tx);
};
