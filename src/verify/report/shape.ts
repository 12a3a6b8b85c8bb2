// The shape of an export's tables: headings, columns and number of rows, as its manifest states them.
import type { Examination } from './examine.ts';
import type { Table } from './tables.ts';

type Shape = {
  readonly faults: string[];
  /** Rows read. */
  count: number;
};

/** A sentence for each table with another heading, another number of columns in a row, or another number of rows. */
export const shapeExamination = (): Examination => {
  const shapes = new Map<Table, Shape>();
  return {
    proof: 'each has its rows and columns',
    examinersOf: (table) => {
      const shape: Shape = { faults: [], count: 0 };
      shapes.set(table, shape);
      const head = (cells: readonly string[]) => shape.faults.push(...headingFaults(table, cells));
      const take = (rows: readonly string[][]): void => {
        if (shape.faults.length === 0) shape.faults.push(...widthFaults(table, rows, shape.count));
        shape.count += rows.length;
      };
      return [{ head, take }];
    },
    figures: () => ({
      checked: shapes.size,
      faults: [...shapes].flatMap(([table, shape]) => [...shape.faults, ...countFaults(table, shape)]),
    }),
  };
};

const headingFaults = ({ file, stated }: Table, cells: readonly string[]): string[] => {
  const { columns, headings = columns } = stated;
  const index = headings.findIndex((name, i) => name !== cells[i]);
  if (index < 0) return [];
  return [
    `${file}, line 1, column ${index + 1}: expected ${headings[index]}, found ${cells[index] ?? 'nothing'}`,
  ];
};

const widthFaults = ({ file, stated }: Table, rows: readonly string[][], before: number): string[] => {
  const width = stated.columns.length;
  const index = rows.findIndex((row) => row.length !== width);
  if (index < 0) return [];
  return [`${file}, row ${before + index + 1}: expected ${width} columns, found ${rows[index]?.length}`];
};

const countFaults = ({ file, stated }: Table, { count }: Shape): string[] =>
  count === stated.rows ? [] : [`${file}: the manifest says ${stated.rows} rows, there are ${count}`];
