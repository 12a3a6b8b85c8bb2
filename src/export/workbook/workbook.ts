// The workbook: tables as one xlsx file, each row written as soon as it is read, so that its size is limited only by Excel.
// Equal tables give equal bytes.
import { type AddPart, type Put, writeArchive } from './archive.ts';
import { letters, rowXml, type Value, xmlText } from './cells.ts';
import {
  frameParts,
  HEADER_STYLE,
  LINK_STYLE,
  newStyles,
  type SheetPart,
  type Styles,
  sheetPath,
} from './frame.ts';

type Row = readonly Value[];

/** A column: its heading, the number format of Excel for its figures or null, its width in characters. */
type SheetColumn = {
  readonly title: string;
  readonly format: string | null;
  readonly width: number;
};

/** A table with a filter and a frozen header, its rows in batches. */
export type SheetTable = {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
};

/** The first sheet. `below` holds rows under the table that are not part of it; its first column links to the sheets. */
export type FirstSheet = {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly Row[];
  readonly below: readonly Row[];
};

/** A sheet that was written: the table that it shows, or continues, and its number of rows without the header. */
export type WrittenSheet = SheetPart & { readonly table: string; readonly rows: number };

type WorkbookOptions = {
  readonly tables: AsyncIterable<SheetTable>;
  /** The first sheet, made from all others. */
  readonly cover: (sheets: readonly WrittenSheet[]) => FirstSheet;
  readonly title: string;
  /** The instant of the last change, a property of the file. */
  readonly changedAt: string;
  /** Rows of a sheet below its header. */
  readonly rowsMax?: number | undefined;
};

/** The rows of a sheet in Excel, without the header. */
const ROWS_MAX = 1_048_575;

/** Writes a workbook; returns its sheets without the first. A table with more rows than a sheet holds goes on in `name (2)`. */
export const writeSheets = (
  put: Put,
  { tables, cover, title, changedAt, rowsMax = ROWS_MAX }: WorkbookOptions,
): Promise<readonly WrittenSheet[]> =>
  writeArchive(put, async (add) => {
    const styles = newStyles();
    const sheets: WrittenSheet[] = [];
    for await (const table of tables) await addTable(add, table, { styles, sheets, rowsMax });
    const first = { ...cover(sheets), part: sheets.length + 1 };
    await add(sheetPath(first), coverXml(first, { styles, sheets }));
    for (const [path, xml] of frameParts({ sheets: [first, ...sheets], styles, title, changedAt }))
      await add(path, [xml]);
    return sheets;
  });

type Making = { readonly styles: Styles; readonly sheets: WrittenSheet[]; readonly rowsMax: number };

const addTable = async (
  add: AddPart,
  { name, columns, rows }: SheetTable,
  { styles, sheets, rowsMax }: Making,
): Promise<void> => {
  const feed = feedOf(rows);
  try {
    for (let nth = 1; nth === 1 || (await feed.hasMore()); nth += 1) {
      const sheet = { name: nth === 1 ? name : `${name} (${nth})`, part: sheets.length + 1, table: name };
      const before = feed.taken();
      await add(sheetPath(sheet), tableXml(columns, feed.upTo(rowsMax), styles));
      sheets.push({ ...sheet, rows: feed.taken() - before });
    }
  } finally {
    await feed.close();
  }
};

/** The rows of a table, a sheet at a time: what a batch has beyond one sheet is left for the next. */
const feedOf = (batches: SheetTable['rows']) => {
  const source = (async function* () {
    yield* batches;
  })();
  let ready: readonly Row[] = [];
  let taken = 0;
  const hasMore = async (): Promise<boolean> => {
    while (ready.length === 0) {
      const { value, done } = await source.next();
      if (done) return false;
      ready = value;
    }
    return true;
  };
  async function* upTo(count: number): AsyncGenerator<readonly Row[]> {
    const end = taken + count;
    while (taken < end && (await hasMore())) {
      const rows = ready.slice(0, end - taken);
      ready = ready.slice(rows.length);
      taken += rows.length;
      yield rows;
    }
  }
  const close = async (): Promise<void> => {
    await source.return();
  };
  return { hasMore, upTo, close, taken: () => taken };
};

/** A piece of text for the zip file: a few rows, so that neither calls nor memory count. */
const TEXT_CHARS = 65_536;

async function* tableXml(
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly Row[]>,
  styles: Styles,
): AsyncGenerator<string> {
  const cellStyles = columns.map(({ format }) => styles.indexOf(format));
  let text = sheetHead(columns, styles);
  let row = 1;
  for await (const rows of batches)
    for (const values of rows) {
      row += 1;
      text += rowXml(row, values, cellStyles);
      if (text.length < TEXT_CHARS) continue;
      yield text;
      text = '';
    }
  yield `${text}${sheetEnd(columns, row)}`;
}

function* coverXml(
  { columns, rows, below }: FirstSheet,
  { styles, sheets }: Omit<Making, 'rowsMax'>,
): Generator<string> {
  const table = rows.map((values, index) => rowXml(index + 2, values, [LINK_STYLE]));
  const end = rows.length + 1;
  const facts = below.map((values, index) => rowXml(end + 1 + index, values, []));
  yield [sheetHead(columns, styles), ...table, ...facts, sheetEnd(columns, end, linksTo(sheets))].join('');
}

const sheetHead = (columns: readonly SheetColumn[], styles: Styles): string => {
  const cols = columns.map(
    ({ width, format }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1" style="${styles.indexOf(format)}"/>`,
  );
  const titles = columns.map(({ title }) => title);
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join('')}</cols><sheetData>${rowXml(
    1,
    titles,
    titles.map(() => HEADER_STYLE),
  )}`;
};

const sheetEnd = (columns: readonly SheetColumn[], lastRow: number, links = ''): string =>
  `</sheetData><autoFilter ref="A1:${letters(columns.length)}${lastRow}"/>${links}</worksheet>`;

const linksTo = (sheets: readonly WrittenSheet[]): string =>
  `<hyperlinks>${sheets
    .map(({ name }, index) => `<hyperlink ref="A${index + 2}" location="'${xmlText(name)}'!A1"/>`)
    .join('')}</hyperlinks>`;
