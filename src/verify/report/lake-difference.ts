// Finds where two files of a lake first differ, by row and column.
import { parseExact } from '../../base/json.ts';
import type { OpenLake } from '../../export/contents.ts';

/** Columns that a view computes from the clock: an export at another time has other values there. */
const FROM_CLOCK: readonly string[] = ['age_days'];

/** `expected` is the path of a file that the books wrote again, `found` the one under verification. */
type Files = { readonly expected: string; readonly found: string };

/** The end of a sentence that begins with the name of the file; null if the values of both are equal. */
export const rowDifference = async (lake: OpenLake, { expected, found }: Files): Promise<string | null> => {
  const [ours = [], theirs = []] = [await lake.columnsOf(expected), await lake.columnsOf(found)].map((all) =>
    all.map(({ name }) => name).filter((name) => !FROM_CLOCK.includes(name)),
  );
  if (ours.join() !== theirs.join()) return `: expected columns ${ours.join()}, found ${theirs.join()}`;
  const [row] = await lake.rows(`
    select a.number + 1 as expected, b.number + 1 as found, a.cells as ours, b.cells as theirs
    from ${cellsSql(lake.fileSql(expected), ours)} as a
    full join ${cellsSql(lake.fileSql(found), ours)} as b using (number)
    where a.cells is distinct from b.cells order by coalesce(a.number, b.number) limit 1`);
  if (row === undefined) return null;
  if (row.found === null) return `, row ${row.expected}: expected ${row.ours}, found the end`;
  if (row.expected === null) return `, row ${row.found}: expected the end, found ${row.theirs}`;
  const [cells, others] = [cellsIn(row.ours), cellsIn(row.theirs)];
  const index = cells.findIndex((cell, i) => cell !== others[i]);
  return `, row ${row.found}, column ${ours[index]}: expected ${cells[index]}, found ${others[index]}`;
};

/** A file as the number of each row and the texts of its cells. */
const cellsSql = (file: string, columns: readonly string[]): string =>
  `(select file_row_number as number, to_json([${columns.map((name) => `"${name}"::varchar`).join(', ')}])::varchar as cells from ${file})`;

const cellsIn = (cells: string | null | undefined): readonly (string | null)[] =>
  parseExact(cells ?? '[]') as (string | null)[];
