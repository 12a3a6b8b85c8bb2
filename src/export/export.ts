// The public module of the export room: the files of one period for finance, all from one snapshot of the books.

import type { Database } from '../database/connection.ts';
import { loadSql } from '../database/database.ts';
import { inSnapshot, rowsOf, text } from './reports/snapshot.ts';

export { type Consolidated, consolidate } from './consolidated/consolidate.ts';
export { JOURNAL_NAMES, type JournalName } from './journals/journals.ts';
export { type Exported, type ExportOptions, exportReports } from './pack.ts';
export { exportBatch } from './packages/export-batch.ts';
export { isPackage, PACKAGE_NAMES, packageOf } from './packages/packages.ts';
export { reexportBatch } from './packages/re-export.ts';
export { SUMMARIES, type Summary } from './packages/summary-span.ts';
export { renderPage } from './page/page.ts';
export { refreshMonths } from './refresh/refresh.ts';
export { refuseForeignState } from './refresh/state.ts';
export type { BrokenRule } from './reports/broken-rules.ts';
export { digestsOf, ruleVersions } from './reports/configuration.ts';
export { csvHeader, csvRows } from './reports/csv.ts';
export { manifestFor } from './reports/facts.ts';
export { FORMATS, type Format } from './reports/formats.ts';
export {
  eachLine,
  RECORDING_TIMES,
  type ReportVersion as Version,
  renderReports,
  restatable,
  type Sink,
  sealedColumns,
} from './reports/lines.ts';
export type { Manifest, ManifestFile } from './reports/manifest.ts';
export { parsePeriod, spanOf } from './reports/period.ts';
export { PROFILES, type ProfileName } from './reports/profile.ts';

/** The months `2026-10`, in order, that have entries in a timezone. */
export const bookedMonths = (pool: Database['pool'], timezone: string): Promise<string[]> =>
  inSnapshot(pool, async (snapshot) => {
    const rows = await rowsOf(snapshot, loadSql('export/months.sql', { timezone }));
    return rows.map((row) => text(row, 'month'));
  });
