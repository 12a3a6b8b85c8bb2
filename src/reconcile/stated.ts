// What a person's file states: a header with named columns, and figures written out in digits. Read strictly, because it is signed.
import { csvLines, isOneOf } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { readAmount } from '../base/money.ts';

/** A file: its name without folders, and its bytes. */
export type StatementEvidence = { readonly name: string; readonly bytes: Uint8Array };

/** Ends with the fault and the remedy. */
export type RefuseLine = (why: string) => never;

/** How a file of one kind is read; `optional` columns are read where the file has them, and empty elsewhere. */
type StatedForm<C extends string, L> = {
  readonly required: readonly C[];
  readonly optional?: readonly C[];
  readonly amounts: readonly C[];
  /** What the header must name, for messages. */
  readonly how: string;
  readonly lineOf: (row: StatedRow<C>, refuse: RefuseLine) => L;
  /** What no second line may state. */
  readonly nameOf: (line: L) => string;
};

/** A row of a file: its line, and its cells by column. */
export type StatedRow<C extends string> = { readonly line: number; readonly cell: (column: C) => string };

/** Reads a whole file. Throws a UsageError that names the file, the place in it, the fault and the remedy. */
export const readStated = <C extends string, L extends { readonly line: number }>(
  file: string,
  bytes: Uint8Array,
  { required, optional = [], amounts, how, lineOf, nameOf }: StatedForm<C, L>,
): L[] => {
  const refuse = (where: string, why: string): never => {
    throw new UsageError(`${file}${where}: ${why}`);
  };
  const refuserAt =
    (line: number): RefuseLine =>
    (why) =>
      refuse(` line ${line}`, why);
  const [head, ...body] = csvLines(file, bytes, isOneOf(amounts));
  if (!head) return refuse('', `is empty: ${how}`);
  const places = columnPlaces(head.cells, { required, optional, how }, refuserAt(head.line));
  if (body.length === 0) refuse('', 'has a header and no rows: there is nothing to compare');
  const lines = body.map(({ line, cells }) => {
    const cell = (column: C) => (cells[places.get(column) ?? -1] ?? '').trim();
    return lineOf({ line, cell }, refuserAt(line));
  });
  refuseTwice(lines, nameOf, refuserAt);
  return lines;
};

/** The places of columns, whatever their order; the error names all that are missing. */
const columnPlaces = <C extends string>(
  head: readonly string[],
  {
    required,
    optional,
    how,
  }: { readonly required: readonly C[]; readonly optional: readonly C[]; readonly how: string },
  refuse: RefuseLine,
): ReadonlyMap<C, number> => {
  const names = head.map((name) => name.trim().toLowerCase());
  const missing = required.filter((column) => !names.includes(column));
  if (missing.length > 0) refuse(`there is no column ${missing.join(', ')}: ${how}`);
  const columns = [...required, ...optional].filter((column) => names.includes(column));
  const twice = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined) refuse(`the column ${twice} is there twice: leave one`);
  return new Map(columns.map((column) => [column, names.indexOf(column)]));
};

/** A figure with a decimal point, as exact text; `name` is what it is, for messages. */
export const statedAmount = (text: string, name: string, refuse: RefuseLine): string => {
  if (text === '') return refuse(`there is no ${name}: write 0 where it is nothing`);
  if (/^[+-]?[\d.]*\d,\d/.test(text))
    return refuse(`the ${name} ${shown(text)} has a comma: write a decimal point and no thousands separator`);
  if (!/^-?\d+(\.\d+)?$/.test(text))
    return refuse(`the ${name} ${shown(text)} is not written out in digits: write it as 1234.56`);
  const read = readAmount(text);
  return 'amount' in read ? read.amount : refuse(`the ${name} ${read.wrong}`);
};

/** Refuses a line whose name an earlier line has. */
const refuseTwice = <L extends { readonly line: number }>(
  lines: readonly L[],
  nameOf: (line: L) => string,
  refuserAt: (line: number) => RefuseLine,
): void => {
  const seen = new Map<string, number>();
  for (const line of lines) {
    const first = seen.get(nameOf(line));
    if (first !== undefined)
      refuserAt(line.line)(`${nameOf(line)} is stated on line ${first} too: leave the one that is meant`);
    seen.set(nameOf(line), line.line);
  }
};

export const shown = (text: string): string => JSON.stringify(text.slice(0, 60));
