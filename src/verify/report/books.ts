// Proves an export against the books: they write it again to a temporary folder, and both must be equal, byte for byte.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../base/temporary-folder.ts';
import type { Database } from '../../database/connection.ts';
import { formatOf } from '../../export/contents.ts';
import { type ExportOptions, exportReports } from '../../export/export.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { rewriteBatch } from './batch.ts';
import { decidedProofs, decisionsSince } from './decisions.ts';
import { differencesOf } from './difference.ts';
import { lastRunsOf } from './moment.ts';
import { changesSince, momentProof, type Rewritten } from './open-month.ts';
import { sealsSince } from './seals-since.ts';

type Rewrite = (outDir: string) => Promise<Rewritten>;

const REWRITTEN = 'the books write each again to the byte';

/**
 * Compares a folder with what the books wrote; names the first difference by file, line and column, after the months that
 * were closed or reopened since its `stated` seals, which explain it. A batch repeats the seals of its time: null.
 */
const rewrittenProof = async (
  dir: string,
  { dir: expected, manifest }: Rewritten,
  stated: unknown,
): Promise<Proof> => {
  const present = await readdir(dir);
  const [files, missing] = [true, false].map((isPresent) =>
    manifest.files.filter(({ name }) => present.includes(name) === isPresent),
  );
  const faults = [
    ...(stated === null ? [] : sealsSince(stated, manifest.seals)),
    ...(await differencesOf({ expected, found: dir }, { ...manifest, files: files ?? [] })),
    ...(missing ?? []).map(({ name }) => `${name} is missing`),
  ];
  return proofFrom(REWRITTEN, manifest.files.length + 1, faults);
};

/** Lends what the books write, in a temporary folder. */
export const withRewritten = <T>(rewrite: Rewrite, use: (written: Rewritten) => Promise<T>): Promise<T> =>
  withTemporaryFolder('tieout-verify-', async (folder) => use(await rewrite(join(folder, 'again'))));

/**
 * Proves that the books write the folder again unchanged, as they are now or as they were after the last run that it shows: a night does
 * not write a month again only because the same balances tied once more. An open month goes on, and its values are derived again; then
 * the books must have had what the folder shows of its moment. People decide on what it shows, too. Throws what `exportReports` throws, such as a UsageError if other books
 * wrote it.
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
): Promise<Proof[]> => {
  const { period, timezone, currency, entities, profile, seals } = manifest;
  const proofOf = (written: Rewritten) => rewrittenProof(dir, written, manifest.batch ? null : seals);
  if (manifest.batch) return [await withRewritten(rewriteBatch(pool, manifest), proofOf)];
  const chosen = { period, timezone, currency, entities, settings, profile, refuse };
  const format = formatOf(manifest);
  const rewrite = (lastRun: string) => (outDir: string) =>
    exportReports({ pool, ...chosen, format, outDir, lastRun });
  const asNow = () =>
    withRewritten(rewrite(''), async (written) => ({
      proof: await proofOf(written),
      asOf: written.manifest.as_of,
    }));
  const present = await readdir(dir);
  const files = manifest.files.filter(({ name }) => present.includes(name));
  const lastRun = await closestOf(await lastRunsOf(pool, dir, { ...manifest, files }), (run) =>
    withRewritten(rewrite(run), proofOf),
  );
  if (lastRun === undefined) return [(await asNow()).proof];
  return withRewritten(rewrite(lastRun), async (written) => {
    const then = await proofOf(written);
    if (then.faults === '0') return [then];
    const now = await asNow();
    if (now.proof.faults === '0') return [now.proof];
    const since = await changesSince(pool, manifest, { lastRun, now: now.asOf, asOfRun: written.manifest });
    if (since !== null)
      return [
        await momentProof(dir, written, { manifest, since }),
        { ...proofFrom(REWRITTEN, 0, []), unexamined: since.text },
      ];
    const decisions = await decisionsSince(pool, manifest, lastRun);
    if (decisions.length > 0 && files.length === manifest.files.length)
      return await decidedProofs(dir, written, { manifest, decisions });
    return [BigInt(then.faults) < BigInt(now.proof.faults) ? then : now.proof];
  });
};

/** The run as of which the books write the folder with the fewest faults. One alone is taken as it is: its proof follows. */
const closestOf = async (
  [last, ...earlier]: readonly string[],
  proofAfter: (run: string) => Promise<Proof>,
): Promise<string | undefined> => {
  if (last === undefined || earlier.length === 0) return last;
  let closest = { run: last, faults: BigInt((await proofAfter(last)).faults) };
  for (const run of earlier) {
    if (closest.faults === 0n) break;
    const faults = BigInt((await proofAfter(run)).faults);
    if (faults < closest.faults) closest = { run, faults };
  }
  return closest.run;
};
