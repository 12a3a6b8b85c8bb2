// Own checks: what the reports of an export must come to by themselves, read from its files: check columns hold nothing but
// 0, and the trial balance of each entity sums to zero, in units and in money.
import { compare, sign, sum } from '../../base/money.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { profileOf } from '../../export/reports/profile.ts';
import { bodyOf, type Table } from './tables.ts';

/** What the reports call their check columns. */
const CHECKS = ['check_units', 'check_value'] as const;

type Checked = { readonly checked: number; readonly faults: readonly string[] };

/** Every row whose check column is not 0, and every entity whose trial balance does not sum to zero, in words. */
export const ownFaults = async ({ profile }: Manifest, tables: readonly Table[]): Promise<Checked> => {
  const decimal = profileOf(profile ?? 'machine')?.decimal ?? '.';
  const all: Checked[] = [];
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

const checkFaults = async (table: Table, decimal: string): Promise<Checked> => {
  const checks = CHECKS.flatMap((name) => {
    const at = table.said.columns.indexOf(name);
    return at < 0 ? [] : [{ name, at }];
  });
  const faults: string[] = [];
  let row = 0;
  if (checks.length === 0) return { checked: 0, faults };
  for await (const rows of bodyOf(table, () => {}))
    for (const cells of rows) {
      row += 1;
      for (const { name, at } of checks)
        if (sign(amountIn(cells[at], decimal)) !== 0)
          faults.push(`${table.file}, row ${row}, ${name}: expected 0, found ${cells[at]}`);
    }
  return { checked: row, faults };
};

/** Money sums to zero with what its lines without a value leave open; an earlier program did not write that, only how many there are. */
const sumFaults = async (table: Table, decimal: string): Promise<Checked> => {
  const { columns } = table.said;
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
