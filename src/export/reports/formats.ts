// Formats: the formats of an export, and the files of each.
import { UsageError } from '../../base/errors.ts';
import { isoOf, monthOf, msOf } from '../../base/time.ts';
import { together } from '../../base/together.ts';
import { sqlPaths } from '../../database/database.ts';
import { JOURNAL_NAMES, type JournalName, writeJournal } from '../journals/journals.ts';
import { type LakeFiles, writeLake } from '../lake/lake.ts';
import type { LakeCut } from '../lake/tables.ts';
import { writeWorkbook } from '../workbook/sheets.ts';
import { withAccountNames } from './chart.ts';
import type { Head } from './facts.ts';
import { type Folder, takeOver } from './folder.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { parsePeriod } from './period.ts';
import { type Profile, type ProfileName, profileOf } from './profile.ts';
import { rendered } from './render.ts';
import { type ExportScope, fileOf, reportName, reportOf, reportPath, writeReport } from './report.ts';
import type { Reuse } from './reuse.ts';
import type { EntityPart, Piece } from './sealed.ts';
import type { Snapshot } from './snapshot.ts';

/** Reports as CSV, reports as one workbook, the views as a lake of Parquet files, or one journal for another program. */
export type Format = 'csv' | 'xlsx' | 'parquet' | JournalName;
export const FORMATS: readonly Format[] = ['csv', 'xlsx', 'parquet', ...JOURNAL_NAMES];

export const isReports = (format: Format): format is 'csv' | 'xlsx' => format === 'csv' || format === 'xlsx';

/** The format that a manifest states. One that no export has counts as csv: the manifest then differs in it. */
export const formatOf = ({ format }: Pick<Manifest, 'format'>): Format =>
  FORMATS.find((known) => known === format) ?? 'csv';

/** What to write, and where its rows come from. */
export type ExportRequest = {
  readonly format: Format;
  readonly profile: ProfileName;
  readonly head: Head;
  readonly scope: ExportScope;
  /** No period was chosen: a lake has every row. */
  readonly isWhole: boolean;
  readonly reuse: Reuse;
  /** Which reports to write, by the names of their files; all without it. */
  readonly only?: (file: string) => boolean;
};

/** The files of a format; for a lake also its tables. */
type FormatFiles = Pick<LakeFiles, 'files'> & Partial<LakeFiles>;

/** Writes the files of an export, without its manifest. */
export const writeFormat = async (
  folder: Folder,
  snapshot: Snapshot,
  request: ExportRequest,
): Promise<FormatFiles> => {
  const { format, scope, head, only = () => true } = request;
  if (format === 'parquet') return writeLake(folder, snapshot, lakeCut(request));
  if (!isReports(format)) {
    const { to, entity, last_run = '' } = scope.cut;
    const cut = { to, entity, last_run, timezone: head.timezone };
    return { files: await writeJournal(folder, snapshot, format, cut) };
  }
  const paths = reportsOf(scope.parts).filter((path) => only(fileOf(path)));
  const reports = paths.map((path) => ({ path, pieces: reportOf(snapshot, path, scope) }));
  const write = format === 'csv' ? writeCsv : writeSheets;
  const local = profileOf(request.profile);
  const profile = local === null ? null : await withAccountNames(snapshot, local);
  return { files: await write(folder, reports, { ...request, profile }) };
};

/** A lake is cut by months, as its folders are. */
const lakeCut = ({ head, scope, isWhole }: ExportRequest): LakeCut => {
  const { timezone, from, to, period } = head;
  const entities = scope.cut.entity === '' ? null : head.entities;
  if (isWhole) return { entities, months: null, timezone };
  const [first, last] = [monthOf(from, timezone), monthOf(isoOf(msOf(to) - 1), timezone)];
  const whole = [parsePeriod(first, timezone).from, parsePeriod(last, timezone).to];
  if (whole[0] !== from || whole[1] !== to)
    throw new UsageError(
      `a lake is cut by whole months: write a month, a quarter or a year instead of ${period}`,
    );
  return { entities, months: { first, last }, timezone };
};

type Report = { readonly path: string; readonly pieces: AsyncGenerator<Piece> };

/** A request whose profile knows the names of accounts. */
type NamedRequest = Pick<ExportRequest, 'head' | 'reuse'> & { readonly profile: Profile | null };

const writeCsv = async (
  folder: Folder,
  reports: readonly Report[],
  { profile, head, reuse }: NamedRequest,
) => {
  const write = async ({ path, pieces }: Report): Promise<ManifestFile> => {
    const unchanged = reuse.file(fileOf(path));
    if (unchanged) {
      await takeOver(folder, reuse.dir, unchanged.name);
      return unchanged;
    }
    const output = profile === null ? pieces : rendered(reportName(path), pieces, { ...head, profile });
    return writeReport(folder, path, output);
  };
  return together(reports.map(write));
};

const writeSheets = async (folder: Folder, reports: readonly Report[], { profile, head }: NamedRequest) => [
  await writeWorkbook(folder, reports, { profile, head }),
];

/** Today's reports; if every part comes from a seal, the reports that were sealed, whatever this version has. */
const reportsOf = (parts: readonly EntityPart[]): readonly string[] => {
  const sealed = parts.flatMap((part) => (part.from === 'seal' ? [part.manifest] : []));
  if (sealed.length === 0 || sealed.length < parts.length) return sqlPaths('reports');
  const names = sealed.flatMap(({ files }) => files.map(({ name }) => name));
  return [...new Set(names.filter((name) => name.endsWith('.csv')))].sort().map(reportPath);
};
