// Export batches for an accounting package, stored as the preparer's decision.
import { counted } from '../base/counted.ts';
import { exportBatch, reexportBatch } from '../export/export.ts';
import type { BatchRequest, ExportedBatch } from '../export/packages/export-batch.ts';
import type { ReexportRequest } from '../export/packages/re-export.ts';
import { databaseTime, offlineResult } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';

export type ExportOutcome = { readonly result: Result; readonly exported: ExportedBatch | null };

/** Exports the entries of a period that the package has not received. */
export const exportNewBatch = async (work: Work, ask: Omit<BatchRequest, 'at'>): Promise<ExportOutcome> => {
  const desk = { pool: work.pool, decider: await work.as('preparer'), url: work.url };
  const exported = await exportBatch(desk, { ...ask, at: await databaseTime(work.db) });
  return {
    result: offlineResult(
      0,
      exported
        ? summaryOf(exported)
        : `nothing exported: ${ask.period} has no entries that ${ask.package} has not received`,
    ),
    exported,
  };
};

/** Exports a stored batch again, unchanged. */
export const exportBatchAgain = async (
  work: Work,
  ask: Omit<ReexportRequest, 'at'>,
): Promise<ExportOutcome> => {
  const desk = { pool: work.pool, decider: await work.as('preparer'), url: work.url };
  const exported = await reexportBatch(desk, { ...ask, at: await databaseTime(work.db) });
  return { result: offlineResult(0, summaryOf(exported)), exported };
};

const summaryOf = ({ manifest: { batch, entities } }: ExportedBatch): string =>
  `batch ${batch?.number} of ${batch?.year} of ${entities.join()}, ${counted(batch?.entries ?? 0, 'entry', 'entries')}, exported to ${batch?.package}${batch?.again ? ' again' : ''} by ${batch?.by}`;
