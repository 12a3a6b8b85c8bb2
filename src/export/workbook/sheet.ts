// One sheet of a workbook as XML, in the order of elements that the format requires (ECMA-376, part 1, section 18.3.1.99). The
// first row is the header; below the rows of the table, after an empty row, come totals and a note, which are not part of it.
import { letters, type RowLook, rowXml, type Value, xmlText } from './cells.ts';
import { MONEY_FORMAT } from './layout.ts';
import { type Look, SHEET_SPACE, type Styles, XML_DECLARATION } from './styles.ts';
import type { Labels, SheetColumn, SheetRow, Total } from './table.ts';

/** Whoever prints the whole workbook wants a dozen pages of a report, not hundreds: the rows of a longer one are not printed. */
const PRINTED_ROWS_MAX = 500;

/** The rows below a table, and what of the sheet is printed. */
type Foot = { readonly xml: string; readonly printed: string };

/** A link from a cell: to a sheet of this workbook. */
export type SheetLink = { readonly place: string; readonly sheet: string; readonly tip?: string };

/** The look of the rows of a table: each figure has its own format, or that of its column. */
export const bodyLook = (columns: readonly SheetColumn[], styles: Styles): RowLook => {
  const ofColumns = columns.map(({ format }) => styles.indexOf('plain', format));
  return {
    styleOf: (value, index) => {
      const format = typeof value === 'object' ? value.format : undefined;
      return format === undefined ? (ofColumns[index] ?? 0) : styles.indexOf('plain', format);
    },
  };
};

/** A row in which every cell looks the same, apart from the formats of figures. */
export const lookOf = (look: Look, styles: Styles): RowLook => ({
  styleOf: (value) => styles.indexOf(look, (typeof value === 'object' ? value.format : null) ?? null),
});

type HeadOptions = { readonly styles: Styles; readonly isLinked: boolean };

/** Everything before the first row of a table; in a sheet with a way back, its first heading is a link. */
export const sheetHead = (columns: readonly SheetColumn[], { styles, isLinked }: HeadOptions): string => {
  const cols = columns.map(
    ({ width, format }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1" style="${styles.indexOf('plain', format)}"/>`,
  );
  const titles = columns.map(({ title }) => title);
  const styleOf = (_value: Value, index: number): number =>
    styles.indexOf(isLinked && index === 0 ? 'header link' : 'header', null);
  return `${XML_DECLARATION}<worksheet xmlns="${SHEET_SPACE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="13.5"/><cols>${cols.join('')}</cols><sheetData>${rowXml(1, titles, { styleOf, height: headerHeight(columns) })}`;
};

/** Everything after the last row. `lastRow` is the last one of the table. */
export const sheetEnd = (
  columns: readonly SheetColumn[],
  lastRow: number,
  { links, title }: { readonly links: readonly SheetLink[]; readonly title: string },
): string =>
  `</sheetData><autoFilter ref="A1:${letters(columns.length)}${lastRow}"/>${linksXml(links)}${PAGE}<headerFooter><oddFooter>${xmlText(
    `&L${title.replaceAll('&', '&&')}&C&A&R&P / &N`,
  )}</oddFooter></headerFooter></worksheet>`;

/** A4 across, as many pages long as the rows need, one wide; faint lines between cells. */
const PAGE =
  '<printOptions gridLines="1"/><pageMargins left="0.4" right="0.4" top="0.4" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

const linksXml = (links: readonly SheetLink[]): string =>
  links.length === 0 ? '' : `<hyperlinks>${links.map(linkXml).join('')}</hyperlinks>`;

const linkXml = ({ place, sheet, tip }: SheetLink): string =>
  `<hyperlink ref="${place}" location="${xmlText(`${quoted(sheet)}!A1`)}"${tip === undefined ? '' : ` tooltip="${xmlText(tip)}"`}/>`;

/** The name of a sheet within a reference. */
export const quoted = (sheet: string): string => `'${sheet.replaceAll("'", "''")}'`;

/** Points of a line of the header. */
const LINE_POINTS = 13.5;

/** A header is as high as its longest heading needs: Excel does not fit a row whose height is not stated. */
const headerHeight = (columns: readonly SheetColumn[]): number =>
  LINE_POINTS * Math.max(1, ...columns.map(({ title, width }) => linesOf(title, Math.floor(width - 1))));

/** The lines of a text that is broken between words; a longer word goes on in the next line. */
const linesOf = (text: string, width: number): number => {
  let lines = 1;
  let used = 0;
  for (const word of text.split(' ')) {
    if (used > 0 && used + 1 + word.length > width) lines += 1;
    used = used > 0 && used + 1 + word.length <= width ? used + 1 + word.length : word.length;
    lines += Math.floor((used - 1) / width);
  }
  return lines;
};

type FootOptions = {
  readonly styles: Styles;
  readonly labels: Labels;
  readonly totals: readonly Total[];
  /** Another sheet has further rows of the same table, or earlier ones. */
  readonly isPart: boolean;
};

/** What follows the last row of a table: totals, and a note if its rows are not printed. */
export const sheetFoot = (columns: readonly SheetColumn[], lastRow: number, options: FootOptions): Foot => {
  const { styles, labels, totals, isPart } = options;
  const rows = lastRow - 1;
  const isLong = isPart || rows > PRINTED_ROWS_MAX;
  const below: { values: SheetRow; look: Look }[] = [];
  if (totals.length > 0) below.push({ values: totalsRow(columns, lastRow, options), look: 'total' });
  if (isLong) below.push({ values: [labels.notPrinted(rows)], look: 'plain' });
  const first = lastRow + 2;
  const last = below.length === 0 ? lastRow : first + below.length - 1;
  return {
    xml: below.map(({ values, look }, index) => rowXml(first + index, values, lookOf(look, styles))).join(''),
    printed: `$A$${isLong ? first : 1}:$${letters(printedColumns(columns))}$${last}`,
  };
};

const printedColumns = (columns: readonly SheetColumn[]): number =>
  columns.filter(({ exact }) => exact === undefined).length;

/** The totals follow the filter; their exact text is of all rows. */
const totalsRow = (columns: readonly SheetColumn[], lastRow: number, options: FootOptions): SheetRow => {
  const { totals, labels, isPart } = options;
  const amounts = new Map(totals.map(({ index, amount }) => [index, amount]));
  return columns.map(({ exact }, index) => {
    const amount = amounts.get(exact?.of ?? index);
    if (amount !== undefined && exact) return exact.write(amount);
    if (amount !== undefined)
      return totalOf(amount, `${letters(index + 1)}2:${letters(index + 1)}${lastRow}`);
    if (index > 0) return null;
    return isPart ? labels.totalOfSheet : labels.total;
  });
};

/** 109: the sum of the rows that a filter shows. */
const totalOf = (digits: string, range: string): Value => ({
  digits,
  format: MONEY_FORMAT,
  formula: `SUBTOTAL(109,${range})`,
});
