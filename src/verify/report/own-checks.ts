// Internal checks of an export's reports, from its files alone: check columns are 0 in every row, and the trial balance of
// each entity sums to zero, in units and in value.
import { compare, sign, sum } from '../../base/money.ts';
import { profileOf } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { bodyOf, type Table } from './tables.ts';
import type { Figures } from './totals.ts';

const CHECKS = ['check_units', 'check_value'] as const;

/** A sentence for each row whose check column is not 0, and for each entity whose trial balance does not sum to zero. */
export const ownFaults = async ({ profile }: Manifest, tables: readonly Table[]): Promise<Figures> => {
  const decimal = profileOf(profile ?? 'machine')?.decimal ?? '.';
  const all: Figures[] = [];
  for (const table of tables) {
    all.push(await checkFaults(table, decimal));
    if (table.report === 'trial_balance') all.push(await sumFaults(table, decimal));
  }
  return {
    checked: all.reduce((count, { checked }) => count + checked, 0),
    faults: all.flatMap(({ faults }) => faults),
  };
};

const amountIn = (cell: string | undefined, decimal: string): string =>
  (cell ?? '').replace(decimal, '.') || '0';

const checkFaults = async (table: Table, decimal: string): Promise<Figures> => {
  const checks = CHECKS.flatMap((name) => {
    const index = table.stated.columns.indexOf(name);
    return index < 0 ? [] : [{ name, at: index }];
  });
  const faults: string[] = [];
  let row = 0;
  if (checks.length === 0) return { checked: 0, faults };
  for await (const rows of bodyOf(table, () => {}))
    for (const cells of rows) {
      row += 1;
      for (const { name, at: index } of checks)
        if (sign(amountIn(cells[index], decimal)) !== 0)
          faults.push(`${table.file}, row ${row}, ${name}: expected 0, found ${cells[index]}`);
    }
  return { checked: row, faults };
};

/** Values sum to zero together with `missing_value`; earlier versions wrote only `unvalued`, the number of such lines. */
const sumFaults = async (table: Table, decimal: string): Promise<Figures> => {
  const { columns } = table.stated;
  const cellIn = (cells: readonly string[], name: string) => cells[columns.indexOf(name)];
  const figure = (cells: readonly string[], name: string) => amountIn(cellIn(cells, name), decimal);
  const hasMissing = columns.includes('missing_value');
  const sums = new Map<string, string>();
  const unvalued = new Set<string>();
  const add = (key: string, amount: string) => sums.set(key, sum([sums.get(key) ?? '0', amount]));
  for await (const rows of bodyOf(table, () => {}))
    for (const cells of rows) {
      const entity = cellIn(cells, 'entity_id') ?? '';
      const inMoney = `${entity} in ${cellIn(cells, 'value_currency')}`;
      add(`${entity} in units of ${cellIn(cells, 'currency')}`, figure(cells, 'closing'));
      if (columns.includes('closing_value')) add(inMoney, figure(cells, 'closing_value'));
      if (hasMissing) add(inMoney, figure(cells, 'missing_value'));
      else if (sign(figure(cells, 'unvalued')) !== 0) unvalued.add(inMoney);
    }
  const off = [...sums].filter(([key, total]) => compare(total, '0') !== 0 && !unvalued.has(key));
  return {
    checked: sums.size,
    faults: off.map(([key, total]) => `${table.file}: the accounts of ${key} sum to ${total}, expected 0`),
  };
};
