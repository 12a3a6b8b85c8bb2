// Fits a table to a terminal: figures are right-aligned and never shortened, ids and texts are shortened, and if that is
// still too wide, each row becomes a block of lines.
import Table from 'cli-table3';
import { paint, type Tone } from './terminal.ts';

type Toned = { readonly text: string; readonly tone: Tone | null };
export type Cell = string | number | null | Toned;
export type Rows = readonly (readonly Cell[])[];

/** Text from outside on one line: removes control characters before they reach a terminal. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

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

const NONE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
};
const GAP = '  ';

type Content = { readonly head: readonly string[]; readonly rows: readonly (readonly Toned[])[] };

const columnsOf = ({ head, rows }: Content): string[][] =>
  head.map((_, column) => rows.map((row) => row[column]?.text ?? ''));

/** The package compares each cell with those before it, so a long table is laid out in pieces of equal widths. */
const PIECE_ROWS = 100;

const draw = (
  { head, rows }: Content,
  areFigures: readonly boolean[],
  widths: readonly number[] | null,
): Drawn => {
  const pieces = Array.from({ length: Math.max(1, Math.ceil(rows.length / PIECE_ROWS)) }, (_, nth) => ({
    head: nth === 0 ? head : [],
    rows: rows.slice(nth * PIECE_ROWS, (nth + 1) * PIECE_ROWS),
  }));
  const drawn = (fixed: readonly number[] | null) =>
    pieces.map((piece) => drawPiece(piece, areFigures, fixed));
  const natural = widths === null ? drawn(null) : [];
  const [only] = natural;
  if (only && natural.length === 1) return only;
  const all =
    widths ?? head.map((_, column) => Math.max(...natural.map((piece) => piece.widths[column] ?? 0)));
  return {
    text: drawn(all)
      .map(({ text }) => text)
      .join('\n'),
    widths: all,
  };
};

type Drawn = { readonly text: string; readonly widths: readonly number[] };

const drawPiece = (
  { head, rows }: Content,
  areFigures: readonly boolean[],
  widths: readonly number[] | null,
): Drawn => {
  const shown = new Table({
    head: [...head],
    chars: { ...NONE, middle: GAP },
    colAligns: areFigures.map((isRight) => (isRight ? 'right' : 'left')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    ...(widths !== null && { colWidths: [...widths] }),
  });
  for (const row of rows) shown.push(row.map(painted));
  const text = shown.toString().replaceAll(/ +$/gm, '');
  return { text, widths: shown.options.colWidths.map((width) => width ?? 0) };
};

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
  const natural = draw(whole, areFigures, null);
  if (width === null || totalOf(natural.widths) <= width) return natural.text;
  const short = {
    head: whole.head,
    rows: whole.rows.map((row) => row.map((cell) => ({ ...cell, text: shortIds(cell.text) }))),
  };
  const widths = fitWidths(draw(short, areFigures, null).widths, areFigures, width);
  return widths === null ? blocks(whole) : draw(short, areFigures, widths).text;
};
