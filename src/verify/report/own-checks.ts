// Internal checks of an export's reports, from its files alone: every rule of checks.csv holds, and the trial balance of each
// entity sums to zero, in units and in value.
import { compare, sum } from '../../base/money.ts';
import { ownValue } from '../../base/own-value.ts';
import type { Examination, Examiner, Figures } from './examine.ts';
import { figureIndex, readFigure, type Table } from './tables.ts';

/** A sentence for each rule that does not hold, and for each entity whose trial balance does not sum to zero. */
export const checksExamination = (): Examination => {
  const all: (() => Figures)[] = [];
  return {
    proof: 'its checks hold, and its trial balance sums to zero',
    examinersOf: (table) => {
      const watch = ownValue(WATCHES, table.report);
      if (watch === undefined) return [];
      const { take, figures } = watch(table);
      all.push(figures);
      return [{ take }];
    },
    figures: () => {
      const figures = all.map((figuresOf) => figuresOf());
      return {
        checked: figures.reduce((count, { checked }) => count + checked, 0),
        faults: figures.flatMap(({ faults }) => faults),
      };
    },
  };
};

type Watched = Examiner & { readonly figures: () => Figures };

/** The rules of checks.csv, in the words of the profile. */
const verdicts = (table: Table): Watched => {
  const { file } = table;
  const [report = -1, compared = -1, differing = -1, first = -1] = [
    'report',
    'compared',
    'differing_rows',
    'first_difference',
  ].map((name) => table.stated.columns.indexOf(name));
  const faults: string[] = [];
  let row = 0;
  const take = (rows: readonly string[][]): void => {
    for (const cells of rows) {
      row += 1;
      if (cells[differing] !== '0')
        faults.push(
          `${file}, row ${row}: ${cells[report]}, "${cells[compared]}" does not hold in ${cells[differing]} rows, the first: ${cells[first]}`,
        );
    }
  };
  return { take, figures: () => ({ checked: row, faults }) };
};

/** Values sum to zero together with `missing_value`. */
const entitySums = (table: Table): Watched => {
  const { file } = table;
  const cellIn = (cells: readonly string[], name: string): string => cells[figureIndex(table, name)] ?? '';
  const figure = (cells: readonly string[], name: string) => readFigure(table, cellIn(cells, name)) || '0';
  const sums = new Map<string, string>();
  const add = (key: string, amount: string) => sums.set(key, sum([sums.get(key) ?? '0', amount]));
  const takeRow = (cells: readonly string[]): void => {
    const entity = cellIn(cells, 'entity_id');
    const inMoney = `${entity} in ${cellIn(cells, 'value_currency')}`;
    add(`${entity} in units of ${cellIn(cells, 'currency')}`, figure(cells, 'closing'));
    add(inMoney, figure(cells, 'closing_value'));
    add(inMoney, figure(cells, 'missing_value'));
  };
  const figures = (): Figures => {
    const off = [...sums].filter(([, total]) => compare(total, '0') !== 0);
    return {
      checked: sums.size,
      faults: off.map(([key, total]) => `${file}: the accounts of ${key} sum to ${total}, expected 0`),
    };
  };
  return { take: (rows) => rows.forEach(takeRow), figures };
};

const WATCHES: Readonly<Record<string, (table: Table) => Watched>> = {
  checks: verdicts,
  trial_balance: entitySums,
};
