// Rendering: rewrites a report of the machine profile, from the books or from a seal, in another profile, so that a closed
// month has the sealed content in every profile. It only adds columns.
import { ownRows } from '../../base/csv-file.ts';
import { csvText } from './csv.ts';
import { type Heading, headingOf, titleOf } from './headings.ts';
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

/** Every numeric column has a text column after all the others, even an empty one, so that a report has one shape. */
export const isExact = ({ kind }: Heading): boolean => kind === 'quantity' || kind === 'money';

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

const header = (columns: readonly Heading[], { profile, currency }: RenderOptions): Piece => {
  const added = columns.filter(isExact);
  const title = (column: Heading) => titleOf(column, profile.language, currency);
  const titles = [...columns.map(title), ...added.map((column) => `${title(column)} (${profile.exact})`)];
  return {
    text: `${profile.mark}${csvText([titles], profile)}`,
    rows: 0,
    columns: [...columns, ...added.map(({ name }) => ({ name: `${name}_text` }))].map(({ name }) => name),
    headings: titles,
  };
};

/** An empty cell stays empty in any column. */
const rowWriter = (columns: readonly Heading[], { profile, timezone, currency }: RenderOptions) => {
  const cells = columns.map((column) => cellWriter(profile, column, timezone));
  const added = columns.flatMap((column, index) =>
    isExact(column) ? [{ at: index, unit: unitOf(columns, column, currency) }] : [],
  );
  return (row: readonly string[]): string[] => [
    ...row.map((cell, index) => (cell === '' ? '' : (cells[index]?.(cell) ?? cell))),
    ...added.map(({ at: index, unit }) => (row[index] ? exactText(profile, row[index], unit(row)) : '')),
  ];
};
