// Which run an export shows: the newest instant of its tie-outs says it, in every format and profile.
import { isoOf, msOf, readInstant, SECOND_MS } from '../../base/time.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { bodyOf, type Table, withTables } from './tables.ts';

const REPORT = 'tie_outs';
const COLUMN = 'as_of';

/** The number of the last run whose comparisons an export shows; null if it shows none. */
export const comparedBy = async (
  pool: Database['pool'],
  dir: string,
  manifest: Manifest,
): Promise<string | null> => {
  const asOf = await newestIn(dir, manifest);
  if (asOf === null) return null;
  const { rows } = await pool.query<{ last_run: string | null }>(loadSql('status/compared_by.sql', asOf));
  return rows[0]?.last_run ?? null;
};

/** The time of a clock in a timezone. */
type LocalTime = { readonly as_of: string; readonly timezone: string };

/** The newest comparison that the tie-outs of an export show. */
const newestIn = async (dir: string, manifest: Manifest): Promise<LocalTime | null> => {
  const files = manifest.files.filter(({ name, sheets }) => sheets || name === `${REPORT}.csv`);
  const cells = await withTables(dir, { ...manifest, files }, cellsIn).catch(() => []); // the comparison has named what cannot be read
  const newest = cells
    .flatMap((cell) => wholeSecond(cell) ?? [])
    .sort()
    .at(-1);
  if (newest === undefined) return null;
  const isUtc = manifest.profile === 'machine' && files.every(({ sheets }) => !sheets);
  return { as_of: newest.slice(0, -1), timezone: isUtc ? 'UTC' : manifest.timezone };
};

const cellsIn = async (tables: readonly Table[]): Promise<string[]> => {
  const table = tables.find(({ report }) => report === REPORT);
  const index = table?.stated.columns.indexOf(COLUMN) ?? -1;
  const found = new Set<string>();
  if (table && index >= 0)
    for await (const rows of bodyOf(table, () => {})) for (const row of rows) found.add(row[index] ?? '');
  return [...found];
};

/** An instant, or the date and time of a country. */
const WRITTEN = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d)[./](\d\d)[./](\d{4}))[ T](\d\d:\d\d:\d\d(?:\.\d+)?)Z?$/;

/** As an instant in UTC, rounded to the second: a comparison has no fraction of it, and a date of a workbook may have a part of one. */
const wholeSecond = (cell: string): string | null => {
  const [, year, month, day, dayFirst, monthAfter, yearLast, time] = WRITTEN.exec(cell) ?? [];
  const instant = readInstant(`${year ?? yearLast}-${month ?? monthAfter}-${day ?? dayFirst}T${time}Z`);
  return instant && isoOf(Math.round(msOf(instant) / SECOND_MS) * SECOND_MS);
};
