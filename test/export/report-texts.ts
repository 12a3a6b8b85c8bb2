// Reports of a month as an export has them, read without what else it writes: of a small month that is most of the work.
import type { Database } from '../../src/database/connection.ts';
import { loadSql } from '../../src/database/database.ts';
import { parsePeriod } from '../../src/export/export.ts';
import { reportOf, reportPath } from '../../src/export/reports/report.ts';
import { partsOf } from '../../src/export/reports/sealed.ts';
import { inSnapshot, rowsOf, text } from '../../src/export/reports/snapshot.ts';

/** The texts of files such as journal.csv, in their order, from the seal of each entity that has closed the month. */
export const reportTexts = (
  pool: Database['pool'],
  { period, timezone = 'UTC' }: { readonly period: string; readonly timezone?: string },
  files: readonly string[],
): Promise<string[]> =>
  inSnapshot(pool, async (snapshot) => {
    const { from, to } = parsePeriod(period, timezone);
    const cut = { from, to, by: 'posted_at', entity: '' };
    const known = await rowsOf(snapshot, loadSql('export/entities.sql'));
    const entities = known.map((row) => text(row, 'entity_id'));
    const scope = { cut, period, parts: await partsOf(snapshot, { cut, period, entities }) };
    const texts: string[] = [];
    for (const file of files) {
      const pieces: string[] = [];
      for await (const piece of reportOf(snapshot, reportPath(file), scope)) pieces.push(piece.text);
      texts.push(pieces.join(''));
    }
    return texts;
  });
