// Proves an export batch: its lines sum to batch_totals.csv; and, with access to the books, the stored lines produce every
// file again, byte for byte.
import { compare } from '../../base/money.ts';
import type { Database } from '../../database/connection.ts';
import {
  inSnapshot,
  LINKS,
  MANIFEST,
  manifestText,
  openFolder,
  placeFolder,
  readStoredBatch,
  TOTALS,
  writeFileIn,
  writeStoredBatch,
} from '../../export/contents.ts';
import { isPackage, packageOf } from '../../export/export.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import type { Table } from './tables.ts';
import { type Figures, type KeyAmount, sumInto } from './totals.ts';

/** A sentence for each account of batch_totals.csv that the lines of batch_entries.csv do not sum to. */
export const batchFaults = async ({ batch }: Manifest, tables: readonly Table[]): Promise<Figures> => {
  if (!batch || !isPackage(batch.package))
    return { checked: 0, faults: [`unknown accounting package: ${batch?.package}`] };
  const { keyOf } = packageOf(batch.package);
  const stated = await sumsOf(tables, TOTALS, ['account', 'balance'], ([account = '', balance = '']) => [
    account.replace(/^'/, ''),
    balance,
  ]);
  const columns = ['code', 'name', 'debit', 'credit'];
  const sums = await sumsOf(tables, LINKS, columns, ([code = '', name = '', debit, credit]) => [
    keyOf({ code, name }),
    debit || (credit ? `-${credit}` : '0'),
  ]);
  const faults = [...new Set([...sums.keys(), ...stated.keys()])].flatMap((key) => {
    const [found, expected] = [sums.get(key) ?? '0', stated.get(key) ?? '0'];
    return compare(found, expected) === 0
      ? []
      : [`${TOTALS}: ${key} has ${expected}, ${LINKS} sums to ${found}`];
  });
  return { checked: stated.size, faults };
};

const sumsOf = async (
  tables: readonly Table[],
  name: string,
  columns: readonly string[],
  read: (cells: readonly string[]) => KeyAmount,
): Promise<Map<string, string>> => {
  const sums = new Map<string, string>();
  const table = tables.find(({ file }) => file === name);
  if (table) await sumInto(sums, table, columns, read);
  return sums;
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
