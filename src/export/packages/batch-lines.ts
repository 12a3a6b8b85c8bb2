// The lines of a batch on their way to its files: each is kept in the books as it passes, thousands at a time.
import type { Kysely } from 'kysely';
import { addBatchLines, type BatchKey, type BatchLine } from '../../approvals/batches.ts';
import type { DB } from '../../database/db-types.ts';
import { decimal, type PackageEntry } from './package.ts';

const KEPT_AT_ONCE = 5000;

/** Passes entries on, and writes their lines into a batch; `lines` counts them. */
export async function* keptLines(
  tx: Kysely<DB>,
  key: BatchKey,
  { entries, lines }: { entries: AsyncIterable<PackageEntry>; readonly lines: { count: number } },
): AsyncGenerator<PackageEntry> {
  let waiting: BatchLine[] = [];
  for await (const entry of entries) {
    for (const line of batchLinesOf(entry)) {
      lines.count += 1;
      waiting.push({ ...line, line: lines.count });
    }
    yield entry;
    if (waiting.length < KEPT_AT_ONCE) continue;
    await addBatchLines(tx, key, waiting);
    waiting = [];
  }
  if (waiting.length > 0) await addBatchLines(tx, key, waiting);
}

const batchLinesOf = (entry: PackageEntry): Omit<BatchLine, 'line'>[] =>
  entry.lines.map(({ cents, ...line }) => ({
    ...{ ordinal: entry.ordinal, entry_id: entry.id, day: entry.day, kind: entry.kind },
    ...{ stream: entry.stream, record_id: entry.recordId, value: decimal(cents) },
    ...line,
  }));
