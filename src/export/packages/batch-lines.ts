// Stores the lines of a batch in the books while its files are written, a thousand at a time.
import type { Kysely } from 'kysely';
import { addBatchLines, type BatchKey, type BatchLine } from '../../approvals/batches.ts';
import type { DB } from '../../database/db-types.ts';
import { decimal, type PackageEntry } from './package.ts';

const LINES_PER_INSERT = 1000;

/** Yields the entries unchanged and stores their lines in the batch; `lines` counts them. */
export async function* storeLines(
  tx: Kysely<DB>,
  key: BatchKey,
  { entries, lines }: { entries: AsyncIterable<PackageEntry>; readonly lines: { count: number } },
): AsyncGenerator<PackageEntry> {
  let pending: BatchLine[] = [];
  for await (const entry of entries) {
    for (const line of batchLinesOf(entry)) {
      lines.count += 1;
      pending.push({ ...line, line: lines.count });
    }
    yield entry;
    if (pending.length < LINES_PER_INSERT) continue;
    await addBatchLines(tx, key, pending);
    pending = [];
  }
  if (pending.length > 0) await addBatchLines(tx, key, pending);
}

const batchLinesOf = (entry: PackageEntry): Omit<BatchLine, 'line'>[] =>
  entry.lines.map((line) => ({
    ordinal: entry.ordinal,
    entry_id: entry.id,
    day: entry.day,
    kind: entry.kind,
    stream: entry.stream,
    record_id: entry.recordId,
    account: line.account,
    currency: line.currency,
    counterparty_type: line.counterpartyType,
    units: line.units,
    value: decimal(line.cents),
    code: line.code,
    name: line.name,
    tax: line.tax,
    dimension1: line.dimension1,
    dimension2: line.dimension2,
  }));
