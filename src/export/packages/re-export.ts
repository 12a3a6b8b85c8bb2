// Re-export: writes an export batch again from its stored lines, whatever the books contain today. The files have the same
// bytes and another name, and the books record the re-export.
import type { BatchKey } from '../../approvals/batches.ts';
import { writeBatchCopy } from '../../approvals/batches.ts';
import { UsageError } from '../../base/errors.ts';
import { writeFileIn } from '../reports/folder.ts';
import { MANIFEST, manifestText } from '../reports/manifest.ts';
import { parsePeriod } from '../reports/period.ts';
import { inSnapshot } from '../reports/snapshot.ts';
import { commitFolder } from './batch-folder.ts';
import { batchManifest } from './batch-manifest.ts';
import { type BatchConnections, type BatchRequest, type ExportedBatch, entityOf } from './export-batch.ts';
import { readStoredBatch, writeStoredBatch } from './stored-batch.ts';

/** The batch to write again: its number within the year of the period. */
export type ReexportRequest = Omit<
  BatchRequest,
  'mapFile' | 'datev' | 'summary' | 'currency' | 'timezone' | 'fiscalYearStart' | 'settings' | 'refuse'
> & {
  readonly number: number;
};

/** Exports a batch again. Throws a UsageError if no batch has that number, or if another package received it. */
export const reexportBatch = (desk: BatchConnections, request: ReexportRequest): Promise<ExportedBatch> =>
  inSnapshot(desk.pool, async (snapshot) => {
    const entity = await entityOf(snapshot, request.entity);
    const key: BatchKey = { entity, year: request.period.slice(0, 4), number: request.number };
    const stored = await readStoredBatch(snapshot, key);
    if (stored.package !== request.package)
      throw new UsageError(
        `batch ${key.number} of ${key.year} went to ${stored.package}: write --format ${stored.package}`,
      );
    return commitFolder(desk, {
      number: async () => key,
      target: request.outDir,
      fill: async (tx, folder) => {
        const { files, entries } = await writeStoredBatch(snapshot, folder, { key, stored, isCopy: true });
        const { by, at: exportedAt } = request;
        await writeBatchCopy(tx, key, { by, at: exportedAt });
        const { year, number } = key;
        const mark = {
          package: request.package,
          year,
          number,
          entries,
          ...(stored.summary && { summary: stored.summary }),
          again: true,
          by,
          at: exportedAt,
        };
        const { period, timezone, currency, facts, map_sha256 } = stored;
        const { from, to } = parsePeriod(period, timezone);
        const span = { period, from, to, timezone, currency };
        const manifest = batchManifest({ ...span, entity, facts, mark, files, map_sha256 });
        await writeFileIn(folder, MANIFEST, (put) => put(manifestText(manifest)));
        return { files, manifest };
      },
    });
  });
