// Tables of the report page: a caption, headers with their scope, and a frame that scrolls, so that the page never does.
import { decimalsOf, type Html, html, quantity } from './text.ts';

/** One column. A `quantity` is exact text with its decimal points aligned. */
type TableColumn = { readonly name: string; readonly kind: 'text' | 'instant' | 'quantity' | 'count' };

type TableCell = string | number | Html | null;

type Table = {
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  /** The decimal sign of its quantities; a point unless the page is in another language. */
  readonly mark?: '.' | ',';
};

export const text = (name: string): TableColumn => ({ name, kind: 'text' });
/** A column whose cells do not wrap. */
export const exact = (name: string): TableColumn => ({ name, kind: 'instant' });
export const amount = (name: string): TableColumn => ({ name, kind: 'quantity' });
export const count = (name: string): TableColumn => ({ name, kind: 'count' });

/** The table in its frame, which the keyboard can focus and scroll: a group, because landmarks need names of their own. The first column heads its row. */
export const tableOf = ({ caption, columns, rows, mark = '.' }: Table): Html => {
  const decimals = columns.map(({ kind }, i) =>
    kind === 'quantity' ? Math.max(0, ...rows.map((row) => decimalsOf(textOf(row[i])))) : 0,
  );
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>
<caption><span>${caption}</span></caption>
<thead><tr>${columns.map(({ name, kind }) => html`<th scope="col" class="${kind}">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map((column, i) => cellOf(column, row[i] ?? null, { index: i, decimals: decimals[i] ?? 0, mark }))}</tr>\n`)}</tbody>
</table></div>`;
};

const textOf = (cell: TableCell | undefined): string => (typeof cell === 'string' ? cell : '');

type CellPlace = { readonly index: number; readonly decimals: number; readonly mark: '.' | ',' };

const cellOf = ({ kind }: TableColumn, cell: TableCell, { index, decimals, mark }: CellPlace): Html => {
  const shown = kind === 'quantity' && typeof cell === 'string' ? quantity(cell, decimals, { mark }) : cell;
  return index === 0
    ? html`<th scope="row" class="${kind}">${shown}</th>`
    : html`<td class="${kind}">${shown}</td>`;
};

/** The figures behind a chart, as a table that unfolds, and how to find their records. */
export const figuresOf = (summary: string, table: Table, records: Html | null = null): Html =>
  html`<details><summary>${summary}</summary>${tableOf(table)}${records}</details>`;
