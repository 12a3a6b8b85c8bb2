// Fits a table to a terminal: figures are right-aligned and never shortened, ids and texts are shortened, and if that is
// still too wide, each row becomes a block of lines.
import truncatedWidth from 'fast-string-truncated-width';
import { paint, type Tone } from './terminal.ts';

type Toned = { readonly text: string; readonly tone: Tone | null };
export type Cell = string | number | null | Toned;
export type Rows = readonly (readonly Cell[])[];

/** Text from outside on one line: removes control characters before they reach a terminal. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');

const clean = (cell: Cell): Toned =>
  typeof cell === 'object' && cell !== null
    ? { ...cell, text: oneLine(cell.text) }
    : { text: oneLine(String(cell ?? '')), tone: null };

const painted = ({ text, tone }: Toned): string => (tone === null ? text : paint(tone, text));

const FIGURE = /^[+-]?\d[\d.,]*%?$/;

const isFigures = (cells: readonly string[]): boolean => {
  const filled = cells.filter((text) => text !== '');
  return filled.length > 0 && filled.every((text) => FIGURE.test(text));
};

const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** An id is shortened to its first eight digits, because commands accept a prefix. */
export const shortIds = (text: string): string => text.replaceAll(UUID, '$1');

const GAP = '  ';

type Content = { readonly head: readonly string[]; readonly rows: readonly (readonly Toned[])[] };

const columnsOf = ({ head, rows }: Content): string[][] =>
  head.map((_, column) => rows.map((row) => row[column]?.text ?? ''));

const widthOf = (text: string): number => truncatedWidth(text).width;

/** The widest text of each column. */
const naturalWidths = (content: Content): number[] =>
  columnsOf(content).map((texts, column) =>
    texts.reduce((widest, text) => Math.max(widest, widthOf(text)), widthOf(content.head[column] ?? '')),
  );

const ELLIPSIS = '…';

/** The start of a figure that a cut would take the rest of. */
const BEGUN_FIGURE = /(?<![^\s(])[+-]?\d[\d.,]*$/;

/** The beginning of a text, up to a cut: half a figure would read as another one, so the cut moves before it. */
const beginningOf = (text: string, cut: number): string => {
  const beginning = text.slice(0, cut);
  return /[\d.,]/.test(text[cut] ?? '') ? beginning.replace(BEGUN_FIGURE, '') : beginning;
};

/** A line of text that fits into `width`; what does not fit ends in an ellipsis. */
export const fitLine = (text: string, width: number): string => {
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: ELLIPSIS });
  return truncated ? `${beginningOf(text, index)}${ELLIPSIS}` : text;
};

/** A cell as wide as its column. */
const fitCell = (cell: Toned, width: number, isFigures: boolean): string => {
  const text = fitLine(cell.text, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  const colored = painted({ ...cell, text });
  return isFigures ? space + colored : colored + space;
};

const draw = ({ head, rows }: Content, areFigures: readonly boolean[], widths: readonly number[]): string =>
  [head.map(clean), ...rows]
    .map((row) =>
      widths
        .map((width, column) => fitCell(row[column] ?? clean(null), width, areFigures[column] === true))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');

const WIDTH_MIN = 8;

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

/** Column widths that fit into `width`; the widest texts are shortened. Null if the figures alone are too wide. */
const fitWidths = (
  natural: readonly number[],
  areFigures: readonly boolean[],
  width: number,
): number[] | null => {
  const widths = natural.map((own, column) => (areFigures[column] ? own : Math.min(own, width)));
  while (totalOf(widths) > width) {
    const widest = widths.reduce(
      (best, own, column) => (!areFigures[column] && own > (widths[best] ?? WIDTH_MIN) ? column : best),
      -1,
    );
    if (widest < 0) return null;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

/** Each row as a block with one line per cell, for a terminal that is too narrow for columns. */
const blocks = ({ head, rows }: Content): string => {
  const width = Math.max(0, ...head.map((name) => name.length));
  return rows
    .map((row) =>
      row
        .map((cell, column) => `${(head[column] ?? '').padEnd(width)}${GAP}${painted(cell)}`.trimEnd())
        .join('\n'),
    )
    .join('\n\n');
};

/** A table without borders, as wide as its cells or fitted to `width` columns. */
export const layTable = (head: readonly string[], rows: Rows, width: number | null): string => {
  const whole = { head: head.map(oneLine), rows: rows.map((row) => row.map(clean)) };
  const areFigures = columnsOf(whole).map(isFigures);
  const natural = naturalWidths(whole);
  if (width === null || totalOf(natural) <= width) return draw(whole, areFigures, natural);
  const short = {
    head: whole.head,
    rows: whole.rows.map((row) => row.map((cell) => ({ ...cell, text: shortIds(cell.text) }))),
  };
  const widths = fitWidths(naturalWidths(short), areFigures, width);
  return widths === null ? blocks(whole) : draw(short, areFigures, widths);
};
