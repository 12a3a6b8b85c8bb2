// Proves an export batch: its files pass their package's format check and sum to batch_totals.csv; and, with access to the
// books, the stored lines produce every file again, byte for byte.
import { join } from 'node:path';
import { reportBytes } from '../../base/named-file.ts';
import type { Database } from '../../database/database.ts';
import { decimal } from '../../export/packages/package.ts';
import { BATCH_FILES, TOTALS } from '../../export/packages/package-files.ts';
import { isPackage, packageOf } from '../../export/packages/packages.ts';
import { readStoredBatch, writeStoredBatch } from '../../export/packages/stored-batch.ts';
import { openFolder, placeFolder, writeFileIn } from '../../export/reports/folder.ts';
import { MANIFEST, type Manifest, manifestText } from '../../export/reports/manifest.ts';
import { inSnapshot } from '../../export/reports/snapshot.ts';
import { bodyOf, type Table } from './tables.ts';

/** Faults of the package's own files in a folder, judged by their bytes alone, and how many items were checked. */
export const batchFaults = async (
  dir: string,
  { files, batch }: Manifest,
  tables: readonly Table[],
): Promise<{ readonly checked: number; readonly faults: readonly string[] }> => {
  const faults: string[] = [];
  const sums = new Map<string, bigint>();
  const own = files.filter(({ name }) => !BATCH_FILES.includes(name));
  if (!batch || !isPackage(batch.package))
    return { checked: 0, faults: [`unknown accounting package: ${batch?.package}`] };
  for (const { name } of own) {
    const lint = packageOf(batch.package).lint(reportBytes(join(dir, name)));
    faults.push(...lint.faults.map((fault) => `${name}: ${fault}`));
    for (const [key, cents] of lint.totals) sums.set(key, (sums.get(key) ?? 0n) + cents);
  }
  const stated = await statedBalances(tables.find(({ file }) => file === TOTALS));
  for (const key of new Set([...sums.keys(), ...stated.keys()])) {
    const [found, expected] = [decimal(sums.get(key) ?? 0n), stated.get(key) ?? '0.00'];
    if (found !== expected) faults.push(`${TOTALS}: ${key} has ${expected}, the files sum to ${found}`);
  }
  return { checked: own.length + stated.size, faults };
};

const statedBalances = async (table: Table | undefined): Promise<Map<string, string>> => {
  const balances = new Map<string, string>();
  if (!table) return balances;
  for await (const rows of bodyOf(table, () => {}))
    for (const [account = '', , , balance = ''] of rows) balances.set(account.replace(/^'/, ''), balance);
  return balances;
};

/** Writes the batch of a manifest again, from its stored lines, into a given folder. */
export const rewriteBatch =
  (pool: Database['pool'], manifest: Manifest) =>
  (outDir: string): Promise<{ readonly dir: string; readonly manifest: Manifest }> =>
    inSnapshot(pool, async (snapshot) => {
      const { year = '', number = 0, again: isCopy = false } = manifest.batch ?? {};
      const key = { entity: manifest.entities[0] ?? '', year, number };
      const stored = await readStoredBatch(snapshot, key);
      const folder = await openFolder(outDir);
      const { files, entries } = await writeStoredBatch(snapshot, folder, { key, stored, isCopy });
      const batch = { ...manifest.batch, entries, package: stored.package };
      const rewritten = { ...manifest, files, batch, map_sha256: stored.map_sha256 } as Manifest;
      await writeFileIn(folder, MANIFEST, (put) => put(manifestText(rewritten)));
      await placeFolder(folder);
      return { dir: folder.target, manifest: rewritten };
    });
