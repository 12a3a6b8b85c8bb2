// Batches: what a person exports to an accounting package. Lines first, then the batch that names them, all in one
// transaction; a number is the next of its entity and year, and nothing of it is ever changed.
import { type Insertable, type Kysely, sql } from 'kysely';
import type { DB, DecideBatchLines } from '../database/db-types.ts';
import { insertRows } from '../database/insert.ts';

/** A batch is named by entity, year `2026` and its number there. */
export type BatchKey = { readonly entity: string; readonly year: string; readonly number: number };

/** What is kept of a batch beside its lines. `settings` is canonical JSON; `at` an instant in UTC. */
export type Batch = {
  readonly package: string;
  readonly period: string;
  readonly currency: string;
  readonly timezone: string;
  readonly mapSha256: string;
  readonly settings: string;
  readonly by: string;
  readonly at: string;
};

/** A line as it was exported: `day` is 2026-10-31, `value` debit positive with two decimals. */
export type BatchLine = Omit<Insertable<DecideBatchLines>, 'entity_id' | 'year' | 'batch_number'>;

/** The number that the next batch of an entity and year will have. The caller holds the writer's lock. */
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

/** Names the batch of the lines added before: from here on none is added. */
export const writeBatch = async (
  tx: Kysely<DB>,
  { entity, year, number }: BatchKey,
  batch: Batch & { readonly entries: number; readonly lines: number },
): Promise<void> => {
  await sql`
    insert into decide.batches (entity_id, year, batch_number, package, period, currency, timezone, map_sha256, settings,
      entries, lines, by_name, at)
    values (${entity}, ${year}::int, ${number}, ${batch.package}, ${batch.period}, ${batch.currency}, ${batch.timezone}, ${batch.mapSha256},
      ${batch.settings}, ${batch.entries}, ${batch.lines}, ${batch.by}, ${batch.at}::timestamptz)`.execute(
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
