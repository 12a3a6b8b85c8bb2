// Handing out again: a batch as it was, from the lines that were kept of it, whatever the books say by now. Its files have
// the same bytes and another name, and that it was done is kept.
import { instantText } from '../db-values.ts';
import { writeBatchCopy } from '../decide/batches.ts';
import { UsageError } from '../errors.ts';
import { loadSql } from '../sql.ts';
import { placed } from './batch-folder.ts';
import { writeFileIn } from './folder.ts';
import { type Desk, entityOf, type HandedOut, type HandOut, markedManifest } from './hand-out.ts';
import { MANIFEST, manifestText } from './manifest.ts';
import type { BatchHead } from './package.ts';
import { writePackage } from './package-files.ts';
import { packageOf } from './packages.ts';
import { parsePeriod } from './period.ts';
import { inSnapshot, rowsOf, type Snapshot } from './snapshot.ts';
import { mappedEntries, valueEntries } from './value-lines.ts';

/** Which batch: its number, in the year that the period begins with. */
export type HandOutAgain = Omit<HandOut, 'mapFile' | 'datev' | 'currency' | 'timezone'> & {
  readonly number: number;
};

/** Hands out a batch again. Throws a UsageError where there is none of that number, or of another package. */
export const handOutAgain = (desk: Desk, ask: HandOutAgain): Promise<HandedOut> =>
  inSnapshot(desk.pool, async (snapshot) => {
    const key = {
      ...{ entity: await entityOf(snapshot, ask.entity), year: ask.period.slice(0, 4), number: ask.number },
    };
    const kept = await keptBatch(snapshot, key, ask.package);
    const lines = loadSql('export/batch_lines.sql', { ...key, number: String(key.number) });
    const entries = mappedEntries(valueEntries(snapshot, lines), () => null);
    const head = { ...key, at: kept.at, currency: kept.currency, settings: kept.settings };
    return placed(desk.decider, {
      number: async () => key,
      target: ask.outDir,
      fill: async (tx, folder) => {
        const format = packageOf(ask.package);
        const written = await writePackage({ folder, format, head, isAgain: true }, entries);
        const { by, at } = ask;
        await writeBatchCopy(tx, key, { by, at });
        const { year, number } = key;
        const mark = { package: ask.package, year, number, entries: written.entries, again: true, by, at };
        const { from, to } = parsePeriod(kept.period, kept.timezone);
        const { period, timezone, currency } = kept;
        const month = { entity: key.entity, period, from, to, timezone, currency };
        const it = { files: written.files, mark, map_sha256: kept.map_sha256 };
        const manifest = await markedManifest(desk, month, it);
        await writeFileIn(folder, MANIFEST, (put) => put(manifestText(manifest)));
        return { files: written.files, manifest };
      },
    });
  });

type Kept = {
  readonly period: string;
  readonly currency: string;
  readonly timezone: string;
  readonly map_sha256: string;
  readonly at: string;
  readonly settings: BatchHead['settings'];
};

const keptBatch = async (
  snapshot: Snapshot,
  { entity, year, number }: { entity: string; year: string; number: number },
  asked: string,
): Promise<Kept> => {
  const query = loadSql('export/batch.sql', { entity, year, number: String(number) });
  const [row] = await rowsOf(snapshot, query);
  if (!row)
    throw new UsageError(
      `${entity} has no batch ${number} of ${year}: npx tieout query "select year, batch_number, package, period from batches" lists them`,
    );
  if (row.package !== asked)
    throw new UsageError(`batch ${number} of ${year} went to ${row.package}: write --format ${row.package}`);
  const text = (name: string): string => row[name] ?? '';
  return {
    ...{ period: text('period'), currency: text('currency'), timezone: text('timezone') },
    ...{ map_sha256: text('map_sha256'), at: instantText(text('at')) },
    settings: JSON.parse(text('settings')) as Kept['settings'],
  };
};
