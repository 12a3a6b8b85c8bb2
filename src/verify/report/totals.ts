// Sums the control totals again from the files of an export: debits and credits from the journal, and the closing balance of
// each class of account from the trial balance.
import { compare, sign, sum } from '../../base/money.ts';
import { ownValue } from '../../base/own-value.ts';
import type { ControlTotal, Manifest } from '../../export/reports/manifest.ts';
import type { Examination, Examiner } from './examine.ts';
import { figureIndex, plainText, readFigure, type Table } from './tables.ts';

export const CLASSES = ['assets', 'liabilities', 'equity', 'income', 'expenses'] as const;

/** A sentence for each total of the manifest that the rows of the journal and of the trial balance do not sum to. */
export const totalsExamination = ({ control_totals }: Manifest): Examination => {
  const sums = new Map<string, string>();
  const seen = new Set<string>();
  const readers: Readonly<Record<string, (table: Table) => Examiner>> = {
    journal: (table) =>
      summing(sums, table, ['currency', 'amount'], ([currency = '', amount = '']) => [
        `${plainText(currency)} ${sign(readFigure(table, amount)) < 0 ? 'credit' : 'debit'}`,
        readFigure(table, amount).replace('-', ''),
      ]),
    trial_balance: (table) =>
      summing(
        sums,
        table,
        ['currency', 'account', 'closing'],
        ([currency = '', account = '', closing = '']) => [
          `${plainText(currency)} ${account.split(':')[0]}`,
          readFigure(table, closing),
        ],
      ),
  };
  return {
    proof: 'control totals are those of the files',
    examinersOf: (table) => {
      const reader = ownValue(readers, table.report);
      if (reader === undefined) return [];
      seen.add(table.report);
      return [reader(table)];
    },
    figures: () => {
      const stated = new Map(control_totals.flatMap((total) => statedTotals(total, seen)));
      return {
        checked: stated.size,
        faults: faultsOfSums(
          sums,
          stated,
          (key, found, expected) => `${key}: the manifest says ${expected}, the files sum to ${found}`,
        ),
      };
    },
  };
};

const statedTotals = (
  { currency, debit, credit, closing }: ControlTotal,
  seen: ReadonlySet<string>,
): [string, string][] => [
  ...(seen.has('journal') ? Object.entries({ debit, credit }) : []).map(
    ([side, amount]) => [`${currency} ${side}`, amount] as [string, string],
  ),
  ...(seen.has('trial_balance') ? CLASSES : []).map(
    (name) => [`${currency} ${name}`, closing[name]] as [string, string],
  ),
];

export type KeyAmount = readonly [key: string, amount: string];

/** Sums some columns of a table piece by piece, so that memory stays flat. */
export const summing = (
  sums: Map<string, string>,
  table: Table,
  columns: readonly string[],
  read: (cells: readonly string[]) => KeyAmount,
): Examiner => {
  const indexes = columns.map((name) => figureIndex(table, name));
  const take = (rows: readonly string[][]): void => {
    const amounts = new Map<string, string[]>();
    for (const row of rows) {
      const [key, amount] = read(indexes.map((index) => row[index] ?? ''));
      const amountsOfKey = amounts.get(key);
      if (amountsOfKey) amountsOfKey.push(amount);
      else amounts.set(key, [amount]);
    }
    for (const [key, all] of amounts) sums.set(key, sum([sums.get(key) ?? '0', ...all]));
  };
  return { take };
};

/** A sentence for each key whose sums differ; a key that one of them lacks has 0 there. */
export const faultsOfSums = (
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
  sentence: (key: string, found: string, expected: string) => string,
): string[] =>
  [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) => {
    const [one, other] = [found.get(key) ?? '0', expected.get(key) ?? '0'];
    return compare(one, other) === 0 ? [] : [sentence(key, one, other)];
  });
