// The rows of a report of some books.
import type { Database } from '../../../src/database/connection.ts';
import { cutSql } from '../../../src/export/reports/report.ts';
import { inSnapshot, rowsOf } from '../../../src/export/reports/snapshot.ts';

type ReportCut = {
  readonly from: string;
  readonly to: string;
  readonly by?: string;
  readonly entity?: string;
};

/** Of all entities and by posting date, unless it is cut otherwise. */
export const reportRows = (
  pool: Database['pool'],
  report: string,
  { from, to, by = 'posted_at', entity = '' }: ReportCut,
): ReturnType<typeof rowsOf> =>
  inSnapshot(pool, (snapshot) => rowsOf(snapshot, cutSql(`reports/${report}.sql`, { from, to, by, entity })));
