// The front door of the export room: the files that finance opens, of one period, all from one moment of the books.

import { UsageError } from '../base/errors.ts';
import type { Database } from '../database/database.ts';
import { loadSql } from '../database/sql.ts';
import { type PageOptions, writePage } from './page/page.ts';
import { type Head, manifestOf, text } from './reports/facts.ts';
import { dropFolder, type Folder, openFolder, placeFolder, writeFileIn } from './reports/folder.ts';
import { type Asked, type Format, isReports, writeFormat } from './reports/formats.ts';
import { MANIFEST, type Manifest, type ManifestFile, manifestText } from './reports/manifest.ts';
import { parsePeriod } from './reports/period.ts';
import type { ProfileName } from './reports/profile.ts';
import type { Cut } from './reports/report.ts';
import { partsOf } from './reports/sealed.ts';
import { inSnapshot, type Refusal, rowsOf, type Snapshot } from './reports/snapshot.ts';

export { JOURNAL_NAMES, type JournalName } from './journals/journals.ts';
export { renderPage } from './page/page.ts';
export { digestsOf, ruleVersions } from './reports/configuration.ts';
export { manifestFor } from './reports/facts.ts';
export { FORMATS, type Format } from './reports/formats.ts';
export {
  eachLine,
  renderReports,
  restatable,
  type Sink,
  sealedColumns,
  type Version,
} from './reports/lines.ts';
export { type Manifest, type ManifestFile, programOf } from './reports/manifest.ts';
export { parsePeriod, spanOf } from './reports/period.ts';
export { PROFILES, type ProfileName } from './reports/profile.ts';
export { OTHER_COLUMNS } from './reports/report.ts';

/**
 * `period` as a person writes it, `outDir` the folder that becomes the export, `entities` all of them when absent. A
 * journal has everything up to the period's end. `profile` is `machine` where nothing is said, and `excel-en` of a
 * workbook; `settings` is what of the configuration decides on figures, for its digest; `pageRows` are fetched at a time;
 * `refuse` throws where the books must not be exported as they are at that moment.
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
};

/** Where the export is, absolute; its files, by name; its manifest. */
export type Exported = {
  readonly dir: string;
  readonly files: readonly ManifestFile[];
  readonly manifest: Manifest;
};

/**
 * Writes every report of a period, or a journal, and the manifest, replacing an earlier export in the same place as a whole. Throws a
 * UsageError on an impossible period, an unknown entity, a profile that the format has not, or a folder that holds what
 * is not ours, a FailedError where the folder cannot be written; either way what was there before is still there.
 */
export const exportReports = async (options: ExportOptions): Promise<Exported> =>
  inSnapshot(options.pool, exporting(options, askedOf(options)), options.pageRows);

const exporting =
  (options: ExportOptions, asked: ReturnType<typeof askedOf>) => async (snapshot: Snapshot) => {
    await options.refuse?.(snapshot.db);
    const entities = await entitiesOf(snapshot, options.entities);
    const { period, from, to } = asked.head;
    const cut: Cut = { from, to, by: 'posted_at', entity: (options.entities ?? []).join(',') };
    const head = { ...asked.head, entities };
    const folder = await openFolder(options.outDir);
    try {
      const parts = await partsOf(snapshot, { cut, period, entities });
      const written = await writeFormat(folder, snapshot, { ...asked, head, whole: { cut, period, parts } });
      const sealed = isReports(asked.format)
        ? parts.flatMap((part) => (part.from === 'seal' ? [part.manifest] : []))
        : [];
      const told = await manifestOf(snapshot, cut, { head, written, sealed });
      const page = { entity: cut.entity, parts, manifest: told };
      const manifest = asked.format === 'csv' ? await withPage(folder, snapshot, page) : told;
      await writeFileIn(folder, MANIFEST, (write) => write(manifestText(manifest)));
      await placeFolder(folder);
      return { dir: folder.target, files: manifest.files, manifest };
    } catch (error) {
      await dropFolder(folder);
      throw error;
    }
  };

const askedOf = (
  options: ExportOptions,
): Pick<Asked, 'format' | 'profile'> & { readonly head: Omit<Head, 'entities'> } => {
  const { timezone, currency, format = 'csv', settings = { timezone, currency } } = options;
  const profile = options.profile ?? (format === 'xlsx' ? 'excel-en' : 'machine');
  if (!isReports(format) && profile !== 'machine')
    throw new UsageError(
      `a journal for ${format} has no profile ${profile}: remove --profile, or use --format csv or xlsx`,
    );
  const { name, from, to } = parsePeriod(options.period, timezone);
  return { format, profile, head: { period: name, from, to, timezone, currency, profile, format, settings } };
};

/** Writes the report page, which tells what the manifest does; returns the manifest that names it. */
const withPage = async (folder: Folder, snapshot: Snapshot, page: PageOptions): Promise<Manifest> => {
  const file = await writePage(folder, snapshot, page);
  const { files } = page.manifest;
  return { ...page.manifest, files: file === null ? files : [...files, file] };
};

/**
 * The months `2026-10`, in order, that have entries in a timezone. With `since`, an instant, only the earliest month
 * that got an entry recorded since then, and all after it, whose opening that entry moved.
 */
export const monthsTouched = (
  pool: Database['pool'],
  timezone: string,
  bookedAfter = '0',
): Promise<string[]> =>
  inSnapshot(pool, async (snapshot) => {
    const rows = await rowsOf(
      snapshot,
      loadSql('export/months.sql', { timezone, booked_after: bookedAfter }),
    );
    return rows.map((row) => text(row, 'month'));
  });

const entitiesOf = async (snapshot: Snapshot, asked?: readonly string[]): Promise<readonly string[]> => {
  const known = (await rowsOf(snapshot, loadSql('export/entities.sql'))).map((row) => text(row, 'entity_id'));
  if (asked === undefined) return known;
  const unknown = asked.filter((id) => !known.includes(id));
  if (asked.length === 0 || unknown.length > 0) {
    throw new UsageError(
      `no books of ${unknown.join(', ') || 'no entity'}: choose from ${known.join(', ') || 'none yet'}`,
    );
  }
  return known.filter((id) => asked.includes(id));
};
