// The proof of a batch: its files are as their package takes them and sum to what is said of them; and, where the books are
// at hand, the lines that were kept make every file again to the byte.
import { join } from 'node:path';
import { reportBytes } from '../../base/named-file.ts';
import type { Database } from '../../database/database.ts';
import { keptBatch, writeKept } from '../../export/packages/kept-batch.ts';
import { decimal } from '../../export/packages/package.ts';
import { BATCH_FILES, TOTALS } from '../../export/packages/package-files.ts';
import { isPackage, packageOf } from '../../export/packages/packages.ts';
import { openFolder, placeFolder, writeFileIn } from '../../export/reports/folder.ts';
import { MANIFEST, type Manifest, manifestText } from '../../export/reports/manifest.ts';
import { inSnapshot } from '../../export/reports/snapshot.ts';
import { bodyOf, type Table } from './tables.ts';

/** What is wrong with the package's own files in a folder, by the bytes alone, and how much was looked at. */
export const batchFaults = async (
  dir: string,
  { files, batch }: Manifest,
  tables: readonly Table[],
): Promise<{ readonly checked: number; readonly faults: readonly string[] }> => {
  const faults: string[] = [];
  const sums = new Map<string, bigint>();
  const own = files.filter(({ name }) => !BATCH_FILES.includes(name));
  if (!batch || !isPackage(batch.package))
    return { checked: 0, faults: [`its package is not known: ${batch?.package}`] };
  for (const { name } of own) {
    const lint = packageOf(batch.package).lint(reportBytes(join(dir, name)));
    faults.push(...lint.faults.map((fault) => `${name}: ${fault}`));
    for (const [key, cents] of lint.totals) sums.set(key, (sums.get(key) ?? 0n) + cents);
  }
  const said = await saidIn(tables.find(({ file }) => file === TOTALS));
  for (const key of new Set([...sums.keys(), ...said.keys()])) {
    const [found, expected] = [decimal(sums.get(key) ?? 0n), said.get(key) ?? '0.00'];
    if (found !== expected) faults.push(`${TOTALS}: ${key} has ${expected}, the files sum to ${found}`);
  }
  return { checked: own.length + said.size, faults };
};

const saidIn = async (table: Table | undefined): Promise<Map<string, string>> => {
  const said = new Map<string, string>();
  if (!table) return said;
  for await (const rows of bodyOf(table, () => {}))
    for (const [account = '', , , balance = ''] of rows) said.set(account.replace(/^'/, ''), balance);
  return said;
};

/** Writes the batch of a manifest again, from what the books kept of it, to a folder that it is given. */
export const batchAgain =
  (pool: Database['pool'], manifest: Manifest) =>
  (outDir: string): Promise<{ readonly dir: string; readonly manifest: Manifest }> =>
    inSnapshot(pool, async (snapshot) => {
      const { year = '', number = 0, again: isAgain = false } = manifest.batch ?? {};
      const key = { entity: manifest.entities[0] ?? '', year, number };
      const kept = await keptBatch(snapshot, key);
      const folder = await openFolder(outDir);
      const { files, entries } = await writeKept(snapshot, folder, { key, kept, isAgain });
      const batch = { ...manifest.batch, entries, package: kept.package };
      const told = { ...manifest, files, batch, map_sha256: kept.map_sha256 } as Manifest;
      await writeFileIn(folder, MANIFEST, (put) => put(manifestText(told)));
      await placeFolder(folder);
      return { dir: folder.target, manifest: told };
    });
