// CSV: rows as text, safe to open in a spreadsheet. The machine profile is UTF-8 with comma, dot, LF and a header row; a
// dialect holds what differs in other profiles. The only file that imports csv-stringify.
import { stringify } from 'csv-stringify/sync';
import { withCodes } from '../../base/unseen.ts';
import { BOOLEAN, type Cell, type Column, instantText, TIMESTAMPTZ } from '../../database/database.ts';

/** Types whose text no spreadsheet runs: integers, floats, numeric, dates and times, uuid. Amounts are never changed. */
const HARMLESS = new Set([20, 21, 23, 26, 700, 701, 1700, 1082, 1083, 1114, 2950]);

/** Leading blanks and invisible characters, then a character that starts a formula in a spreadsheet. */
const FORMULA = /^(?:[\t\r]|[\s\p{C}]*[=+\-@＝＋－＠])/u;

/** The header row. */
export const csvHeader = (columns: readonly Column[]): string => csvText([columns.map(({ name }) => name)]);

/**
 * The same character behind one that separates cells in another country's spreadsheet, which splits there whatever the quotes say:
 * they only count at the start of a cell.
 */
const FORMULA_INSIDE = /([,;\t\r\n]"?)(?=[=+\-@＝＋－＠])/g;

/** Rows of cells in the columns' order, as CSV lines. Text that a spreadsheet would run gets an apostrophe. */
export const csvRows = (columns: readonly Column[], rows: readonly (readonly Cell[])[]): string => {
  const writers = columns.map(({ typeId }) => writerOf(typeId));
  return csvText(
    rows.map((row) => row.map((cell, i) => (cell === null ? '' : (writers[i]?.(cell) ?? cell)))),
  );
};

/** Text that no spreadsheet runs as a formula. Not for amounts: `-1.5` is a number and stays one. */
export const guarded = (text: string): string =>
  (FORMULA.test(text) ? `'${text}` : text).replace(FORMULA_INSIDE, "$1'");

/** Most text, in which there is nothing to guard and nothing that cannot be seen. */
const PLAIN = /^[\w(][\w .:/()'<>-]*$/;

const textCell = (cell: string): string => (PLAIN.test(cell) ? cell : withCodes(guarded(cell)));

const writerOf = (typeId: number): ((cell: string) => string) => {
  if (typeId === TIMESTAMPTZ) return instantText;
  if (typeId === BOOLEAN) return (cell) => (cell === 't' ? 'true' : 'false');
  return HARMLESS.has(typeId) ? (cell) => cell : textCell; // a type not listed above is text
};

/** How the CSV of one profile differs from another's, cells aside. `mark` is a byte order mark or ''. */
export type Dialect = {
  readonly separator: ',' | ';';
  readonly lineEnd: '\n' | '\r\n';
  readonly mark: '' | '\ufeff';
};

const MACHINE: Dialect = { separator: ',', lineEnd: '\n', mark: '' };

/** A cell with a tab or semicolon is quoted too: LibreOffice separates at each of the three unless told otherwise. */
const QUOTED = /[;\t\r\n]/;

/** Rows as CSV lines. Those without a cell that needs quotes, nearly all, are joined: the library takes four times as long. */
export const csvText = (rows: readonly (readonly string[])[], dialect = MACHINE): string => {
  const needsQuotes = dialect.separator === ',' ? /[",;\t\r\n]/ : /[";\t\r\n]/;
  const join = (row: readonly string[]): string => row.join(dialect.separator) + dialect.lineEnd;
  const lines = rows.map((row) =>
    row.some((cell) => needsQuotes.test(cell)) ? quotedText([row], dialect) : join(row),
  );
  return lines.join('');
};

/** Every option that affects a byte is set. escape_formulas stays off because it spoils negative amounts. */
const quotedText = (rows: readonly (readonly string[])[], dialect: Dialect): string =>
  stringify(rows as string[][], {
    delimiter: dialect.separator,
    record_delimiter: dialect.lineEnd,
    quote: '"',
    escape: '"',
    quoted_match: QUOTED,
    escape_formulas: false,
    header: false,
    bom: false,
    eof: true,
  });
