// Proves an export batch: its lines sum to batch_totals.csv; and, with access to the books, the stored lines produce every
// file again, byte for byte.
import type { Database } from '../../database/connection.ts';
import {
  batchManifest,
  inSnapshot,
  LINES,
  LINKS,
  MANIFEST,
  manifestText,
  openFolder,
  parsePeriod,
  placeFolder,
  readStoredBatch,
  sideAmount,
  TOTALS,
  writeFileIn,
  writeStoredBatch,
} from '../../export/contents.ts';
import { isPackage, packageOf } from '../../export/export.ts';
import type { BatchMark, Manifest } from '../../export/reports/manifest.ts';
import type { Examination } from './examine.ts';
import { plainText } from './tables.ts';
import { faultsOfSums, type KeyAmount, summing } from './totals.ts';

/** A sentence for each account of batch_totals.csv that the lines of batch_entries.csv do not sum to. */
export const batchExamination = ({ batch }: Manifest): Examination => {
  const [stated, sums] = [new Map<string, string>(), new Map<string, string>()];
  const keyOf = batch && isPackage(batch.package) ? packageOf(batch.package).keyOf : null;
  return {
    proof: 'its lines sum to batch_totals.csv',
    examinersOf: (table) => {
      if (keyOf === null) return [];
      if (table.file === TOTALS) return [summing(stated, table, ['account', 'balance'], statedBalance)];
      if (table.file !== LINKS) return [];
      const columns = ['code', 'name', 'debit', 'credit'];
      return [
        summing(sums, table, columns, ([code = '', name = '', debit, credit]) => [
          plainText(keyOf({ code, name })),
          sideAmount(debit, credit),
        ]),
      ];
    },
    figures: () =>
      keyOf === null
        ? { checked: 0, faults: [`unknown accounting package: ${batch?.package}`] }
        : { checked: stated.size, faults: faultsOfSums(sums, stated, balanceFault) },
  };
};

const statedBalance = ([account = '', balance = '']: readonly string[]): KeyAmount => [
  plainText(account),
  balance,
];

const balanceFault = (key: string, found: string, expected: string): string =>
  `${TOTALS}: ${key} has ${expected}, ${LINKS} sums to ${found}`;

/** A sentence for each line of batch_lines.csv that the entries linked to it in batch_entries.csv do not sum to. */
export const linesExamination = (): Examination => {
  const [stated, sums] = [new Map<string, string>(), new Map<string, string>()];
  const tables = new Map([
    [LINES, stated],
    [LINKS, sums],
  ]);
  return {
    proof: 'its entries sum to each of its lines',
    examinersOf: (table) => {
      const into = tables.get(table.file);
      const columns = ['file', 'line', 'code', 'name', 'debit', 'credit'];
      return into ? [summing(into, table, columns, lineAmount)] : [];
    },
    figures: () => ({ checked: stated.size, faults: faultsOfSums(sums, stated, lineFault) }),
  };
};

/** Entries that cancel have no line: their sums have an empty one, and are zero. */
const lineAmount = ([
  file = '',
  line = '',
  code = '',
  name = '',
  debit,
  credit,
]: readonly string[]): KeyAmount => [
  `${file ? `${file}, line ${line}` : 'no line'}, ${code} ${name}`,
  sideAmount(debit, credit),
];

const lineFault = (key: string, found: string, expected: string): string =>
  `${key} has ${expected} in ${LINES}, ${LINKS} sums to ${found}`;

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
      const rewritten = rewrittenManifest(manifest, stored, { files, entries });
      await writeFileIn(folder, MANIFEST, (put) => put(manifestText(rewritten)));
      await placeFolder(folder);
      return { dir: folder.target, manifest: rewritten };
    });

/** The manifest of what is stored of its batch; who exported it again and when, and with which program, is not. */
const rewrittenManifest = (
  manifest: Manifest,
  stored: Awaited<ReturnType<typeof readStoredBatch>>,
  { files, entries }: Pick<Manifest, 'files'> & { readonly entries: number },
): Manifest => {
  const { period, currency, timezone, facts, map_sha256, exportedBy, exportedAt } = stored;
  const { from, to } = parsePeriod(period, timezone);
  const { summary: _stated, ...mark } = manifest.batch ?? {};
  const batch = {
    ...mark,
    ...(stored.summary && { summary: stored.summary }),
    ...(manifest.batch?.again !== true && { by: exportedBy, at: exportedAt }),
    entries,
    package: stored.package,
  } as BatchMark;
  const fields = { period, from, to, currency, timezone, files, map_sha256 };
  const { program, entities } = manifest;
  const written = batchManifest({ ...fields, entity: entities[0] ?? '', facts, mark: batch });
  return { ...written, program };
};
