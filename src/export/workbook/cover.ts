// The first sheet of a workbook: a table of its sheets that leads to each, and lines below it.
import { letters, rowXml } from './cells.ts';
import { bodyLook, lookOf, type SheetLink, sheetEnd, sheetHead } from './sheet.ts';
import type { Look, Styles } from './styles.ts';
import type { SheetColumn, SheetRow } from './table.ts';

/** A line of the first sheet; `sheet` is the one that its first cell leads to. */
type CoverLine = { readonly values: SheetRow; readonly sheet?: string; readonly look?: Look };

/** `below` holds lines under the table that are not part of it. */
export type FirstSheet = {
  readonly columns: readonly SheetColumn[];
  readonly rows: readonly CoverLine[];
  readonly below: readonly CoverLine[];
};

export const coverSheet = (
  { columns, rows, below }: FirstSheet,
  { styles, title }: { readonly styles: Styles; readonly title: string },
): { readonly xml: string; readonly printed: string } => {
  const lines = [...rows, ...below];
  const body = bodyLook(columns, styles);
  const link = styles.indexOf('link', null);
  const text = lines.map(({ values, sheet, look }, index) => {
    const { styleOf } = look ? lookOf(look, styles) : body;
    return rowXml(index + 2, values, {
      styleOf: (value, place) => (sheet !== undefined && place === 0 ? link : styleOf(value, place)),
    });
  });
  const links = lines.flatMap(({ sheet }, index): SheetLink[] =>
    sheet === undefined ? [] : [{ place: `A${index + 2}`, sheet }],
  );
  const head = sheetHead(columns, { styles, isLinked: false });
  return {
    xml: `${head}${text.join('')}${sheetEnd(columns, rows.length + 1, { links, title })}`,
    printed: `$A$1:$${letters(columns.length)}$${lines.length + 1}`,
  };
};
