// Cells: rows of a sheet as the XML of the format (ECMA-376, part 1, section 18.3.1). Text stands in its own cell: a table of
// shared texts would have to be in memory until the end.
import { cellText } from '../reports/cell-text.ts';

/**
 * A figure with all of its digits, which Excel rounds to 15 when it opens the file. Without a format it has its column's; `unit`
 * is the currency of an amount of money. With a formula, the digits are its result until a spreadsheet calculates it.
 */
type Figure = {
  readonly digits: string;
  readonly format?: string;
  readonly unit?: string;
  readonly formula?: string;
};

/** Text, a figure, a count or a date; null for an empty cell. A date is a number in a column with a date format. */
export type Value = string | number | Figure | null;

/** The letters of a column, counted from 1: 27 is AA. */
export const letters = (column: number): string =>
  column === 0 ? '' : letters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));

/** How a row looks: the index of a cell's style, by its value and its place in the row; the height, if it is fixed. */
export type RowLook = {
  readonly styleOf: (value: Exclude<Value, null>, index: number) => number;
  readonly height?: number;
};

/** A row by its number, counted from 1. */
export const rowXml = (row: number, values: readonly Value[], { styleOf, height }: RowLook): string => {
  let cells = '';
  for (const [index, value] of values.entries())
    if (value !== null) cells += cellXml(`${lettersAt(index)}${row}`, value, styleOf(value, index));
  const fixed = height === undefined ? '' : ` ht="${height}" customHeight="1"`;
  return `<row r="${row}"${fixed}>${cells}</row>`;
};

const cellXml = (place: string, value: Exclude<Value, null>, style: number): string => {
  const mark = style === 0 ? '' : ` s="${style}"`;
  if (typeof value === 'string')
    return `<c r="${place}"${mark} t="inlineStr"><is><t xml:space="preserve">${textXml(value)}</t></is></c>`;
  if (typeof value === 'number') return `<c r="${place}"${mark}><v>${value}</v></c>`;
  const formula = value.formula === undefined ? '' : `<f>${xmlText(value.formula)}</f>`;
  return `<c r="${place}"${mark}>${formula}<v>${value.digits}</v></c>`;
};

/** The letters of the first columns, found once. */
const LETTERS: string[] = Array.from({ length: 100 }, (_, index) => letters(index + 1));
const lettersAt = (index: number): string => LETTERS[index] ?? letters(index + 1);

const textXml = (value: string): string => {
  const text = cellText(value);
  return PLAIN.test(text) ? text : escaped(text);
};

/** Most cells: nothing to escape. An underscore may begin an escape of the format. */
const PLAIN = /^[ !-%'-;=?-^`-~\u00a0-\ud7ff]*$/;

/** Characters that XML cannot hold, or that a reader would change, as the format's own escapes; and text that looks like one. */
const UNWRITABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
  /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|_(?=x[0-9a-f]{4}_)/gi;

const escaped = (text: string): string => xmlText(text.replace(UNWRITABLE, escapeOf));

const escapeOf = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text between tags or in an attribute. */
export const xmlText = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

const PLAIN_FIGURE = /^-?\d+(?:\.\d+)?$/;

/** A figure in plain notation as it stands; other text as text. */
export const isFigureText = (text: string): boolean => PLAIN_FIGURE.test(text);
