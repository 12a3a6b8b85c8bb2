// A CSV of lines with named columns, some of which may be missing: read strictly, as everything that a file of a bank states.
import { csvLines, isOneOf } from '../../base/csv-file.ts';
import { readAmount } from '../../base/money.ts';
import { LINES_MAX, type RefuseFile, shown } from '../statement.ts';

export type ColumnRow<C extends string> = {
  readonly line: number;
  /** The cell of a column without blanks around it; '' if the file does not have the column. */
  readonly cell: (column: C) => string;
};

type Columns<C extends string> = {
  readonly required: readonly C[];
  readonly optional: readonly C[];
  /** How the first line must look, for messages. */
  readonly how: string;
};

const AMOUNTS = ['amount', 'balance', 'fee'] as const;

/** The first line's headings in small letters, and the other lines. */
export const tableOf = (name: string, bytes: Uint8Array, refuse: RefuseFile) => {
  const [head, ...body] = csvLines(name, bytes, isOneOf(AMOUNTS));
  if (head === undefined) return refuse(null, 'is empty: download it again');
  if (body.length === 0) refuse(head.line, 'is followed by no rows: there is nothing to compare');
  if (body.length > LINES_MAX) refuse(null, `has more than ${LINES_MAX} lines: split it`);
  return { head: head.line, names: head.cells.map((cell) => cell.trim().toLowerCase()), body };
};

type ColumnTable = ReturnType<typeof tableOf>;

export const rowsIn = <C extends string>(
  table: ColumnTable,
  columns: Columns<C>,
  refuse: RefuseFile,
): ColumnRow<C>[] => {
  const known: readonly string[] = [...columns.required, ...columns.optional];
  const unknown = table.names.find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(table.head, `the column ${shown(unknown)} is unknown: ${columns.how}`);
  const missing = columns.required.find((column) => !table.names.includes(column));
  if (missing !== undefined) refuse(table.head, `there is no column ${missing}: ${columns.how}`);
  const twice = table.names.find((name, index) => table.names.indexOf(name) !== index);
  if (twice !== undefined) refuse(table.head, `the column ${twice} is there twice: leave one`);
  return table.body.map(({ line, cells }) => ({
    line,
    cell: (column) => (cells[table.names.indexOf(column)] ?? '').trim(),
  }));
};

/** An amount with a sign, a decimal point and no thousands separator. */
export const signedAmount = (
  text: string,
  place: { line: number; column: string },
  refuse: RefuseFile,
): string => {
  const wrong = (why: string) => refuse(place.line, `the ${place.column} ${shown(text)} ${why}`);
  if (/\d,\d/.test(text)) return wrong('has a comma: write a decimal point and no thousands separator');
  if (!/^[+-]?\d+(\.\d+)?$/.test(text)) return wrong('is not written in digits: write it as -1234.56');
  const read = readAmount(text.replace(/^\+/, ''));
  return 'amount' in read ? read.amount : wrong(read.wrong);
};
