// The workbook: sheets of values as one xlsx file. The only file that imports hucre, which adds nothing of its own but the
// time of the last change. That time is set here, so equal sheets give equal bytes.
import { type CellValue, readXlsx, writeXlsx } from 'hucre/xlsx';
import { dateOf } from '../../base/time.ts';

/** Text or a figure; null for an empty cell. A date is a figure in a column with a date format. */
export type Value = string | number | null;

/** A column: its heading, the number format of Excel for its figures or null, its width in characters. */
type SheetColumn = { readonly title: string; readonly format: string | null; readonly width: number };

/** A table on its own sheet, with a filter and a frozen header; `below` holds rows under the table that are not part of it. */
export type SheetTable = {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly (readonly Value[])[];
  readonly below?: readonly (readonly Value[])[];
};

/** Excel reports a file as broken if a cell has more characters. */
const TEXT_MAX = 32_767;
const CUT = ' … (cut: the CSV has all of it)';

/** The most cells of one workbook: it is built in memory, at about half a kilobyte a cell. */
export const CELLS_MAX = 1_500_000;

/** The bytes of a workbook. `title` and `changedAt`, an instant, are its properties. */
export const workbookBytes = (
  sheets: readonly SheetTable[],
  { title, changedAt }: { readonly title: string; readonly changedAt: string },
): Promise<Uint8Array> =>
  writeXlsx({
    sheets: sheets.map(sheetOf),
    stringMode: 'inline',
    properties: { title, creator: 'tieout', created: dateOf(changedAt), modified: dateOf(changedAt) },
  });

const sheetOf = ({ name, columns, rows, below = [] }: SheetTable) => ({
  name,
  columns: columns.map(({ format, width }) => ({ width, ...(format === null ? {} : { numFmt: format }) })),
  rows: [columns.map(({ title }) => title), ...rows, ...below].map((row) => row.map(cell)),
  cells: new Map(columns.map((_, index) => [`0,${index}`, { style: { font: { bold: true } } }])),
  freezePane: { rows: 1 },
  autoFilter: { range: `A1:${letters(columns.length)}${rows.length + 1}` },
});

const cell = (value: Value): CellValue => {
  if (typeof value !== 'string') return value;
  const text = value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX - CUT.length)}${CUT}` : value;
  return text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'); // escape text that looks like an escape of the format
};

/** The letters of a column, counted from 1: 27 is AA. */
const letters = (column: number): string =>
  column === 0 ? '' : letters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));

/** An exact figure as a number if Excel preserves each of its digits; as text otherwise. */
export const numberOr = (text: string): Value => {
  const digits = text.replace(/^-?0*\.?0*|\./g, '').replace(/^0+/, '');
  return /^-?\d+(\.\d+)?$/.test(text) && digits.length <= 15 ? Number(text) : text;
};

/** The sheets of a workbook, every cell as text. */
export const sheetsIn = async (
  bytes: Uint8Array,
): Promise<{ readonly name: string; readonly rows: string[][] }[]> =>
  (await readXlsx(bytes)).sheets.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) =>
      row.map((value) => (value instanceof Date ? value.toISOString() : String(value ?? ''))),
    ),
  }));
