// Reads the reports of an export back from its folder, row by row, in any format and profile.
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ownRowsIn } from '../../base/csv-file.ts';
import { type Atto, attoOf } from '../../base/money.ts';
import { openReport } from '../../base/named-file.ts';
import { BATCH_FILES, exactName, profileOf, type TableRows, workbookRows } from '../../export/contents.ts';
import type { Manifest, ManifestFile } from '../../export/reports/manifest.ts';
import type { Profile } from '../../export/reports/profile.ts';

/** One report in a folder: its file, its description in the manifest (`stated`), its rows in pieces, the header first. */
export type Table = {
  readonly report: string;
  readonly file: string;
  readonly stated: Pick<ManifestFile, 'rows' | 'columns' | 'headings'>;
  /** The decimal sign of its figures. */
  readonly decimal: string;
  /** Whether a figure has all of its digits: a number of a workbook has 15. */
  readonly keepsDigits: boolean;
  /** The lines that a row takes in the file, as whoever opens it counts them. */
  readonly linesOf: (row: readonly string[]) => number;
  readonly rows: () => AsyncGenerator<string[][]>;
};

/** Lends the tables of the files present, a workbook opened once for all its sheets; journals and a package's own files have none. */
export const withTables = async <T>(
  dir: string,
  manifest: Pick<Manifest, 'files' | 'profile' | 'batch'>,
  use: (tables: readonly Table[]) => Promise<T>,
): Promise<T> => {
  const opened: FileHandle[] = [];
  const form = profileOf(manifest.profile) ?? MACHINE;
  try {
    const tables: Table[] = [];
    for (const file of manifest.files) {
      const path = join(dir, file.name);
      if (!file.sheets) tables.push(...csvTable(path, file, { ...manifest, form }));
      else {
        const workbook = await openReport(path);
        opened.push(workbook);
        tables.push(...sheetTables(workbookRows(workbook), file, form));
      }
    }
    return await use(tables);
  } finally {
    for (const workbook of opened) await workbook.close();
  }
};

type Form = Pick<Profile, 'separator' | 'decimal'>;
const MACHINE: Form = { separator: ',', decimal: '.' };

/** The column of a report's figures with every digit: in a workbook that of their exact text. Negative if there is none. */
export const figureIndex = ({ stated, keepsDigits }: Table, name: string): number => {
  const exact = keepsDigits ? -1 : stated.columns.indexOf(exactName(name));
  return exact < 0 ? stated.columns.indexOf(name) : exact;
};

/** A figure as the books write it: without the unit before an exact text, with a decimal point. */
export const plainFigure = ({ decimal }: Table, cell: string): string =>
  cell.slice(cell.lastIndexOf(' ') + 1).replace(decimal, '.');

const FIGURE = /^(?:-?\d+(?:\.\d+)?)?$/;

/** A figure as `plainFigure` gives it; may be empty. Throws what stands in its place. */
export const readFigure = (table: Table, cell: string): string => {
  const figure = plainFigure(table, cell);
  if (!FIGURE.test(figure))
    throw new Error(`expected a figure, found ${JSON.stringify(cell.slice(0, CELL_SHOWN))}`);
  return figure;
};

const CELL_SHOWN = 40;

/** Text as the books write it: an apostrophe before it is for spreadsheets, which would read a figure, a formula or a boolean. */
export const plainText = (cell: string): string => cell.replace(/^'/, '');

/** A figure of a row to 18 decimals; null if it is empty. */
export type FigureOf = (cells: readonly string[]) => Atto | null;

/** Reads the figures of a report by the names of their columns. */
export const figureReader =
  (table: Table) =>
  (name: string): FigureOf => {
    const index = figureIndex(table, name);
    return (cells) => {
      const text = readFigure(table, cells[index] ?? '');
      return text === '' ? null : attoOf(text);
    };
  };

export const hasColumns = ({ stated }: Table, names: readonly string[]): boolean =>
  names.every((name) => stated.columns.includes(name));

const sheetTables = (rowsOf: TableRows, { name, sheets = [] }: ManifestFile, { decimal }: Form): Table[] =>
  sheets.map((sheet) => ({
    report: sheet.report,
    decimal,
    keepsDigits: false,
    linesOf: () => 1,
    file: `${name}, sheet ${sheet.name}`,
    stated: sheet,
    rows: () => rowsOf(sheet.name),
  }));

const csvTable = (
  path: string,
  file: ManifestFile,
  { form, batch }: Pick<Manifest, 'batch'> & { readonly form: Form },
): Table[] => {
  if (!file.name.endsWith('.csv') || (batch && !BATCH_FILES.includes(file.name))) return [];
  const { separator, decimal } = form;
  const report = file.name.slice(0, -'.csv'.length);
  const rows = () => ownRowsIn(path, separator);
  return [{ report, file: file.name, stated: file, decimal, keepsDigits: true, linesOf: textLines, rows }];
};

/** A cell of a CSV file may contain line breaks; one of a sheet lies in one line, whatever it contains. */
const textLines = (row: readonly string[]): number => row.join('').split('\n').length;

/** Where a header is not the stated one, as a sentence; null if it is. */
export const headingFault = ({ file, stated }: Table, cells: readonly string[]): string | null => {
  const { columns, headings = columns } = stated;
  const index = headings.findIndex((name, i) => name !== cells[i]);
  const found = cells[index]?.slice(0, CELL_SHOWN) ?? 'nothing';
  return index < 0
    ? null
    : `${file}, line 1, column ${index + 1}: expected ${headings[index]}, found ${found}`;
};

/** Passes the header to `onHead` and yields the rows after it. */
export async function* bodyOf({ rows }: Table, onHead: (head: string[]) => void): AsyncGenerator<string[][]> {
  let isFirst = true;
  for await (const piece of rows()) {
    if (isFirst) onHead(piece[0] ?? []);
    yield isFirst ? piece.slice(1) : piece;
    isFirst = false;
  }
}
