// Totals: the exact sums of a sheet's columns of money, added up while the rows are written.
import { sum } from '../../base/money.ts';
import type { SheetColumn, SheetRow, Total } from './table.ts';

type Totals = { readonly add: (rows: readonly SheetRow[]) => void; readonly all: () => readonly Total[] };

/** A column with an amount in another currency, or with text, has no total; nor has one without any amount. */
export const newTotals = (columns: readonly SheetColumn[]): Totals => {
  const added = columns.flatMap(({ title, totalIn }, index) =>
    totalIn === undefined ? [] : [{ index, title, totalIn }],
  );
  const sums = new Map<number, string>();
  const mixed = new Set<number>();
  const add = (rows: readonly SheetRow[]): void => {
    for (const { index, totalIn } of added) {
      const amounts = amountsIn(rows, index, totalIn);
      if (amounts === null) mixed.add(index);
      else if (amounts.length > 0) sums.set(index, sum([sums.get(index) ?? '0', ...amounts]));
    }
  };
  const all = (): readonly Total[] =>
    added.flatMap(({ index, title }) => {
      const amount = sums.get(index);
      return amount === undefined || mixed.has(index) ? [] : [{ index, title, amount }];
    });
  return { add, all };
};

/** The amounts of a column; null if one of them is in another currency. */
const amountsIn = (rows: readonly SheetRow[], index: number, currency: string): string[] | null => {
  const amounts: string[] = [];
  for (const { [index]: value = null } of rows) {
    if (value === null) continue;
    if (typeof value !== 'object' || value.unit !== currency) return null;
    amounts.push(value.digits);
  }
  return amounts;
};
