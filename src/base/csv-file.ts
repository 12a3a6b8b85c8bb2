// Strict reading of CSV files that people supply, because their rows become entries. Every error names the line, the
// fault and the remedy. This is the only file that imports csv-parse.
import { CsvError, parse } from 'csv-parse/sync';
import { UsageError } from './errors.ts';
import { givenText } from './given-text.ts';
import { readNamedFile, streamOf } from './named-file.ts';
import { unicodeText } from './unicode-text.ts';

/** One line below the header: its line number in the file, and its cells by column name. */
export type CsvRow<C extends string> = { readonly line: number; readonly cells: Readonly<Record<C, string>> };

const BYTES_MAX = 10_000_000;

/**
 * Reads a file in UTF-8 or UTF-16 whose first line contains exactly these columns, in any order, separated by one of
 * `SEPARATORS`. A byte order mark and a line `sep=;` above are allowed; `optional` columns may be missing, and are empty then;
 * those in `amounts` hold figures. Throws a UsageError for anything else.
 */
export const readCsvFile = <C extends string, O extends string = never>(
  path: string,
  columns: readonly C[],
  options: CsvOptions<C, O> = {},
): CsvRow<C | O>[] => parseCsv(path, bytesOf(path), columns, options);

type CsvOptions<C, O> = { readonly optional?: readonly O[]; readonly amounts?: readonly C[] };

/** The bytes of a plain file that the user named, at most `bytesMax`. Throws a UsageError if it cannot be read. */
export const bytesOf = (path: string, bytesMax = BYTES_MAX): Buffer => {
  const read = readNamedFile(path, { bytesMax });
  if ('bytes' in read) return read.bytes;
  throw refusal(path, read.refusal);
};

const refusal = (path: string, why: string): UsageError => new UsageError(`${path}: ${why}`);

/** Like `readCsvFile`, but from bytes; error messages use `name` as the file's name. */
export const parseCsv = <C extends string, O extends string = never>(
  name: string,
  bytes: Uint8Array,
  columns: readonly C[],
  { optional = [], amounts = [] }: CsvOptions<C, O> = {},
): CsvRow<C | O>[] => {
  const how = `its first line must be ${columns.join(',')}${optional.length > 0 ? `, and may add ${optional.join(', ')}` : ''}`;
  const [head, ...body] = csvLines(name, bytes, isOneOf(amounts));
  if (!head) throw refusal(name, `is empty: ${how}`);
  const names = head.cells.map((cell) => cell.trim());
  const known = [...columns, ...optional.filter((column) => names.includes(column))];
  const missing = known.filter((column) => names.filter((name) => name === column).length !== 1);
  if (missing.length > 0 || names.length !== known.length)
    throw refusal(name, `line ${head.line} names ${names.join(',').slice(0, 120)}: ${how}`);
  if (body.length === 0) throw refusal(name, 'has a header and no rows: add rows below it');
  refuseLong(name, names, body);
  return body.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries([
      ...optional.map((column) => [column, '']),
      ...names.map((column, index) => [column, (cells[index] ?? '').trim()]),
    ]) as Record<C | O, string>,
  }));
};

const refuseLong = (name: string, columns: readonly string[], lines: readonly CsvLine[]): void => {
  for (const { line, cells } of lines)
    for (const [index, cell] of cells.entries())
      givenText(`${name}: line ${line}, column ${columns[index]}`, cell);
};

/**
 * The non-empty lines of a CSV file, header included; its first line shows its separator. `isAmount` tells by the heading, in
 * small letters, whether a column has figures.
 */
export const csvLines = (
  name: string,
  bytes: Uint8Array,
  isAmount: (column: string) => boolean = () => false,
): CsvLine[] => {
  if (bytes.length > BYTES_MAX) throw refusal(name, `is larger than ${BYTES_MAX / 1_000_000} MB: split it`);
  const text = unicodeText(bytes, (why) => {
    throw refusal(name, why);
  })?.text;
  if (text === undefined || text.includes('\0')) throw refusal(name, 'is not UTF-8: save it as "CSV UTF-8"');
  if (text.trim() === '') return [];
  const lines = rowsOf(name, text);
  if (separatorOf(text) !== ',') refuseThousands(name, lines, isAmount);
  return lines;
};

/** Whether a column is one of these. */
export const isOneOf =
  (columns: readonly string[]) =>
  (column: string): boolean =>
    columns.includes(column);

/** Where no comma separates cells, a point may separate thousands: the lines are refused if a figure can be read both ways. */
const refuseThousands = (
  name: string,
  [head, ...body]: readonly CsvLine[],
  isAmount: (column: string) => boolean,
): void => {
  const columns = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  for (const { line, cells } of body)
    for (const [index, cell] of cells.entries()) {
      const column = columns[index] ?? '';
      const figure = cell.trim();
      if (!isAmount(column) || !/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(figure)) continue;
      const whole = figure.replace('.', '');
      throw refusal(
        name,
        `line ${line}, column ${column}: without commas between cells, ${figure} may be ${whole}: write ${whole}, or ${figure}0 if the point is a decimal one`,
      );
    }
};

/**
 * The rows of a CSV that tieout wrote itself, cells unchanged. A piece of a file must contain whole rows. Text without
 * quotes skips the parser, which would take most of the time of writing it in another profile.
 */
export const ownRows = (text: string, separator: ',' | ';' = ','): string[][] =>
  text.includes('"')
    ? parse(text, { delimiter: separator, record_delimiter: LINE_ENDS, bom: true, relax_column_count: true })
    : text
        .replace(/^\ufeff/, '')
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .filter((line, index) => index > 0 || line !== '' || text.endsWith('\n'))
        .map((line) => line.split(separator));

const LINE_ENDS = ['\r\n', '\n'];

/** The rows of such a file in pieces, so that memory use is constant; the header comes first. */
export async function* ownRowsIn(path: string, separator: ',' | ';' = ','): AsyncGenerator<string[][]> {
  for await (const text of wholeRows(path)) yield ownRows(text, separator);
}

const ROW_CHARS_MAX = 16_000_000;

/** The text of a file in pieces that end with a row: a line break between quotes is part of a cell. */
async function* wholeRows(path: string): AsyncGenerator<string> {
  let open = '';
  for await (const chunk of await streamOf(path, { encoding: 'utf8', highWaterMark: 1 << 17 })) {
    const text = open + chunk;
    const end = rowsEnd(text);
    open = text.slice(end);
    if (open.length > ROW_CHARS_MAX) throw new Error('has a row without an end: its quotes are not closed');
    if (end > 0) yield text.slice(0, end);
  }
  if (open !== '') yield open;
}

/** The index after the last line break outside quotes. */
const rowsEnd = (text: string): number => {
  let end = 0;
  let isQuoted = false;
  for (const { 0: sign, index } of text.matchAll(/["\n]/g)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted) end = index + 1;
  }
  return end;
};

/** The unchanged cells of a line, and its line number in the file: that of its last one, if cells have line breaks. */
export type CsvLine = { readonly line: number; readonly cells: readonly string[] };

const rowsOf = (name: string, text: string): CsvLine[] => {
  const [, stated = ';'] = SEPARATOR_LINE.exec(text) ?? [];
  if (!SEPARATORS.some((separator) => separator === stated))
    throw refusal(
      name,
      'line 1 states another separator than a comma, a semicolon, a tab or a bar: save it with one of them',
    );
  const lines = parsedLines(name, text.replace(SEPARATOR_LINE, ''), separatorOf(text));
  const other = lines.find(({ cells }) => cells.length !== lines[0]?.cells.length);
  if (!other) return withoutEmptyColumns(lines);
  throw refusal(
    name,
    `line ${other.line} has a different number of columns than the first line: check for decimal commas, and write a decimal point instead`,
  );
};

/** Spreadsheets write empty columns to the right of a table, and some banks end each line with a separator. */
const withoutEmptyColumns = (lines: readonly CsvLine[]): CsvLine[] => {
  const widthOf = ({ cells }: CsvLine) => cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const width = lines.reduce((most, line) => Math.max(most, widthOf(line)), 0);
  return lines.map(({ line, cells }) => ({ line, cells: cells.slice(0, width) }));
};

/** A first line for Excel, which states the separator; who saves it again may add empty cells. What ends it is not part of this: so the others keep their numbers. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"]?)"?\1* *(?=[\r\n]|$)/i;

/** The separators of cells; where the first line contains several, the first of these counts. */
export const SEPARATORS = [';', '\t', '|', ','] as const;

/** The separator that the first line states or, if it is the headings, contains outside quotes. */
const separatorOf = (text: string): string => {
  const [, stated] = SEPARATOR_LINE.exec(text) ?? [];
  const [line = ''] = /^[^\r\n]*/.exec(text.trimStart()) ?? [];
  const bare = line.replaceAll(/"[^"]*"/g, '');
  return stated || (SEPARATORS.find((separator) => bare.includes(separator)) ?? ',');
};

/** The non-empty lines of a text with that separator, however many cells each has: what banks write above and below their tables. */
export const delimitedLines = (name: string, text: string, delimiter: string): CsvLine[] =>
  parsedLines(name, text.replace(/^\ufeff/, ''), delimiter);

/** A line whose cells are all empty is an empty one: spreadsheets write them below a table. */
const parsedLines = (name: string, text: string, delimiter: string): CsvLine[] => {
  try {
    const parsed = parse(text, {
      delimiter,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
    }) as unknown as ParsedLine[];
    return withLines(parsed);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as { lines?: unknown };
    throw refusal(
      name,
      `line ${typeof lines === 'number' ? lines : 1} has an unclosed or misplaced quote: correct it`,
    );
  }
};

type ParsedLine = { readonly record: string[]; readonly info: { readonly lines: number } };

/** The parser counts each CR LF within a cell as two line breaks. */
const withLines = (parsed: readonly ParsedLine[]): CsvLine[] => {
  let countedTwice = 0;
  return parsed.map(({ record, info }) => {
    for (const cell of record) countedTwice += cell.split('\r\n').length - 1;
    return { line: info.lines - countedTwice, cells: record };
  });
};
