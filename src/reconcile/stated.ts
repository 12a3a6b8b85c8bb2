// What a person's file states: a header with named columns, and figures written out in digits. Read strictly, because it is signed.
import { UsageError } from '../base/errors.ts';
import { readAmount } from '../base/money.ts';

/** A file: its name without folders, and its bytes. */
export type StatementEvidence = { readonly name: string; readonly bytes: Uint8Array };

/** Ends with the fault and the remedy. */
export type RefuseLine = (why: string) => never;

/** Ends with the file, the place in it, the fault and the remedy. */
export const refuserIn =
  (file: string) =>
  (where: string, why: string): never => {
    throw new UsageError(`${file}${where}: ${why}`);
  };

/** The places of columns, whatever their order; the error names all that are missing. */
export const columnPlaces = <C extends string>(
  head: readonly string[],
  { required, how }: { readonly required: readonly C[]; readonly how: string },
  refuse: RefuseLine,
): Readonly<Record<C, number>> => {
  const names = head.map((name) => name.trim().toLowerCase());
  const missing = required.filter((column) => !names.includes(column));
  if (missing.length > 0) refuse(`there is no column ${missing.join(', ')}: ${how}`);
  const twice = required.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined) refuse(`the column ${twice} is there twice: leave one`);
  return Object.fromEntries(required.map((column) => [column, names.indexOf(column)])) as Record<C, number>;
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

/** Refuses a line whose key an earlier line has. */
export const refuseTwice = <L extends { readonly line: number }>(
  lines: readonly L[],
  nameOf: (line: L) => string,
  refuse: (line: number, why: string) => never,
): void => {
  const seen = new Map<string, number>();
  for (const line of lines) {
    const first = seen.get(nameOf(line));
    if (first !== undefined)
      refuse(line.line, `${nameOf(line)} is stated on line ${first} too: leave the one that is meant`);
    seen.set(nameOf(line), line.line);
  }
};

export const shown = (text: string): string => JSON.stringify(text.slice(0, 60));
