// The pack of a period: its files and its manifest, written into one folder from one snapshot of the books.
import { firstOf } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { together } from '../base/together.ts';
import type { Database } from '../database/connection.ts';
import { loadSql } from '../database/database.ts';
import { type PageQuery, readMoney } from './page/facts.ts';
import { type PageOptions, readPage, writePage } from './page/page.ts';
import { refuseUnmapped } from './reports/chart.ts';
import { type Head, manifestOf } from './reports/facts.ts';
import { dropFolder, type Folder, openFolder, placeFolder, writeFileIn } from './reports/folder.ts';
import { type ExportRequest, type Format, isReports, writeFormat } from './reports/formats.ts';
import { MANIFEST, type Manifest, type ManifestFile, manifestText, programOf } from './reports/manifest.ts';
import { parsePeriod } from './reports/period.ts';
import type { ProfileName } from './reports/profile.ts';
import type { Cut } from './reports/report.ts';
import { NO_REUSE, type Reuse } from './reports/reuse.ts';
import { partsOf } from './reports/sealed.ts';
import { inSnapshot, type Refusal, rowsOf, type Snapshot, text } from './reports/snapshot.ts';

/**
 * `period` is what a person types, `outDir` the folder that becomes the export, `entities` default to all. A journal
 * contains everything up to the period's end. `profile` defaults to `machine`, for a workbook to `excel-en`; `settings` are
 * those that affect figures, for the configuration digest; `refuse` throws if the books must not be exported in their present
 * state.
 */
export type ExportOptions = {
  readonly pool: Database['pool'];
  readonly period: string;
  readonly outDir: string;
  readonly timezone: string;
  readonly currency: string;
  readonly entities?: readonly string[];
  readonly format?: Format;
  readonly profile?: ProfileName;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly refuse?: Refusal;
  /** The number of the last run whose comparisons and proofs of completeness are shown, by default all. */
  readonly lastRun?: string;
  /** No period was chosen, `period` spans all months: a lake then has every row. */
  readonly isWhole?: boolean;
};

/** Where the export is, absolute; its files, by name; its manifest. */
export type Exported = {
  readonly dir: string;
  readonly files: readonly ManifestFile[];
  readonly manifest: Manifest;
};

/**
 * Writes every report of a period, or a journal, and the manifest, replacing an earlier export in the same place as a whole.
 * Throws a UsageError on an impossible period, an unknown entity, a profile that the format does not have, or a folder with
 * files of others, a FailedError if the folder cannot be written; in both cases the earlier export stays.
 */
export const exportReports = async (options: ExportOptions): Promise<Exported> => {
  requestOf(options); // refuses before it connects
  return inSnapshot(options.pool, writePack(options));
};

/** The same within a snapshot. `reuse`: what to take over from an earlier export. */
export const writePack =
  (options: Omit<ExportOptions, 'pool'>, reuse: Reuse = NO_REUSE) =>
  async (snapshot: Snapshot): Promise<Exported> => {
    const { request, query, sealed } = await planOf(snapshot, options);
    const { head, scope, format } = request;
    return inFolder(options.outDir, async (folder) => {
      const [draft, page, written] = await together([
        manifestOf(snapshot, scope.cut, { head, sealed, reuse }),
        format === 'csv' ? readPage(snapshot, query, reuse) : null,
        writeFormat(folder, snapshot, { ...request, reuse }),
      ]);
      const facts = { ...draft, ...written };
      const manifest =
        format === 'csv'
          ? await addPage(folder, snapshot, { parts: scope.parts, manifest: facts, facts: page })
          : facts;
      await writeFileIn(folder, MANIFEST, (write) => write(manifestText(manifest)));
      return { dir: folder.target, files: manifest.files, manifest };
    });
  };

/**
 * Writes the reports of a pack that are `settled`, and reads the facts that take long, so that the pack takes them over. The
 * folder is not an export: its manifest says no more than which files are ours.
 */
export const writeDraft =
  (options: Omit<ExportOptions, 'pool'>, reuse: Reuse, settled: (file: string) => boolean) =>
  async (snapshot: Snapshot): Promise<Pick<Exported, 'files'>> => {
    const { request, query, sealed } = await planOf(snapshot, options);
    const { head, scope } = request;
    return inFolder(options.outDir, async (folder) => {
      const [{ files }] = await together([
        writeFormat(folder, snapshot, { ...request, reuse, only: settled }),
        manifestOf(snapshot, scope.cut, { head, sealed, reuse }),
        readMoney(snapshot, query, reuse),
      ]);
      await writeFileIn(folder, MANIFEST, (write) => write(manifestText({ program: programOf(), files })));
      return { files };
    });
  };

/** What to write of which entities, what the page reads, and the manifests of closed months. */
type Plan = {
  readonly request: Omit<ExportRequest, 'reuse'>;
  readonly query: PageQuery;
  readonly sealed: readonly Manifest[];
};

const planOf = async (snapshot: Snapshot, options: Omit<ExportOptions, 'pool'>): Promise<Plan> => {
  const choice = requestOf(options);
  await options.refuse?.(snapshot.db);
  const entities = await entitiesOf(snapshot, options.entities);
  const { period, from, to } = choice.head;
  const { lastRun = '' } = options;
  const cut: Cut = {
    from,
    to,
    by: 'posted_at',
    entity: (options.entities ?? []).join(','),
    last_run: lastRun,
  };
  const head = { ...choice.head, entities };
  const parts = await partsOf(snapshot, { cut, period, entities });
  const isOfReports = isReports(choice.format);
  if (isOfReports && parts.some(({ from }) => from !== 'seal')) await refuseUnmapped(snapshot, cut);
  const request = { ...choice, head, scope: { cut, period, parts }, isWhole: options.isWhole ?? false };
  const sealed = parts.flatMap((part) => (isOfReports && part.from === 'seal' ? [part.manifest] : []));
  return { request, query: { ...head, entity: cut.entity, lastRun, parts }, sealed };
};

/** Puts the folder in place once `write` has written it whole. */
const inFolder = async <T>(outDir: string, write: (folder: Folder) => Promise<T>): Promise<T> => {
  const folder = await openFolder(outDir);
  try {
    const result = await write(folder);
    await placeFolder(folder);
    return result;
  } catch (error) {
    await dropFolder(folder);
    throw error;
  }
};

const requestOf = (
  options: Omit<ExportOptions, 'pool'>,
): Pick<ExportRequest, 'format' | 'profile'> & { readonly head: Omit<Head, 'entities'> } => {
  const { timezone, currency, format = 'csv', settings = { timezone, currency } } = options;
  const profile = options.profile ?? (format === 'xlsx' ? 'excel-en' : 'machine');
  if (!isReports(format) && profile !== 'machine')
    throw new UsageError(
      `${format === 'parquet' ? 'parquet' : `a journal for ${format}`} has no profile ${profile}: remove --profile, or use --format csv or xlsx`,
    );
  const { name, from, to } = parsePeriod(options.period, timezone);
  return { format, profile, head: { period: name, from, to, timezone, currency, profile, format, settings } };
};

const addPage = async (folder: Folder, snapshot: Snapshot, page: PageOptions): Promise<Manifest> => {
  const files = await writePage(folder, snapshot, page);
  return { ...page.manifest, files: [...page.manifest.files, ...files] };
};

const entitiesOf = async (snapshot: Snapshot, requested?: readonly string[]): Promise<readonly string[]> => {
  const known = (await rowsOf(snapshot, loadSql('export/entities.sql'))).map((row) => text(row, 'entity_id'));
  if (requested === undefined) return known;
  const unknown = requested.filter((id) => !known.includes(id));
  if (requested.length === 0 || unknown.length > 0) {
    throw new UsageError(
      `no books of ${firstOf(unknown) || 'no entity'}: choose from ${firstOf(known) || 'none yet'}`,
    );
  }
  return known.filter((id) => requested.includes(id));
};
