// Compares each figure of an export with its exact text: equal in a CSV; in a workbook, whose numbers a spreadsheet rounds to
// 15 digits, equal up to that.
import { compare, scale, subtract } from '../../base/money.ts';
import { exactName } from '../../export/contents.ts';
import type { Examination } from './examine.ts';
import { plainFigure, type Table } from './tables.ts';

/** A column of figures and that of their exact text. */
type Pair = { readonly name: string; readonly figure: number; readonly exact: number };

type PairInRow = { readonly cells: readonly string[]; readonly pair: Pair };

/** A sentence for each figure that is not that of its exact text. */
export const figuresExamination = (): Examination => {
  const faults: string[] = [];
  let checked = 0;
  const check = (table: Table, row: number, { cells, pair }: PairInRow): void => {
    checked += 1;
    if (!isSame(table, [cells[pair.figure] ?? '', cells[pair.exact] ?? '']))
      faults.push(faultOf(table, row, { cells, pair }));
  };
  return {
    proof: 'each figure is that of its exact text',
    examinersOf: (table) => {
      const pairs = pairsOf(table);
      let row = 0;
      const take = (rows: readonly string[][]): void => {
        for (const cells of rows) {
          row += 1;
          for (const pair of pairs) check(table, row, { cells, pair });
        }
      };
      return pairs.length === 0 ? [] : [{ take }];
    },
    figures: () => ({ checked, faults }),
  };
};

const pairsOf = ({ stated: { columns } }: Table): Pair[] =>
  columns.flatMap((name, figure) => {
    const exact = columns.indexOf(exactName(name));
    return exact < 0 ? [] : [{ name, figure, exact }];
  });

const faultOf = ({ file }: Table, row: number, { cells, pair }: PairInRow): string =>
  `${file}, row ${row}, ${pair.name}: the exact text is "${cells[pair.exact]}", the figure is "${cells[pair.figure]}"`;

/** What is no figure, such as an infinite one, stands in both columns as text. */
const isSame = (table: Table, [figure, text]: readonly [figure: string, text: string]): boolean => {
  const [found, exact] = [plainFigure(table, figure), plainFigure(table, text)];
  if (found === exact) return true;
  return !table.keepsDigits && IS_FIGURE.test(found) && IS_FIGURE.test(exact) && isRounded(found, exact);
};

const IS_FIGURE = /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/;

/** Whether a number is an exact figure rounded to 15 digits or more. */
const isRounded = (found: string, exact: string): boolean =>
  compare(scale(subtract(found, exact).replace('-', ''), 15), exact.replace('-', '')) <= 0;
