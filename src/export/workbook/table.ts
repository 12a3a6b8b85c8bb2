// The tables of a workbook: columns, rows in batches, and what is written of them.
import type { Value } from './cells.ts';

export type SheetRow = readonly Value[];

/** A column: its heading, the number format of Excel for its figures or null, its width in characters. */
export type SheetColumn = {
  readonly title: string;
  readonly format: string | null;
  readonly width: number;
  /** The currency in which the column is added up; absent if it is not. */
  readonly totalIn?: string;
  /** For a column of exact text, which is not printed: the index of its figures, and how their total is written. */
  readonly exact?: { readonly of: number; readonly write: (digits: string) => string };
};

/** A table with a filter and a frozen header, its rows in batches. */
export type SheetTable = {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: AsyncIterable<readonly SheetRow[]> | Iterable<readonly SheetRow[]>;
};

/** The exact total of a column. */
export type Total = { readonly index: number; readonly title: string; readonly amount: string };

/** A sheet in the order of the tabs: its name, the number of its part and the cells that are printed. */
export type SheetPart = { readonly name: string; readonly part: number; readonly printed: string };

/** A sheet that was written: the table that it shows, or continues, its number of rows without header and totals, its totals. */
export type WrittenSheet = SheetPart & {
  readonly table: string;
  readonly rows: number;
  readonly totals: readonly Total[];
};

/** The words of a workbook in its language. */
export type Labels = {
  readonly total: string;
  /** The total of one of several sheets of a table. */
  readonly totalOfSheet: string;
  readonly notPrinted: (rows: number) => string;
  readonly backToIndex: string;
};
