// Tables whose rows have a bar each, all on one scale: amounts stay aligned text, and the bar only shows them again, so a
// screen reader, a phone and a printer lose nothing.
import { stripOf } from './charts.ts';
import { finished, type Html, html } from './text.ts';

/** One row: its label, the ends of its bar, what is written after it. `tone` decides the colour, never alone. */
export type BarRow = {
  readonly label: string | Html;
  readonly from: string;
  readonly to: string;
  readonly tone: 'total' | 'up' | 'down' | 'bad' | 'plain';
  readonly cells: readonly (string | Html | null)[];
};

type BarTable = {
  readonly caption: string;
  /** The heading above the table says the same: the caption is for screen readers alone. */
  readonly isTitled?: boolean;
  /** The heading of the labels, then those of the cells. */
  readonly columns: readonly string[];
  readonly rows: readonly BarRow[];
};

/** The items with a bar of their own, and the others, which share one. A single one has its own bar: it takes the same place. */
export const splitBars = <T>(
  items: readonly T[],
  barsMax: number,
): { shown: readonly T[]; others: readonly T[] } => {
  const count = items.length === barsMax + 1 ? items.length : barsMax;
  return { shown: items.slice(0, count), others: items.slice(count) };
};

/** The bar is the second column. Nothing scrolls: the bar takes what the texts leave. */
export const barTable = ({
  caption,
  isTitled = false,
  columns: [label = '', ...names],
  rows,
}: BarTable): Html => {
  const ends = ['0', ...rows.flatMap(({ from, to }) => [from, to])];
  return html`<div class="bars"><table>
<caption${isTitled ? finished(' class="unseen"') : null}>${caption}</caption>
<thead><tr><th scope="col">${label}</th><td class="bar-cell"></td>${names.map((name) => html`<th scope="col" class="quantity">${name}</th>`)}</tr></thead>
<tbody>
${rows.map(({ label: name, cells, ...bar }) => html`<tr class="${bar.tone}"><th scope="row">${name}</th><td class="bar-cell">${stripOf(bar, ends)}</td>${cells.map((cell) => html`<td class="quantity">${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
};
