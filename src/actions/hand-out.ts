// Export batches for an accounting package: a person's decision, written as the preparer.
import { counted } from '../base/counted.ts';
import { isoOf, nowMs } from '../base/time.ts';
import { type BatchRequest, type ExportedBatch, exportBatch } from '../export/packages/hand-out.ts';
import { type ReexportRequest, reexportBatch } from '../export/packages/hand-out-again.ts';
import type { Result, Work } from '../run/work.ts';
import { decided } from './close.ts';

export type Handed = { readonly result: Result; readonly handed: ExportedBatch | null };

/** Exports the entries of a period that the package has not received. */
export const handOutBatch = async (work: Work, ask: Omit<BatchRequest, 'at'>): Promise<Handed> => {
  const desk = { pool: work.pool, decider: await work.as('preparer') };
  const handed = await exportBatch(desk, { ...ask, at: isoOf(nowMs()) });
  return {
    result: decided(0, handed ? summaryOf(handed) : `${ask.package} has all of ${ask.period}`),
    handed,
  };
};

/** Exports a stored batch again, unchanged. */
export const handOutBatchAgain = async (work: Work, ask: Omit<ReexportRequest, 'at'>): Promise<Handed> => {
  const desk = { pool: work.pool, decider: await work.as('preparer') };
  const handed = await reexportBatch(desk, { ...ask, at: isoOf(nowMs()) });
  return { result: decided(0, summaryOf(handed)), handed };
};

const summaryOf = ({ manifest: { batch, entities } }: ExportedBatch): string =>
  `batch ${batch?.number} of ${batch?.year} of ${entities.join()}, ${counted(batch?.entries ?? 0, 'entry', 'entries')}, handed out to ${batch?.package}${batch?.again ? ' again' : ''} by ${batch?.by}`;
