// Handing out to an accounting package: a person's decision, written as the preparer.
import { counted } from '../base/counted.ts';
import { isoOf, nowMs } from '../base/time.ts';
import { type BatchRequest, type ExportedBatch, exportBatch } from '../export/packages/hand-out.ts';
import { type ReexportRequest, reexportBatch } from '../export/packages/hand-out-again.ts';
import type { Result, Work } from '../run/work.ts';
import { decided } from './close.ts';

export type Handed = { readonly result: Result; readonly handed: ExportedBatch | null };

/** Hands out what a package has not got of a period. */
export const handOutBatch = async (work: Work, ask: Omit<BatchRequest, 'at'>): Promise<Handed> => {
  const desk = { pool: work.pool, decider: await work.as('preparer') };
  const handed = await exportBatch(desk, { ...ask, at: isoOf(nowMs()) });
  return { result: decided(0, handed ? told(handed) : `${ask.package} has all of ${ask.period}`), handed };
};

/** Hands out a batch again, as it was. */
export const handOutBatchAgain = async (work: Work, ask: Omit<ReexportRequest, 'at'>): Promise<Handed> => {
  const desk = { pool: work.pool, decider: await work.as('preparer') };
  const handed = await reexportBatch(desk, { ...ask, at: isoOf(nowMs()) });
  return { result: decided(0, told(handed)), handed };
};

const told = ({ manifest: { batch, entities } }: ExportedBatch): string =>
  `batch ${batch?.number} of ${batch?.year} of ${entities.join()}, ${counted(batch?.entries ?? 0, 'entry', 'entries')}, handed out to ${batch?.package}${batch?.again ? ' again' : ''} by ${batch?.by}`;
