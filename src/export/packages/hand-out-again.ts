// Handing out again: a batch as it was, from the lines that were kept of it, whatever the books say by now. Its files have
// the same bytes and another name, and that it was done is kept.
import type { BatchKey } from '../../approvals/batches.ts';
import { writeBatchCopy } from '../../approvals/batches.ts';
import { UsageError } from '../../base/errors.ts';
import { writeFileIn } from '../reports/folder.ts';
import { MANIFEST, manifestText } from '../reports/manifest.ts';
import { parsePeriod } from '../reports/period.ts';
import { inSnapshot } from '../reports/snapshot.ts';
import { placed } from './batch-folder.ts';
import { type Desk, entityOf, type HandedOut, type HandOut, markedManifest } from './hand-out.ts';
import { keptBatch, writeKept } from './kept-batch.ts';

/** Which batch: its number, in the year that the period begins with. */
export type HandOutAgain = Omit<
  HandOut,
  'mapFile' | 'datev' | 'currency' | 'timezone' | 'fiscalYearStart' | 'refuse'
> & {
  readonly number: number;
};

/** Hands out a batch again. Throws a UsageError where there is none of that number, or of another package. */
export const handOutAgain = (desk: Desk, ask: HandOutAgain): Promise<HandedOut> =>
  inSnapshot(desk.pool, async (snapshot) => {
    const entity = await entityOf(snapshot, ask.entity);
    const key: BatchKey = { entity, year: ask.period.slice(0, 4), number: ask.number };
    const kept = await keptBatch(snapshot, key);
    if (kept.package !== ask.package)
      throw new UsageError(
        `batch ${key.number} of ${key.year} went to ${kept.package}: write --format ${kept.package}`,
      );
    return placed(desk.decider, {
      number: async () => key,
      target: ask.outDir,
      fill: async (tx, folder) => {
        const { files, entries } = await writeKept(snapshot, folder, { key, kept, isAgain: true });
        const { by, at, settings } = ask;
        await writeBatchCopy(tx, key, { by, at });
        const { year, number } = key;
        const mark = { package: ask.package, year, number, entries, again: true, by, at };
        const { period, timezone, currency } = kept;
        const { from, to } = parsePeriod(period, timezone);
        const month = { entity, period, from, to, timezone, currency, settings };
        const manifest = await markedManifest(desk, month, { files, mark, map_sha256: kept.map_sha256 });
        await writeFileIn(folder, MANIFEST, (put) => put(manifestText(manifest)));
        return { files, manifest };
      },
    });
  });
