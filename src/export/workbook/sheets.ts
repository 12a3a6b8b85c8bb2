// Sheets: the reports as one workbook. Quantities are text with every digit, money and counts are numbers, instants are
// dates in the timezone of the books. The first sheet lists all the others.

import { ownRows } from '../../base/csv-file.ts';
import { UsageError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
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
import { CELLS_MAX, numberOr, type SheetTable, type Value, workbookBytes } from './workbook.ts';

const WORKBOOK = 'reports.xlsx';

/** A report on its sheet. */
export type Sheet = SheetTable & { readonly path: string; readonly names: readonly string[] };

type SheetOptions = {
  readonly profile: Profile | null;
  readonly timezone: string;
  readonly currency: string;
  /** The number of cells on the sheets before this one. */
  readonly cells: number;
};

/** Without a profile, figures and dates are as in the machine profile, and columns have their stable names. */
const PLAIN = EXCEL_PROFILES['excel-en'];

/** Reads a report into a sheet. Throws a UsageError if the workbook would exceed the limit on cells. */
export const sheetOf = async (
  path: string,
  pieces: AsyncIterable<Piece>,
  { profile, timezone, currency, cells }: SheetOptions,
): Promise<Sheet> => {
  let columns: Heading[] = [];
  let values: ((cell: string) => Value)[] = [];
  const rows: Value[][] = [];
  for await (const piece of pieces) {
    if (piece.columns) {
      columns = columnsOf(reportName(path), piece.columns);
      values = columns.map((column) => cellReader(column, profile, timezone));
      continue;
    }
    for (const row of ownRows(piece.text))
      rows.push(row.map((cell, index) => (cell === '' ? null : (values[index]?.(cell) ?? cell))));
    if (cells + rows.length * columns.length > CELLS_MAX) throw tooLarge(path);
  }
  const sheetColumns = columns.map((column) => sheetColumn(column, profile, currency));
  return {
    path,
    name: reportName(path),
    columns: sheetColumns,
    rows,
    names: columns.map(({ name }) => name),
  };
};

const tooLarge = (path: string): UsageError =>
  new UsageError(
    `a workbook holds at most ${CELLS_MAX} cells, and ${reportName(path)} goes beyond: ` +
      'choose a shorter period or one --entity, or export --format csv, which has no limit',
  );

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

/** Writes the sheets with their index; returns the manifest entry of the workbook. */
export const writeWorkbook = async (
  folder: Folder,
  sheets: readonly Sheet[],
  { profile, head }: { readonly profile: Profile | null; readonly head: Head },
): Promise<ManifestFile> => {
  const title = `tieout ${head.period}`;
  const all = [indexOf(sheets, profile?.language ?? 'en', head), ...sheets];
  const bytes = await workbookBytes(all, { title, changedAt: head.to });
  await writeFileIn(folder, WORKBOOK, (write) => write(bytes));
  return {
    name: WORKBOOK,
    rows: sheets.reduce((sum, { rows }) => sum + rows.length, 0),
    sha256: sha256(bytes),
    columns: [],
    sheets: sheets.map(({ name, columns, rows, names }) => ({
      name,
      rows: rows.length,
      columns: names,
      headings: columns.map((column) => column.title),
    })),
  };
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

const indexOf = (sheets: readonly Sheet[], language: Language, head: Head): SheetTable => {
  const [name = '', ...titles] = INDEX[language];
  const { period, from, to, timezone, entities, currency } = head;
  const facts = [period, from, to, timezone, entities.join(', '), currency, SIGN_CONVENTION];
  return {
    name,
    columns: titles.map((title, index) => ({ title, format: null, width: [28, 28, 110][index] ?? 20 })),
    rows: sheets.map(({ path, name: report, rows }) => [report, rows.length, purposeOf(path)]),
    below: [[], ...facts.map((fact, index) => [FACTS[language][index] ?? '', fact])],
  };
};

/** The title in a report's SQL file; empty for a report that only another version of the program has. */
const purposeOf = (path: string): string => (sqlPaths('reports').includes(path) ? readSql(path).title : '');
