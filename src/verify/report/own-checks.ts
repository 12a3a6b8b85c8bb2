// Internal checks of an export's reports, from its files alone: every rule of checks.csv holds, and the trial balance of each
// entity sums to zero, in units and in value.
import { compare, sign, sum } from '../../base/money.ts';
import { profileOf } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import type { Examination, Examiner, Figures } from './examine.ts';
import { figureIndex, plainFigure, type Table } from './tables.ts';

/** Columns of months that were sealed before there was a checks.csv. */
const CHECKS = ['check_units', 'check_value'] as const;

/** A sentence for each rule that does not hold, and for each entity whose trial balance does not sum to zero. */
export const checksExamination = ({ profile }: Manifest): Examination => {
  const decimal = profileOf(profile ?? 'machine')?.decimal ?? '.';
  const all: (() => Figures)[] = [];
  const examinersOf = (table: Table): Examiner[] => {
    const watched = [
      ...(CHECKS.some((name) => table.stated.columns.includes(name)) ? [checkColumns(table, decimal)] : []),
      ...(table.report === 'checks' ? [verdicts(table)] : []),
      ...(table.report === 'trial_balance' ? [entitySums(table, decimal)] : []),
    ];
    all.push(...watched.map(({ figures }) => figures));
    return watched;
  };
  return {
    proof: 'its checks hold, and its trial balance sums to zero',
    examinerOf: (table) => {
      const examiners = examinersOf(table);
      if (examiners.length === 0) return null;
      return {
        take: (rows) => {
          for (const { take } of examiners) take(rows);
        },
      };
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

const amountIn = (cell: string | undefined, decimal: string): string =>
  plainFigure(cell ?? '', decimal) || '0';

const checkColumns = (table: Table, decimal: string): Watched => {
  const { file } = table;
  const checks = CHECKS.flatMap((name) => {
    const index = figureIndex(table, name);
    return index < 0 ? [] : [{ name, at: index }];
  });
  const faults: string[] = [];
  let row = 0;
  const take = (rows: readonly string[][]): void => {
    for (const cells of rows) {
      row += 1;
      for (const { name, at: index } of checks)
        if (sign(amountIn(cells[index], decimal)) !== 0)
          faults.push(`${file}, row ${row}, ${name}: expected 0, found ${cells[index]}`);
    }
  };
  return { take, figures: () => ({ checked: row, faults }) };
};

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

/** Values sum to zero together with `missing_value`; earlier versions wrote only `unvalued`, the number of such lines. */
const entitySums = (table: Table, decimal: string): Watched => {
  const { file } = table;
  const { columns } = table.stated;
  const cellIn = (cells: readonly string[], name: string) => cells[figureIndex(table, name)];
  const figure = (cells: readonly string[], name: string) => amountIn(cellIn(cells, name), decimal);
  const hasMissing = columns.includes('missing_value');
  const sums = new Map<string, string>();
  const unvalued = new Set<string>();
  const add = (key: string, amount: string) => sums.set(key, sum([sums.get(key) ?? '0', amount]));
  const takeRow = (cells: readonly string[]): void => {
    const entity = cellIn(cells, 'entity_id') ?? '';
    const inMoney = `${entity} in ${cellIn(cells, 'value_currency')}`;
    add(`${entity} in units of ${cellIn(cells, 'currency')}`, figure(cells, 'closing'));
    if (columns.includes('closing_value')) add(inMoney, figure(cells, 'closing_value'));
    if (hasMissing) add(inMoney, figure(cells, 'missing_value'));
    else if (sign(figure(cells, 'unvalued')) !== 0) unvalued.add(inMoney);
  };
  const figures = (): Figures => {
    const off = [...sums].filter(([key, total]) => compare(total, '0') !== 0 && !unvalued.has(key));
    return {
      checked: sums.size,
      faults: off.map(([key, total]) => `${file}: the accounts of ${key} sum to ${total}, expected 0`),
    };
  };
  return { take: (rows) => rows.forEach(takeRow), figures };
};
