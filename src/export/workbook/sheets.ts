// Sheets: the reports as one workbook. Figures are numbers with their exact text in a column behind all others, instants are
// dates in the timezone of the books. The first sheet lists all the others.

import { createHash } from 'node:crypto';
import { ownRows } from '../../base/csv-file.ts';
import type { Head } from '../reports/facts.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import { type Heading, isFigure, titleOf } from '../reports/headings.ts';
import type { ManifestFile } from '../reports/manifest.ts';
import { exactText, figure, type Profile } from '../reports/profile.ts';
import { columnsOf, exactColumns, unitOf } from '../reports/render.ts';
import { reportName } from '../reports/report.ts';
import type { Piece } from '../reports/sealed.ts';
import { reportTitleOf } from '../reports/titles.ts';
import { isFigureText, type Value } from './cells.ts';
import { indexName, indexOf, labelsIn } from './index-sheet.ts';
import { cellReader, EXACT_WIDTH, formatOf, formatOfFigure, PLAIN, WIDTHS } from './layout.ts';
import type { SheetColumn, SheetTable, WrittenSheet } from './table.ts';
import { writeSheets } from './workbook.ts';

const WORKBOOK = 'reports.xlsx';

/** A report and the pieces of its text, which hold a connection until they are read to their end or returned. */
type Report = { readonly path: string; readonly pieces: AsyncGenerator<Piece> };

type SheetOptions = {
  readonly profile: Profile | null;
  readonly head: Head;
  /** Rows of a sheet below its header; Excel's limit by default. */
  readonly rowsMax?: number;
};

/** A report on its sheets, and its columns in the manifest. */
type ReportTable = SheetTable & { readonly report: string; readonly names: readonly string[] };

/** Writes the reports with their index; returns the manifest entry of the workbook. Each row is read when it is written. */
export const writeWorkbook = (
  folder: Folder,
  reports: readonly Report[],
  options: SheetOptions,
): Promise<ManifestFile> =>
  writeFileIn(folder, WORKBOOK, async (write) => {
    const { head, profile, rowsMax } = options;
    const { language } = profile ?? PLAIN;
    const hash = createHash('sha256');
    const put = (bytes: Uint8Array): Promise<void> => {
      hash.update(bytes);
      return write(bytes);
    };
    const tables: ReportTable[] = [];
    const names = new Map<string, string>();
    const reportOf = (name: string): string => tables.find((table) => table.name === name)?.report ?? name;
    const sheets = await writeSheets(put, {
      rowsMax,
      tables: tablesOf(reports, { options, tables, names }),
      indexName: indexName(language),
      cover: (all) => indexOf(all, { profile: profile ?? PLAIN, head, names, reportOf }),
      title: `tieout ${head.period}`,
      labels: labelsIn(language),
      changedAt: head.to,
    });
    return {
      name: WORKBOOK,
      rows: rowsIn(sheets),
      sha256: hash.digest('hex'),
      columns: [],
      sheets: tables.map(({ name, report, names, columns }) => ({
        name,
        report,
        rows: rowsIn(sheets.filter(({ table }) => table === name)),
        columns: names,
        headings: columns.map(({ title }) => title),
      })),
    };
  });

const rowsIn = (sheets: readonly WrittenSheet[]): number => sheets.reduce((sum, { rows }) => sum + rows, 0);

type Tables = {
  readonly options: SheetOptions;
  readonly tables: ReportTable[];
  /** The names of entities, as the rows that are read have them. */
  readonly names: Map<string, string>;
};

/** Opens each report when its turn comes, and adds it to `tables`; returns its pieces also if its sheet is not finished, or never begun. */
async function* tablesOf(
  reports: readonly Report[],
  { options, tables, names }: Tables,
): AsyncGenerator<ReportTable> {
  for (const report of reports) {
    try {
      const table = await tableOf(report, options, names);
      tables.push(table);
      yield table;
    } finally {
      await report.pieces.return(undefined);
    }
  }
}

/** A report as a table: its first piece is the header, which a report of seals without this file does not have. */
const tableOf = async (
  { path, pieces: source }: Report,
  options: SheetOptions,
  names: Tables['names'],
): Promise<ReportTable> => {
  const { value: first } = await source.next();
  const report = reportName(path);
  const columns = columnsOf(report, first?.columns ?? []);
  const valuesOf = rowReader(columns, options);
  const addName = nameReader(columns, names);
  const rows = async function* (): AsyncGenerator<Value[][]> {
    for (let piece = await source.next(); !piece.done; piece = await source.next())
      yield ownRows(piece.value.text).map((row) => {
        addName(row);
        return valuesOf(row);
      });
  };
  const { profile } = options;
  return {
    report,
    name: profile === null ? report : reportTitleOf(report).titles[profile.language],
    columns: sheetColumns(columns, options),
    rows: rows(),
    names: [...columns, ...exactOf(columns, options)].map(({ name }) => name),
  };
};

const exactOf = (columns: readonly Heading[], { profile, head }: SheetOptions) =>
  exactColumns(columns, { profile: profile ?? PLAIN, currency: head.currency });

/** Adds the name of a row's entity, if its report has one beside the id. */
const nameReader = (
  columns: readonly Heading[],
  names: Tables['names'],
): ((row: readonly string[]) => void) => {
  const [id, name] = ['entity_id', 'entity_name'].map((own) =>
    columns.findIndex((column) => column.name === own),
  );
  return (row) => {
    const [entity, called] = [row[id ?? -1], row[name ?? -1]];
    if (entity && called) names.set(entity, called);
  };
};

/** A row of the machine profile as the values of its cells, those of exact text behind all others. */
const rowReader = (columns: readonly Heading[], options: SheetOptions) => {
  const readers = columns.map((column) => valueReader(columns, column, options));
  const exact = exactOf(columns, options);
  return (row: readonly string[]): Value[] => [
    ...row.map((cell, index) => (cell === '' ? null : (readers[index]?.(cell, row) ?? cell))),
    ...exact.map(({ cellIn }) => cellIn(row) || null),
  ];
};

type ValueReader = (cell: string, row: readonly string[]) => Value;

const valueReader = (
  columns: readonly Heading[],
  column: Heading,
  { profile, head }: SheetOptions,
): ValueReader => {
  if (!isFigure(column)) return cellReader(column, profile, head.timezone);
  const format = formatOf(column, profile);
  const unit = unitOf(columns, column, head.currency);
  return (cell, row) => {
    if (!isFigureText(cell)) return figure(profile ?? PLAIN, cell);
    return { digits: cell, format: formatOfFigure(cell, format), unit: unit(row) };
  };
};

const sheetColumns = (columns: readonly Heading[], options: SheetOptions): SheetColumn[] => {
  const { profile, head } = options;
  const figures = columns.flatMap((column, index) => (isFigure(column) ? [index] : []));
  return [
    ...columns.map((column) => ({
      title: profile === null ? column.name : titleOf(column, profile.language, head.currency),
      format: formatOf(column, profile),
      width: WIDTHS[column.kind],
      ...(column.kind === 'money' && { totalIn: head.currency }),
    })),
    ...exactOf(columns, options).map(({ name, title }, index) => ({
      title: profile === null ? name : title,
      format: '@',
      width: EXACT_WIDTH,
      exact: {
        of: figures[index] ?? -1,
        write: (digits: string) => exactText(profile ?? PLAIN, digits, head.currency),
      },
    })),
  ];
};
