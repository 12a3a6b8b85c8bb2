// The proof of an export against the books: they write it again, beside, and both must be the same to the byte.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { type ExportOptions, exportReports } from '../../export/export.ts';
import { formatOf } from '../../export/reports/formats.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import type { Proof } from '../ledger/ledger.ts';
import { batchAgain } from './batch.ts';
import { differencesOf } from './difference.ts';
import { proof } from './report.ts';

/** Writes the same export to a folder that it is given. */
type Again = (outDir: string) => Promise<{ readonly dir: string; readonly manifest: Manifest }>;

/** Compares a folder with what `again` writes; the first difference is told by file, line and column. */
export const compareWritten = async (dir: string, again: Again): Promise<Proof> => {
  const place = await mkdtemp(join(tmpdir(), 'tieout-verify-'));
  try {
    const { dir: expected, manifest } = await again(join(place, 'again'));
    const there = await readdir(dir);
    const [files, missing] = [true, false].map((is) =>
      manifest.files.filter(({ name }) => there.includes(name) === is),
    );
    const faults = [
      ...(await differencesOf({ expected, found: dir }, { ...manifest, files: files ?? [] })),
      ...(missing ?? []).map(({ name }) => `${name} is missing`),
    ];
    return proof('the books write each again to the byte', manifest.files.length + 1, faults);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
};

/**
 * The proof that the books write a folder again as it is. Throws what `exportReports` throws, such as a UsageError where
 * these are not the books that wrote it.
 */
export const verifyAgainstBooks = (
  pool: Database['pool'],
  dir: string,
  {
    manifest,
    settings,
    refuse = async () => {},
  }: Pick<ExportOptions, 'refuse'> &
    Pick<Required<ExportOptions>, 'settings'> & { readonly manifest: Manifest },
): Promise<Proof> => {
  if (manifest.batch) return compareWritten(dir, batchAgain(pool, manifest));
  const { period, timezone, currency, entities, profile = 'machine' } = manifest;
  const ask = {
    ...{ pool, period, timezone, currency, entities, settings, profile, refuse },
    format: formatOf(manifest),
  };
  return compareWritten(dir, (outDir) => exportReports({ ...ask, outDir }));
};
