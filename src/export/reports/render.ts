// Rendering: rewrites a report of the machine profile, from the books or from a seal, in another profile, so that a closed
// month has the sealed content in every profile. It only adds columns.
import { ownRows } from '../../base/csv-file.ts';
import { csvText } from './csv.ts';
import { type Heading, headingOf, isFigure, titleOf } from './headings.ts';
import { asLiteral } from './literal.ts';
import { cellWriter, exactText, type Profile } from './profile.ts';
import type { Piece } from './sealed.ts';

/** How a report is written: the timezone of its instants, and the reporting currency. */
type RenderOptions = {
  readonly profile: Profile;
  readonly timezone: string;
  readonly currency: string;
};

/** The columns of a report, by the names in a manifest. */
export const columnsOf = (report: string, names: readonly string[]): Heading[] =>
  names.map((name) => headingOf(report, name));

/** The unit of a figure in a row. */
export const unitOf = (
  columns: readonly Heading[],
  { unit }: Heading,
  currency: string,
): ((row: readonly string[]) => string) => {
  const index = columns.findIndex(({ name }) => name === unit);
  if (index >= 0) return (row) => row[index] ?? '';
  return () => (unit === 'reporting' ? currency : unit);
};

/** The pieces of a report in another profile; the header comes first, as in the input. */
export async function* rendered(
  report: string,
  pieces: AsyncIterable<Piece>,
  options: RenderOptions,
): AsyncGenerator<Piece> {
  let write: (row: readonly string[]) => string[] = (row) => [...row];
  for await (const piece of pieces) {
    if (piece.columns) {
      const columns = columnsOf(report, piece.columns);
      write = rowWriter(columns, options);
      yield header(columns, options);
    } else {
      const rows = ownRows(piece.text).map((row) => write(row));
      yield { text: csvText(rows, options.profile), rows: piece.rows };
    }
  }
}

/** A column of exact text: its name in a manifest, its heading, and its cell in a row. */
type ExactColumn = {
  readonly name: string;
  readonly title: string;
  readonly cellIn: (row: readonly string[]) => string;
};

/** The name of the column of exact text of a column of figures. */
export const exactName = (name: string): string => `${name}_text`;

/** Every column of figures has one, even an empty one, so that a report has one shape. They come after all other columns. */
export const exactColumns = (
  columns: readonly Heading[],
  { profile, currency }: Pick<RenderOptions, 'profile' | 'currency'>,
): ExactColumn[] =>
  columns.flatMap((column, index) => {
    if (!isFigure(column)) return [];
    const unit = unitOf(columns, column, currency);
    return {
      name: exactName(column.name),
      title: `${titleOf(column, profile.language, currency)} (${profile.exact})`,
      cellIn: (row) => (row[index] ? exactText(profile, row[index], unit(row)) : ''),
    };
  });

const header = (columns: readonly Heading[], { profile, currency }: RenderOptions): Piece => {
  const exact = exactColumns(columns, { profile, currency });
  const titles = [
    ...columns.map((column) => titleOf(column, profile.language, currency)),
    ...exact.map(({ title }) => title),
  ];
  return {
    text: `${profile.mark}${csvText([titles], profile)}`,
    rows: 0,
    columns: [...columns, ...exact].map(({ name }) => name),
    headings: titles,
  };
};

/** An empty cell stays empty in any column. */
const rowWriter = (columns: readonly Heading[], { profile, timezone, currency }: RenderOptions) => {
  const cells = columns.map((column) => cellWriter(profile, column, timezone));
  const exact = exactColumns(columns, { profile, currency });
  return (row: readonly string[]): string[] => [
    ...row.map((cell, index) => (cell === '' ? '' : (cells[index]?.(cell) ?? cell))),
    ...exact.map(({ cellIn }) => asLiteral(cellIn(row))), // `OCT 26` is a day to a spreadsheet
  ];
};
