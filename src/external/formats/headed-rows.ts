// The rows of a bank's own CSV: its text in the encoding that fits, the line with the mapped headings, wherever it is, and the rows below.
import { cp1252Text } from '../../base/cp1252.ts';
import { type CsvLine, delimitedLines, SEPARATORS } from '../../base/csv-file.ts';
import { UsageError } from '../../base/errors.ts';
import { unicodeText } from '../../base/unicode-text.ts';
import { LINES_MAX, type RefuseFile, shown } from '../statement.ts';
import type { CsvMapping, Encoding, MappedColumn } from './csv-mapping.ts';

export type BankRow = {
  readonly line: number;
  /** The cells of a column without blanks around them; none if it is not mapped. */
  readonly cells: (column: MappedColumn) => readonly string[];
};

export type HeadedRows = {
  readonly encoding: Encoding;
  readonly separator: string;
  readonly headLine: number;
  readonly rows: readonly BankRow[];
};

/** Reads the rows below the line that has every mapped heading; what stands above it is left out. */
export const headedRows = (
  file: { readonly name: string; readonly bytes: Uint8Array },
  { headings, encoding: stated }: CsvMapping,
  refuse: RefuseFile,
): HeadedRows => {
  const { text, encoding } = decoded(file.bytes, stated, refuse);
  if (text.trim() === '') return refuse(null, 'is empty: download it again');
  const separator = separatorOf(text, Object.values(headings).flat(), refuse);
  const lines = delimitedLines(file.name, text, separator);
  const start = lines.findIndex(({ cells }) => hasAll(cells, Object.values(headings).flat()));
  const head =
    lines[start] ?? refuse(null, 'has a quote above its headings that is not closed there: remove it');
  const places = placesOf(head, headings, refuse);
  const body = lines.slice(start + 1);
  if (body.length === 0) refuse(head.line, 'is followed by no rows: there is nothing to compare');
  if (body.length > LINES_MAX) refuse(null, `has more than ${LINES_MAX} lines: download shorter periods`);
  const rows = body.map((line) => rowOf(line, { places, width: head.cells.length }, refuse));
  return { encoding, separator, headLine: head.line, rows };
};

/** UTF-8, or UTF-16 with its mark, shows itself. Anything else must be stated. */
const decoded = (
  bytes: Uint8Array,
  stated: Encoding | null,
  refuse: RefuseFile,
): { text: string; encoding: Encoding } => {
  const own = unicodeText(bytes, (why) => refuse(null, why))?.encoding ?? null;
  const isPlain = own === 'utf-8' && bytes.every((byte) => byte < 0x80);
  if (own === null && stated === null)
    refuse(
      null,
      'is not UTF-8: add encoding=windows-1252 (most banks), encoding=latin-1 or encoding=iso-8859-15 to --map or to the file of --columns',
    );
  if (own !== null && stated !== null && own !== stated && !isPlain)
    refuse(null, `is ${own.toUpperCase()}, and encoding=${stated} is stated: leave encoding out`);
  const encoding = stated ?? own ?? 'utf-8';
  return { encoding, text: textIn(bytes, encoding, refuse) };
};

/** latin-1 is read as windows-1252, which has its letters at the same places. */
const textIn = (bytes: Uint8Array, encoding: Encoding, refuse: RefuseFile): string => {
  if (encoding === 'latin-1' || encoding === 'windows-1252') return cp1252Text(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return refuse(null, `is not ${encoding}: leave encoding out, or write the one of the bank`);
  }
};

const comparable = (heading: string): string => heading.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** A heading that a bank uses twice is written with its number: `Divisa#2`. */
const placeOf = (cells: readonly string[], heading: string): number => {
  const names = cells.map(comparable);
  const whole = names.indexOf(comparable(heading));
  const [, name = '', nth = ''] = /^(.+)#([1-9])$/.exec(heading) ?? [];
  if (whole >= 0 || name === '') return whole;
  const places = names.flatMap((one, place) => (one === comparable(name) ? [place] : []));
  return places['123456789'.indexOf(nth)] ?? -1;
};

const hasAll = (cells: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((heading) => placeOf(cells, heading) >= 0);

/** The headings stand in one of the first lines, and no other separator cuts such a line so. */
const HEAD_LINES_MAX = 100;

const separatorOf = (text: string, wanted: readonly string[], refuse: RefuseFile): string => {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .slice(0, HEAD_LINES_MAX);
  const cut = lines.flatMap((line, index) =>
    SEPARATORS.map((separator) => ({ separator, line: index + 1, cells: cellsIn(line, separator) })),
  );
  const found = cut.find(({ cells }) => hasAll(cells, wanted));
  return found?.separator ?? refuse(null, missingText(cut, wanted));
};

/** The cells of a line; none if it is not one with that separator. */
const cellsIn = (line: string, separator: string): readonly string[] => {
  const cells = line.split(separator).map((cell) => cell.trim());
  const isQuoted = cells.some((cell) => cell.includes('"'));
  if (!isQuoted) return cells;
  try {
    return delimitedLines('', line, separator)[0]?.cells ?? [];
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
};

/** The line that has the most of the headings, and what it lacks. */
const missingText = (lines: readonly CsvLine[], wanted: readonly string[]): string => {
  const lacks = ({ cells }: CsvLine) => wanted.filter((heading) => placeOf(cells, heading) < 0);
  const best = lines.reduce<CsvLine | null>(
    (one, other) => (one === null || lacks(other).length < lacks(one).length ? other : one),
    null,
  );
  const { line, cells } = best ?? { line: 1, cells: [] };
  const filled = cells.filter((cell) => cell.trim() !== '').slice(0, 20);
  return `no line of the first ${HEAD_LINES_MAX} has all mapped headings: line ${line} comes nearest and lacks ${lacks({ line, cells }).map(shown).join(', ')}; it has ${filled.map((cell) => shown(cell.trim())).join(', ')}`;
};

type Places = ReadonlyMap<MappedColumn, readonly number[]>;

const placesOf = (
  head: { readonly line: number; readonly cells: readonly string[] },
  headings: CsvMapping['headings'],
  refuse: RefuseFile,
): Places => {
  const names = head.cells.map(comparable);
  const twice = Object.values(headings)
    .flat()
    .find((heading) => names.indexOf(comparable(heading)) !== names.lastIndexOf(comparable(heading)));
  if (twice !== undefined)
    refuse(head.line, `the heading ${shown(twice)} is there twice: write ${twice}#1 or ${twice}#2`);
  return new Map(
    Object.entries(headings).map(([column, own]) => [
      column as MappedColumn,
      own.map((heading) => placeOf(head.cells, heading)),
    ]),
  );
};

/** Banks end a row with or without a last separator: cells beyond the headings must be empty. */
const rowOf = (
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  { places, width }: { readonly places: Places; readonly width: number },
  refuse: RefuseFile,
): BankRow => {
  const needed = Math.max(...[...places.values()].flat()) + 1;
  if (cells.length < needed || cells.slice(width).some((cell) => cell.trim() !== ''))
    refuse(
      line,
      `has ${cells.length} cells, and the headings are ${width}: remove lines that are no payments, or download the file again`,
    );
  return { line, cells: (column) => (places.get(column) ?? []).map((place) => (cells[place] ?? '').trim()) };
};
