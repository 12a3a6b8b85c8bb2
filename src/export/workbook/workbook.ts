// The workbook: tables as one xlsx file, each row written as soon as it is read, so that its size is limited only by Excel.
// Equal tables give equal bytes.
import { type AddPart, type Put, writeArchive } from './archive.ts';
import { rowXml } from './cells.ts';
import { coverSheet, type FirstSheet } from './cover.ts';
import { frameParts, sheetPath } from './frame.ts';
import { bodyLook, sheetEnd, sheetFoot, sheetHead } from './sheet.ts';
import { newStyles, type Styles } from './styles.ts';
import type { Labels, SheetColumn, SheetRow, SheetTable, WrittenSheet } from './table.ts';
import { newTotals } from './totals.ts';

type WorkbookOptions = {
  readonly tables: AsyncIterable<SheetTable>;
  /** The name of the first sheet, to which all others lead back. */
  readonly indexName: string;
  /** The first sheet, made from all others. */
  readonly cover: (sheets: readonly WrittenSheet[]) => FirstSheet;
  readonly title: string;
  readonly labels: Labels;
  /** The instant of the last change, a property of the file. */
  readonly changedAt: string;
  /** Rows of a sheet below its header. */
  readonly rowsMax?: number | undefined;
};

/** The rows of a sheet in Excel, without the header, and without the rows below a table. */
const ROWS_MAX = 1_048_575 - 3;

/** What all sheets of a workbook share while it is written. */
type Making = Required<Pick<WorkbookOptions, 'indexName' | 'title' | 'labels'>> & {
  readonly styles: Styles;
  readonly sheets: WrittenSheet[];
  readonly rowsMax: number;
};

/** Writes a workbook; returns its sheets without the first. A table with more rows than a sheet holds goes on in `name (2)`. */
export const writeSheets = (put: Put, options: WorkbookOptions): Promise<readonly WrittenSheet[]> =>
  writeArchive(put, async (add) => {
    const { tables, cover, indexName, title, labels, changedAt, rowsMax = ROWS_MAX } = options;
    const styles = newStyles();
    const sheets: WrittenSheet[] = [];
    for await (const table of tables)
      await addTable(add, table, { indexName, title, labels, styles, sheets, rowsMax });
    const part = sheets.length + 1;
    const { xml, printed } = coverSheet(cover(sheets), { styles, title });
    await add(sheetPath({ part }), [xml]);
    const first = { name: indexName, part, printed };
    for (const [path, text] of frameParts({ sheets: [first, ...sheets], styles, title, changedAt }))
      await add(path, [text]);
    return sheets;
  });

const addTable = async (add: AddPart, { name, columns, rows }: SheetTable, making: Making): Promise<void> => {
  const { sheets, rowsMax } = making;
  const feed = feedOf(rows);
  try {
    for (let nth = 1; nth === 1 || (await feed.hasMore()); nth += 1) {
      const part = sheets.length + 1;
      const isPart = async () => nth > 1 || (await feed.hasMore());
      const before = feed.taken();
      const writing = tableSheet(columns, feed.upTo(rowsMax), { ...making, isPart });
      await add(sheetPath({ part }), writing.xml);
      const sheetName = nth === 1 ? name : `${name} (${nth})`;
      sheets.push({ name: sheetName, part, table: name, rows: feed.taken() - before, ...writing.written() });
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
  let ready: readonly SheetRow[] = [];
  let taken = 0;
  const hasMore = async (): Promise<boolean> => {
    while (ready.length === 0) {
      const { value, done } = await source.next();
      if (done) return false;
      ready = value;
    }
    return true;
  };
  async function* upTo(count: number): AsyncGenerator<readonly SheetRow[]> {
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

type SheetMaking = Pick<Making, 'styles' | 'labels' | 'title' | 'indexName'> & {
  /** Another sheet has rows of the same table; called once the rows of this one are written. */
  readonly isPart: () => Promise<boolean>;
};

/** The XML of a sheet, and what it contains once that was read to its end. */
const tableSheet = (
  columns: readonly SheetColumn[],
  batches: AsyncIterable<readonly SheetRow[]>,
  { styles, labels, title, indexName, isPart }: SheetMaking,
) => {
  const totals = newTotals(columns);
  let printed = '';
  async function* xml(): AsyncGenerator<string> {
    const look = bodyLook(columns, styles);
    let text = sheetHead(columns, { styles, isLinked: true });
    let row = 1;
    for await (const rows of batches) {
      totals.add(rows);
      for (const values of rows) {
        row += 1;
        text += rowXml(row, values, look);
        if (text.length < TEXT_CHARS) continue;
        yield text;
        text = '';
      }
    }
    const foot = sheetFoot(columns, row, { styles, labels, totals: totals.all(), isPart: await isPart() });
    printed = foot.printed;
    const links = [{ place: 'A1', sheet: indexName, tip: labels.backToIndex }];
    yield `${text}${foot.xml}${sheetEnd(columns, row, { links, title })}`;
  }
  return { xml: xml(), written: () => ({ totals: totals.all(), printed }) };
};
