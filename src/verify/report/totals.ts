// Sums the control totals again from the files of an export: debits and credits from the journal, and the closing balance of
// each class of account from the trial balance.
import { compare, sign, sum } from '../../base/money.ts';
import { profileOf } from '../../export/contents.ts';
import type { ControlTotal, Manifest } from '../../export/reports/manifest.ts';
import { bodyOf, type Table } from './tables.ts';

/** The number of figures compared, and a sentence for each that differs. */
export type Figures = { readonly checked: number; readonly faults: readonly string[] };

const CLASSES = ['assets', 'liabilities', 'equity', 'income', 'expenses'] as const;

/** A sentence for each total that differs from the manifest, and how many were compared. */
export const totalFaults = async (
  { control_totals, profile }: Manifest,
  tables: readonly Table[],
): Promise<Figures> => {
  const decimal = profileOf(profile ?? 'machine')?.decimal ?? '.';
  const sums = new Map<string, string>();
  const journal = tables.find(({ report }) => report === 'journal');
  const balance = tables.find(({ report }) => report === 'trial_balance');
  if (journal)
    await sumInto(sums, journal, ['currency', 'amount'], ([currency = '', amount = '']) => [
      `${currency} ${sign(plain(amount, decimal)) < 0 ? 'credit' : 'debit'}`,
      plain(amount, decimal).replace('-', ''),
    ]);
  if (balance)
    await sumInto(
      sums,
      balance,
      ['currency', 'account', 'closing'],
      ([currency, account = '', closing = '']) => [
        `${currency} ${account.split(':')[0]}`,
        plain(closing, decimal),
      ],
    );
  const stated = new Map(control_totals.flatMap((total) => statedTotals(total, journal, balance)));
  const keys = [...new Set([...stated.keys(), ...sums.keys()])];
  const faults = keys.flatMap((key) => {
    const [found, expected] = [sums.get(key) ?? '0', stated.get(key) ?? '0'];
    return compare(found, expected) === 0
      ? []
      : [`${key}: the manifest says ${expected}, the files sum to ${found}`];
  });
  return { checked: stated.size, faults };
};

const statedTotals = (
  { currency, debit, credit, closing }: ControlTotal,
  journal: Table | undefined,
  balance: Table | undefined,
): [string, string][] => [
  ...(journal ? Object.entries({ debit, credit }) : []).map(
    ([side, amount]) => [`${currency} ${side}`, amount] as [string, string],
  ),
  ...(balance ? CLASSES : []).map((name) => [`${currency} ${name}`, closing[name]] as [string, string]),
];

const plain = (figure: string, decimal: string): string => figure.replace(decimal, '.');

export type KeyAmount = readonly [key: string, amount: string];

/** Sums a table piece by piece, so that memory stays flat. */
export const sumInto = async (
  sums: Map<string, string>,
  table: Table,
  columns: readonly string[],
  read: (cells: readonly string[]) => KeyAmount,
): Promise<void> => {
  const indexes = columns.map((name) => table.stated.columns.indexOf(name));
  for await (const rows of bodyOf(table, () => {})) {
    const amounts = new Map<string, string[]>();
    for (const row of rows) {
      const [key, amount] = read(indexes.map((index) => row[index] ?? ''));
      const amountsOfKey = amounts.get(key);
      if (amountsOfKey) amountsOfKey.push(amount);
      else amounts.set(key, [amount]);
    }
    for (const [key, all] of amounts) sums.set(key, sum([sums.get(key) ?? '0', ...all]));
  }
};
