// Formats: the formats of an export, and the files of each.
import { sqlPaths } from '../../database/database.ts';
import { JOURNAL_NAMES, JOURNALS, type JournalName, writeJournal } from '../journals/journals.ts';
import { type Sheet, sheetOf, writeWorkbook } from '../workbook/sheets.ts';
import type { Head } from './facts.ts';
import type { Folder } from './folder.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { type ProfileName, profileOf } from './profile.ts';
import { rendered } from './render.ts';
import { type ExportScope, reportName, reportOf, reportPath, writeReport } from './report.ts';
import type { EntityPart, Piece } from './sealed.ts';
import type { Snapshot } from './snapshot.ts';

/** Reports as CSV, reports as one workbook, or one journal for another program. */
export type Format = 'csv' | 'xlsx' | JournalName;
export const FORMATS: readonly Format[] = ['csv', 'xlsx', ...JOURNAL_NAMES];

export const isReports = (format: Format): format is 'csv' | 'xlsx' => format === 'csv' || format === 'xlsx';

/** The format of an export. Earlier versions did not write it, so it is derived from the files. */
export const formatOf = ({ format, files }: Pick<Manifest, 'format' | 'files'>): Format =>
  FORMATS.find((it) => it === format) ??
  JOURNAL_NAMES.find((name) => files.some((file) => file.name === JOURNALS[name].file)) ??
  'csv';

/** What to write, and where its rows come from. */
export type ExportRequest = {
  readonly format: Format;
  readonly profile: ProfileName;
  readonly head: Head;
  readonly scope: ExportScope;
};

/** Writes the files of an export, without its manifest. */
export const writeFormat = async (
  folder: Folder,
  snapshot: Snapshot,
  request: ExportRequest,
): Promise<readonly ManifestFile[]> => {
  const { format, scope, head } = request;
  if (!isReports(format)) {
    const { to, entity } = scope.cut;
    return writeJournal(folder, snapshot, format, { to, entity, timezone: head.timezone });
  }
  const reports = reportsOf(scope.parts).map((path) => ({ path, pieces: reportOf(snapshot, path, scope) }));
  return format === 'csv' ? writeCsv(folder, reports, request) : writeSheets(folder, reports, request);
};

type Report = { readonly path: string; readonly pieces: AsyncIterable<Piece> };

const writeCsv = async (folder: Folder, reports: readonly Report[], { profile, head }: ExportRequest) => {
  const into = profileOf(profile);
  const files = [];
  for (const { path, pieces } of reports) {
    const output = into === null ? pieces : rendered(reportName(path), pieces, { ...head, profile: into });
    files.push(await writeReport(folder, path, output));
  }
  return files;
};

const writeSheets = async (folder: Folder, reports: readonly Report[], { profile, head }: ExportRequest) => {
  const sheets: Sheet[] = [];
  let cells = 0;
  for (const { path, pieces } of reports) {
    const sheet = await sheetOf(path, pieces, { ...head, profile: profileOf(profile), cells });
    cells += sheet.rows.length * sheet.columns.length;
    sheets.push(sheet);
  }
  return [await writeWorkbook(folder, sheets, { profile: profileOf(profile), head })];
};

/** Today's reports; if every part comes from a seal, the reports that were sealed, whatever this version has. */
const reportsOf = (parts: readonly EntityPart[]): readonly string[] => {
  const sealed = parts.flatMap((part) => (part.from === 'seal' ? [part.manifest] : []));
  if (sealed.length === 0 || sealed.length < parts.length) return sqlPaths('reports');
  const names = sealed.flatMap(({ files }) => files.map(({ name }) => name));
  return [...new Set(names.filter((name) => name.endsWith('.csv')))].sort().map(reportPath);
};
