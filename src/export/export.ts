// The front door of the export room: the files that finance opens, of one period, all from one moment of the books.
import assert from 'node:assert/strict';
import type { Database } from '../db.ts';
import { instantText } from '../db-values.ts';
import { UsageError } from '../errors.ts';
import { loadSql, sqlPaths } from '../sql.ts';
import { conservationOf } from './conservation.ts';
import type { Cell } from './csv.ts';
import { dropFolder, type Folder, openFolder, placeFolder, writeFileIn } from './folder.ts';
import { JOURNALS, type JournalName, writeJournal } from './journals.ts';
import {
  type ControlTotal,
  MANIFEST,
  type Manifest,
  type ManifestFile,
  manifestText,
  programOf,
  SIGN_CONVENTION,
} from './manifest.ts';
import { parsePeriod } from './period.ts';
import { type Cut, cutSql, reportPath, writeReport } from './report.ts';
import { type Part, partsOf } from './sealed.ts';
import { inSnapshot, rowsOf, type Snapshot } from './snapshot.ts';

export { eachLine, renderReports, restatable, sealedColumns, type Version } from './lines.ts';
export { type ManifestFile, programOf } from './manifest.ts';
export { parsePeriod, spanOf } from './period.ts';
export { OTHER_COLUMNS } from './report.ts';
export { type Comparison, type Proof, verifyLedger } from './verify.ts';

/** What an export may be: reports as CSV, or one journal in the language of another program. */
export type Format = 'csv' | JournalName;
export const FORMATS: readonly Format[] = ['csv', ...(Object.keys(JOURNALS) as JournalName[])];

/**
 * `period` as a person writes it, `outDir` the folder that becomes the export, `entities` all of them when absent. A
 * journal has everything up to the period's end.
 */
export type ExportOptions = {
  readonly pool: Database['pool'];
  readonly period: string;
  readonly outDir: string;
  readonly timezone: string;
  readonly currency: string;
  readonly entities?: readonly string[];
  readonly format?: Format;
};

/** Where the export is, absolute; its files, by name; its manifest. */
export type Exported = {
  readonly dir: string;
  readonly files: readonly ManifestFile[];
  readonly manifest: Manifest;
};

/**
 * Writes every report of a period, or a journal, and the manifest, replacing an earlier export in the same place as a whole. Throws a
 * UsageError on an impossible period, an unknown entity or a folder that holds what is not ours, a FailedError where
 * the folder cannot be written; either way what was there before is still there.
 */
export const exportReports = async (options: ExportOptions): Promise<Exported> => {
  const period = parsePeriod(options.period, options.timezone);
  return inSnapshot(options.pool, async (snapshot) => {
    const entities = await entitiesOf(snapshot, options.entities);
    const cut: Cut = {
      ...{ from: period.from, to: period.to, by: 'posted_at' },
      entity: (options.entities ?? []).join(','),
    };
    const folder = await openFolder(options.outDir);
    try {
      const { timezone, currency, format = 'csv' } = options;
      const parts = await partsOf(snapshot, { cut, period: period.name, entities });
      const files =
        format === 'csv'
          ? await writeReports(folder, snapshot, { cut, period: period.name, parts })
          : await writeJournal(folder, snapshot, format, { to: cut.to, entity: cut.entity, timezone });
      const sealed =
        format === 'csv' ? parts.flatMap((part) => (part.from === 'seal' ? [part.manifest] : [])) : [];
      const head = { program: programOf(), period: period.name, ...period, timezone, currency, entities };
      const manifest = await manifestOf(snapshot, cut, { head, files, sealed });
      await writeManifest(folder, manifest);
      await placeFolder(folder);
      return { dir: folder.target, files, manifest };
    } catch (error) {
      await dropFolder(folder);
      throw error;
    }
  });
};

type Whole = { readonly cut: Cut; readonly period: string; readonly parts: readonly Part[] };

const writeReports = async (folder: Folder, snapshot: Snapshot, whole: Whole): Promise<ManifestFile[]> => {
  const files: ManifestFile[] = [];
  for (const path of reportsOf(whole.parts)) files.push(await writeReport(folder, snapshot, path, whole));
  return files;
};

/** Today's reports; where every part comes from a seal, those that were sealed, whatever the program has by now. */
const reportsOf = (parts: readonly Part[]): readonly string[] => {
  const sealed = parts.flatMap((part) => (part.from === 'seal' ? [part.manifest] : []));
  if (sealed.length === 0 || sealed.length < parts.length) return sqlPaths('reports');
  const names = sealed.flatMap(({ files }) => files.map(({ name }) => name));
  return [...new Set(names.filter((name) => name.endsWith('.csv')))].sort().map(reportPath);
};

/**
 * The months `2026-10`, in order, that have entries in a timezone. With `since`, an instant, only the earliest month
 * that got an entry recorded since then, and all after it, whose opening that entry moved.
 */
export const monthsTouched = (
  pool: Database['pool'],
  timezone: string,
  since = '-infinity',
): Promise<string[]> =>
  inSnapshot(pool, async (snapshot) => {
    const rows = await rowsOf(snapshot, loadSql('export/months.sql', { timezone, since }));
    return rows.map((row) => text(row, 'month'));
  });

const entitiesOf = async (snapshot: Snapshot, asked?: readonly string[]): Promise<readonly string[]> => {
  const known = (await rowsOf(snapshot, loadSql('export/entities.sql'))).map((row) => text(row, 'entity_id'));
  if (asked === undefined) return known;
  const unknown = asked.filter((id) => !known.includes(id));
  if (asked.length === 0 || unknown.length > 0) {
    throw new UsageError(
      `there are no books of ${unknown.join(', ') || 'no entity'}: choose from ${known.join(', ') || 'none yet'}`,
    );
  }
  return known.filter((id) => asked.includes(id));
};

/** What one entity's month is, with the files that were rendered of it: what a seal keeps. */
export const manifestFor = (
  pool: Database['pool'],
  month: Omit<Head, 'program' | 'entities'> & { readonly entity: string },
  files: readonly ManifestFile[],
): Promise<Manifest> =>
  inSnapshot(pool, (snapshot) => {
    const { entity, from, to, period, timezone, currency } = month;
    const head = { program: programOf(), period, from, to, timezone, currency, entities: [entity] };
    return manifestOf(snapshot, { from, to, by: 'posted_at', entity }, { head, files, sealed: [] });
  });

type Head = Pick<Manifest, 'program' | 'period' | 'from' | 'to' | 'timezone' | 'currency' | 'entities'>;

/** `sealed`: the manifests of the entities whose month is closed; of one alone it is the whole answer. */
const manifestOf = async (
  snapshot: Snapshot,
  cut: Cut,
  { head, files, sealed }: { head: Head; files: readonly ManifestFile[]; sealed: readonly Manifest[] },
): Promise<Manifest> => {
  const [only] = sealed;
  if (only && head.entities.length === 1) return only;
  const [proof] = await rowsOf(snapshot, cutSql('export/as_of.sql', cut));
  const totals = await rowsOf(snapshot, cutSql('export/control_totals.sql', cut));
  const asOf = proof?.as_of ?? null;
  return {
    program: head.program,
    period: head.period,
    from: head.from,
    to: head.to,
    timezone: head.timezone,
    currency: head.currency,
    as_of: asOf === null ? null : instantText(asOf),
    sign_convention: SIGN_CONVENTION,
    entities: head.entities,
    files,
    control_totals: totals.map(controlTotal),
    conservation: await conservationOf(snapshot, cut, sealed),
  };
};

const controlTotal = (row: Record<string, Cell>): ControlTotal => {
  const [debit, credit] = [text(row, 'debit'), text(row, 'credit')];
  assert.equal(debit, credit, `the books of ${row.currency} do not balance`);
  const closing = {
    assets: text(row, 'assets'),
    liabilities: text(row, 'liabilities'),
    equity: text(row, 'equity'),
    income: text(row, 'income'),
    expenses: text(row, 'expenses'),
  };
  return { currency: text(row, 'currency'), debit, credit, closing };
};

const text = (row: Record<string, Cell>, column: string): string => {
  const cell = row[column];
  assert(typeof cell === 'string', `no ${column} in the answer`);
  return cell;
};

const writeManifest = (folder: Folder, manifest: Manifest): Promise<void> =>
  writeFileIn(folder, MANIFEST, (write) => write(manifestText(manifest)));
