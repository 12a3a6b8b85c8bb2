// Proves an export against the books: they write it again to a temporary folder, and both must be equal, byte for byte.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../database/connection.ts';
import { formatOf } from '../../export/contents.ts';
import { type ExportOptions, exportReports } from '../../export/export.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { rewriteBatch } from './batch.ts';
import { comparedBy } from './compared-by.ts';
import { differencesOf } from './difference.ts';
import { sealsSince } from './seals-since.ts';

type Rewritten = { readonly dir: string; readonly manifest: Manifest };
type Rewrite = (outDir: string) => Promise<Rewritten>;

/**
 * Compares a folder with the output of `rewrite`; names the first difference by file, line and column, after the months that
 * were closed or reopened since its `stated` seals, which explain it. A batch repeats the seals of its time: null.
 */
const compareWritten = (dir: string, rewrite: Rewrite, stated: unknown): Promise<Proof> =>
  withRewritten(rewrite, async ({ dir: expected, manifest }) => {
    const present = await readdir(dir);
    const [files, missing] = [true, false].map((isPresent) =>
      manifest.files.filter(({ name }) => present.includes(name) === isPresent),
    );
    const faults = [
      ...(stated === null ? [] : sealsSince(stated, manifest.seals)),
      ...(await differencesOf({ expected, found: dir }, { ...manifest, files: files ?? [] })),
      ...(missing ?? []).map(({ name }) => `${name} is missing`),
    ];
    return proofFrom('the books write each again to the byte', manifest.files.length + 1, faults);
  });

/** Lends what the books write, in a temporary folder. */
export const withRewritten = async <T>(
  rewrite: Rewrite,
  use: (written: Rewritten) => Promise<T>,
): Promise<T> => {
  const temporary = await mkdtemp(join(tmpdir(), 'tieout-verify-'));
  try {
    return await use(await rewrite(join(temporary, 'again')));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

/**
 * Proves that the books write the folder again unchanged. A night does not write a month again only because the same balances tied once
 * more, so what shows the newest comparisons and proofs of completeness may be of an earlier run: then it is compared with what the books
 * were after that one. Throws what `exportReports` throws, such as a UsageError if other books wrote it.
 */
export const verifyAgainstBooks = async (
  pool: Database['pool'],
  dir: string,
  {
    manifest,
    settings,
    refuse = async () => {},
  }: Pick<ExportOptions, 'refuse'> &
    Pick<Required<ExportOptions>, 'settings'> & { readonly manifest: Manifest },
): Promise<Proof> => {
  if (manifest.batch) return compareWritten(dir, rewriteBatch(pool, manifest), null);
  const { period, timezone, currency, entities, profile = 'machine' } = manifest;
  const options = {
    pool,
    period,
    timezone,
    currency,
    entities,
    settings,
    profile,
    refuse,
    format: formatOf(manifest),
  };
  const compare = (lastRun = '') =>
    compareWritten(dir, (outDir) => exportReports({ ...options, outDir, lastRun }), manifest.seals);
  const now = await compare();
  const lastRun = now.faults === '0' ? null : await comparedBy(pool, dir, manifest);
  if (lastRun === null) return now;
  const then = await compare(lastRun);
  return BigInt(then.faults) < BigInt(now.faults) ? then : now;
};
