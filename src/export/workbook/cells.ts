// Cells: rows of a sheet as the XML of the format (ECMA-376, part 1, section 18.3.1). Text stands in its own cell: a table of
// shared texts would have to be in memory until the end.

/** Text or a figure; null for an empty cell. A date is a figure in a column with a date format. */
export type Value = string | number | null;

/** Excel reports a file as broken if a cell has more characters. */
const TEXT_MAX = 32_767;
const CUT = ' … (cut: the CSV has all of it)';

/** The letters of a column, counted from 1: 27 is AA. */
export const letters = (column: number): string =>
  column === 0 ? '' : letters(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));

/** A row by its number, counted from 1; `styles` are the indexes of the cells' styles. */
export const rowXml = (row: number, values: readonly Value[], styles: readonly number[]): string => {
  let cells = '';
  for (const [index, value] of values.entries())
    if (value !== null) cells += cellXml(`${lettersAt(index)}${row}`, value, styles[index] ?? 0);
  return `<row r="${row}">${cells}</row>`;
};

const cellXml = (place: string, value: string | number, style: number): string => {
  const mark = style === 0 ? '' : ` s="${style}"`;
  return typeof value === 'number'
    ? `<c r="${place}"${mark}><v>${value}</v></c>`
    : `<c r="${place}"${mark} t="inlineStr"><is><t xml:space="preserve">${cellText(value)}</t></is></c>`;
};

/** The letters of the first columns, found once. */
const LETTERS: string[] = Array.from({ length: 100 }, (_, index) => letters(index + 1));
const lettersAt = (index: number): string => LETTERS[index] ?? letters(index + 1);

const cellText = (value: string): string => {
  const text = value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX - CUT.length)}${CUT}` : value;
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

/** An exact figure as a number if Excel preserves each of its digits; as text otherwise. */
export const numberOr = (text: string): Value => {
  const digits = text.replace(/^-?0*\.?0*|\./g, '').replace(/^0+/, '');
  return /^-?\d+(\.\d+)?$/.test(text) && digits.length <= 15 ? Number(text) : text;
};
