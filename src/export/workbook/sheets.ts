// Sheets: the reports as one workbook. Quantities are text with every digit, money and counts are numbers, instants are
// dates in the timezone of the books. The first sheet lists all the others.

import { createHash } from 'node:crypto';
import { ownRows } from '../../base/csv-file.ts';
import { DAY_MS, localOf, msOf } from '../../base/time.ts';
import { readSql, sqlPaths } from '../../database/database.ts';
import type { Head } from '../reports/facts.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import { type ColumnKind, type Heading, type Language, titleOf } from '../reports/headings.ts';
import { type ManifestFile, SIGN_CONVENTION } from '../reports/manifest.ts';
import { EXCEL_PROFILES, figure, type Profile, textWriter } from '../reports/profile.ts';
import { columnsOf } from '../reports/render.ts';
import { reportName } from '../reports/report.ts';
import type { Piece } from '../reports/sealed.ts';
import { numberOr, type Value } from './cells.ts';
import { type FirstSheet, type SheetTable, type WrittenSheet, writeSheets } from './workbook.ts';

const WORKBOOK = 'reports.xlsx';

/** A report and the pieces of its text. */
type Report = { readonly path: string; readonly pieces: AsyncIterable<Piece> };

type SheetOptions = {
  readonly profile: Profile | null;
  readonly head: Head;
  /** Rows of a sheet below its header; Excel's limit by default. */
  readonly rowsMax?: number;
};

/** A report on its sheets, and its columns in the manifest. */
type ReportTable = SheetTable & { readonly path: string; readonly names: readonly string[] };

/** Without a profile, figures and dates are as in the machine profile, and columns have their stable names. */
const PLAIN = EXCEL_PROFILES['excel-en'];

/** Writes the reports with their index; returns the manifest entry of the workbook. Each row is read when it is written. */
export const writeWorkbook = (
  folder: Folder,
  reports: readonly Report[],
  options: SheetOptions,
): Promise<ManifestFile> =>
  writeFileIn(folder, WORKBOOK, async (write) => {
    const hash = createHash('sha256');
    const put = (bytes: Uint8Array): Promise<void> => {
      hash.update(bytes);
      return write(bytes);
    };
    const tables: ReportTable[] = [];
    const sheets = await writeSheets(put, {
      rowsMax: options.rowsMax,
      tables: tablesOf(reports, { options, tables }),
      cover: (all) => indexOf(all, tables, options),
      title: `tieout ${options.head.period}`,
      changedAt: options.head.to,
    });
    const rowsOf = ({ name }: ReportTable): number => rowsIn(sheets.filter(({ table }) => table === name));
    return {
      name: WORKBOOK,
      rows: rowsIn(sheets),
      sha256: hash.digest('hex'),
      columns: [],
      sheets: tables.map((table) => ({
        name: table.name,
        rows: rowsOf(table),
        columns: table.names,
        headings: table.columns.map(({ title }) => title),
      })),
    };
  });

const rowsIn = (sheets: readonly WrittenSheet[]): number => sheets.reduce((sum, { rows }) => sum + rows, 0);

/** Opens each report when its turn comes, and adds it to `tables`. */
async function* tablesOf(
  reports: readonly Report[],
  { options, tables }: { readonly options: SheetOptions; readonly tables: ReportTable[] },
): AsyncGenerator<ReportTable> {
  for (const report of reports) {
    const table = await tableOf(report, options);
    tables.push(table);
    yield table;
  }
}

/** A report as a table: its first piece is the header, which a report of seals without this file does not have. */
const tableOf = async ({ path, pieces }: Report, { profile, head }: SheetOptions): Promise<ReportTable> => {
  const source = pieces[Symbol.asyncIterator]();
  const { value: first } = await source.next();
  const columns = columnsOf(reportName(path), first?.columns ?? []);
  const readers = columns.map((column) => cellReader(column, profile, head.timezone));
  const rows = async function* (): AsyncGenerator<Value[][]> {
    for (let piece = await source.next(); !piece.done; piece = await source.next())
      yield ownRows(piece.value.text).map((row) =>
        row.map((cell, index) => (cell === '' ? null : (readers[index]?.(cell) ?? cell))),
      );
  };
  return {
    path,
    name: reportName(path),
    columns: columns.map((column) => sheetColumn(column, profile, head.currency)),
    rows: rows(),
    names: columns.map(({ name }) => name),
  };
};

const cellReader = (
  column: Heading,
  language: Profile | null,
  timezone: string,
): ((cell: string) => Value) => {
  const { kind } = column;
  const profile = language ?? PLAIN;
  if (kind === 'quantity') return (cell) => figure(profile, cell);
  if (kind === 'money' || kind === 'whole') return numberOr;
  if (kind === 'instant') return (cell) => serial(localOf(cell, timezone)) ?? cell;
  if (kind === 'day') return (cell) => serial({ day: cell, time: '00:00:00' });
  if (kind === 'boolean') return (cell) => profile.booleans[cell === 'true' ? 1 : 0]; // LibreOffice turns a boolean into a formula
  return language === null ? (cell) => cell : textWriter(language, column);
};

/** 1970-01-01 as a serial number of Excel. */
const EPOCH = 25_569;

/** A date as a serial number of Excel: days, with the time as a fraction. */
const serial = (local: { readonly day: string; readonly time: string } | null): Value =>
  local === null ? null : msOf(`${local.day}T${local.time}Z`) / DAY_MS + EPOCH;

const sheetColumn = (column: Heading, profile: Profile | null, currency: string) => ({
  title: profile === null ? column.name : titleOf(column, profile.language, currency),
  format: formatOf(column.kind, profile ?? PLAIN),
  width: WIDTHS[column.kind],
});

const formatOf = (kind: ColumnKind, { dayFormat }: Profile): string | null => {
  if (kind === 'instant') return `${dayFormat} hh:mm:ss`;
  if (kind === 'day') return dayFormat;
  if (kind === 'money') return '#,##0.00';
  return kind === 'whole' ? '0' : '@'; // a quantity stays text when a user edits it
};

const WIDTHS: Readonly<Record<ColumnKind, number>> = {
  text: 20,
  word: 20,
  sentence: 40,
  quantity: 28,
  money: 16,
  whole: 10,
  instant: 20,
  day: 12,
  boolean: 12,
};

type Words = Readonly<Record<Language, readonly string[]>>;

const INDEX: Words = {
  en: ['Index', 'Report', 'Rows', 'What it is'],
  es: ['Índice', 'Informe', 'Filas', 'Qué es'],
  de: ['Übersicht', 'Bericht', 'Zeilen', 'Inhalt'],
};

const FACTS: Words = {
  en: ['Period', 'From', 'To (excluded)', 'Timezone', 'Entities', 'Reporting currency', 'Signs'],
  es: [
    'Periodo',
    'Desde',
    'Hasta (excluido)',
    'Zona horaria',
    'Entidades',
    'Moneda de presentación',
    'Signos',
  ],
  de: [
    'Periode',
    'Von',
    'Bis (ausschließlich)',
    'Zeitzone',
    'Gesellschaften',
    'Berichtswährung',
    'Vorzeichen',
  ],
};

const indexOf = (
  sheets: readonly WrittenSheet[],
  tables: readonly ReportTable[],
  { profile, head }: SheetOptions,
): FirstSheet => {
  const language = profile?.language ?? 'en';
  const [name = '', ...titles] = INDEX[language];
  const { period, from, to, timezone, entities, currency } = head;
  const facts = [period, from, to, timezone, entities.join(', '), currency, SIGN_CONVENTION];
  const purposes = new Map(tables.map(({ name: report, path }) => [report, purposeOf(path)]));
  return {
    name,
    columns: titles.map((title, index) => ({ title, format: null, width: [28, 28, 110][index] ?? 20 })),
    rows: sheets.map((sheet) => [sheet.name, sheet.rows, purposes.get(sheet.table) ?? '']),
    below: [[], ...facts.map((fact, index) => [FACTS[language][index] ?? '', fact])],
  };
};

/** The title in a report's SQL file; empty for a report that only another version of the program has. */
const purposeOf = (path: string): string => (sqlPaths('reports').includes(path) ? readSql(path).title : '');
