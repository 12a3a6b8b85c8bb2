// The pack of a period: its files and its manifest, written into one folder from one snapshot of the books.
import { UsageError } from '../base/errors.ts';
import { together } from '../base/together.ts';
import type { Database } from '../database/connection.ts';
import { loadSql } from '../database/database.ts';
import { type PageOptions, readPage, writePage } from './page/page.ts';
import { refuseUnmapped } from './reports/chart.ts';
import { type Head, manifestOf } from './reports/facts.ts';
import { dropFolder, type Folder, openFolder, placeFolder, writeFileIn } from './reports/folder.ts';
import { type ExportRequest, type Format, isReports, writeFormat } from './reports/formats.ts';
import { MANIFEST, type Manifest, type ManifestFile, manifestText } from './reports/manifest.ts';
import { parsePeriod } from './reports/period.ts';
import type { ProfileName } from './reports/profile.ts';
import type { Cut } from './reports/report.ts';
import { NO_REUSE, type Reuse } from './reports/reuse.ts';
import { partsOf } from './reports/sealed.ts';
import { inSnapshot, type Refusal, rowsOf, type Snapshot, text } from './reports/snapshot.ts';

/**
 * `period` is what a person types, `outDir` the folder that becomes the export, `entities` default to all. A journal
 * contains everything up to the period's end. `profile` defaults to `machine`, for a workbook to `excel-en`; `settings` are
 * those that affect figures, for the configuration digest; `pageRows` is the size of a fetch; `refuse` throws if the books
 * must not be exported in their present state.
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
  readonly pageRows?: number;
  readonly refuse?: Refusal;
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
  return inSnapshot(options.pool, writePack(options), options.pageRows);
};

/** The same within a snapshot. `reuse`: what to take over from the export that is in its place. */
export const writePack =
  (options: Omit<ExportOptions, 'pool'>, reuse: Reuse = NO_REUSE) =>
  async (snapshot: Snapshot): Promise<Exported> => {
    const request = requestOf(options);
    await options.refuse?.(snapshot.db);
    const entities = await entitiesOf(snapshot, options.entities);
    const { period, from, to } = request.head;
    const cut: Cut = { from, to, by: 'posted_at', entity: (options.entities ?? []).join(',') };
    const head = { ...request.head, entities };
    const folder = await openFolder(options.outDir);
    try {
      const parts = await partsOf(snapshot, { cut, period, entities });
      if (isReports(request.format) && parts.some(({ from }) => from !== 'seal'))
        await refuseUnmapped(snapshot, cut);
      const sealed = isReports(request.format)
        ? parts.flatMap((part) => (part.from === 'seal' ? [part.manifest] : []))
        : [];
      const scope = { cut, period, parts };
      const [draft, page, written] = await together([
        manifestOf(snapshot, cut, { head, sealed, reuse }),
        request.format === 'csv' ? readPage(snapshot, { ...head, entity: cut.entity, parts }, reuse) : null,
        writeFormat(folder, snapshot, { ...request, head, scope, isWhole: options.isWhole ?? false, reuse }),
      ]);
      const facts = { ...draft, ...written };
      const manifest =
        request.format === 'csv'
          ? await addPage(folder, snapshot, { parts, manifest: facts, facts: page })
          : facts;
      await writeFileIn(folder, MANIFEST, (write) => write(manifestText(manifest)));
      await placeFolder(folder);
      return { dir: folder.target, files: manifest.files, manifest };
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
      `no books of ${unknown.join(', ') || 'no entity'}: choose from ${known.join(', ') || 'none yet'}`,
    );
  }
  return known.filter((id) => requested.includes(id));
};
