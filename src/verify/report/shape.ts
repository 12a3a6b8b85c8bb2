// The shape of an export's tables: columns and number of rows, as its manifest states them. Headings are a matter of reading.
import type { Examination } from './examine.ts';
import type { Table } from './tables.ts';

type Shape = {
  readonly faults: string[];
  /** Rows read. */
  count: number;
};

/** A sentence for each table with another number of columns in a row, or another number of rows. */
export const shapeExamination = (): Examination => {
  const shapes = new Map<Table, Shape>();
  return {
    proof: 'each has its rows and columns',
    examinersOf: (table) => {
      const shape: Shape = { faults: [], count: 0 };
      shapes.set(table, shape);
      const take = (rows: readonly string[][]): void => {
        if (shape.faults.length === 0) shape.faults.push(...widthFaults(table, rows, shape.count));
        shape.count += rows.length;
      };
      const end = () => shape.faults.push(...countFaults(table, shape));
      return [{ take, end }];
    },
    figures: () => ({
      checked: shapes.size,
      faults: [...shapes.values()].flatMap(({ faults }) => faults),
    }),
  };
};

const widthFaults = ({ file, stated }: Table, rows: readonly string[][], before: number): string[] => {
  const width = stated.columns.length;
  const index = rows.findIndex((row) => row.length !== width);
  if (index < 0) return [];
  return [`${file}, row ${before + index + 1}: expected ${width} columns, found ${rows[index]?.length}`];
};

const countFaults = ({ file, stated }: Table, { count }: Shape): string[] =>
  count === stated.rows ? [] : [`${file}: the manifest says ${stated.rows} rows, there are ${count}`];
