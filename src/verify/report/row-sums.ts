// Figures that a reader adds up along a row, and balances that run down an account, from the files alone.
import { type Atto, attoText } from '../../base/money.ts';
import { ownValue } from '../../base/own-value.ts';
import type { Examination, Examiner } from './examine.ts';
import { type FigureOf, figureReader, hasColumns, type Table } from './tables.ts';

/** A figure of a row and those that make it. With `isWhole`, a row in which one of them is empty is left out. */
type RowRule = {
  readonly total: string;
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
  readonly isWhole?: boolean;
};

const FLOWS_IN = ['opening', 'prior_period', 'opened', 'in', 'rewards', 'traded_in'];
const FLOWS_OUT = ['out', 'traded_out', 'fees'];
const inValue = (names: readonly string[]): string[] => names.map((name) => `${name}_value`);

/** What adds up in each row of a report. An empty figure adds nothing; a row without the total is left out. */
const ROWS: Readonly<Record<string, readonly RowRule[]>> = {
  asset_roll_forward: [
    { total: 'closing', plus: FLOWS_IN, minus: FLOWS_OUT },
    { total: 'closing_value', plus: [...inValue(FLOWS_IN), 'within_value'], minus: inValue(FLOWS_OUT) },
  ],
  checks: [
    { total: 'largest_difference', plus: [] },
    { total: 'shown_value', plus: ['expected_value'] },
  ],
  closing_balances: [
    { total: 'rolled_back', plus: ['reported'], minus: ['moved_after', 'diverged_later'], isWhole: true },
    { total: 'difference', plus: ['rolled_back'], minus: ['booked'], isWhole: true },
  ],
  consolidated: [{ total: 'difference', plus: ['reported'], minus: ['booked'] }],
  consolidated_trial_balance: [
    { total: 'consolidated_value', plus: ['closing_value'], minus: ['eliminated_value'] },
  ],
  conversions: [{ total: 'spread_value', plus: ['sold_value'], minus: ['bought_value'], isWhole: true }],
  fee_totals: [
    { total: 'paid', plus: ['charged', 'prior_period'], minus: ['taken_back'] },
    { total: 'paid_value', plus: ['in_cost', 'in_proceeds', 'expensed'] },
  ],
  fees: [{ total: 'paid_value', plus: ['in_cost', 'in_proceeds', 'expensed'] }],
  holdings: [{ total: 'units', plus: ['trading', 'bots', 'pockets', 'earn', 'in_transit'] }],
  open_lots: [{ total: 'unrealised', plus: ['market_value'], minus: ['cost'] }],
  realised_gains: [{ total: 'gain', plus: ['proceeds'], minus: ['cost'] }],
  tie_outs: [{ total: 'difference', plus: ['reported'], minus: ['booked'], isWhole: true }],
  trial_balance: [
    { total: 'closing', plus: ['opening', 'prior_period', 'debit'], minus: ['credit'] },
    { total: 'closing', plus: ['closing_debit'], minus: ['closing_credit'] },
    {
      total: 'closing_value',
      plus: ['opening_value', 'prior_period_value', 'debit_value', 'rounding_value'],
      minus: ['credit_value'],
    },
    { total: 'closing_value', plus: ['closing_debit_value'], minus: ['closing_credit_value'] },
  ],
  valuation: [{ total: 'unrealised', plus: ['market_value'], minus: ['cost'] }],
  working_capital: [
    { total: 'closing', plus: ['opening', 'prior_period', 'opened', 'paybacks'], minus: ['refills'] },
    {
      total: 'closing_value',
      plus: ['opening_value', 'prior_period_value', 'opened_value', 'paybacks_value', 'rounding_value'],
      minus: ['refills_value'],
    },
  ],
};

/** Balances that run down each account and currency; the first line of an account has the opening one. */
const RUNNING: Readonly<Record<string, readonly RowRule[]>> = {
  general_ledger: [
    { total: 'balance', plus: ['debit'], minus: ['credit'] },
    { total: 'balance_value', plus: ['value', 'rounding_value'] },
  ],
  reconciliation: [{ total: 'remaining', plus: ['amount'] }],
  statement: [{ total: 'balance', plus: ['in'], minus: ['out', 'fee'] }],
};

/** A sentence for each figure that the others of its row, or of the row before, do not make. */
export const rowSumsExamination = (): Examination => {
  const found: SumsFound = { checked: 0, faults: [] };
  return {
    proof: 'figures add up along rows and down accounts',
    examinersOf: (table) => [
      ...rulesOf(ROWS, table).map((rule) => alongRows(table, figuresOf(table, rule), found)),
      ...rulesOf(RUNNING, table).map((rule) => downAccounts(table, figuresOf(table, rule), found)),
    ],
    figures: () => found,
  };
};

type SumsFound = { checked: number; readonly faults: string[] };

/** The rules of a report whose columns a file has: a month sealed by another version may lack some. */
const rulesOf = (rules: Readonly<Record<string, readonly RowRule[]>>, table: Table): RowRule[] =>
  (ownValue(rules, table.report) ?? []).filter(({ total, plus, minus = [] }) =>
    hasColumns(table, [total, ...plus, ...minus]),
  );

type RowFigures = {
  readonly name: string;
  readonly total: FigureOf;
  /** What the parts make; null if one of a rule that needs all is empty. */
  readonly made: FigureOf;
};

const figuresOf = (table: Table, { total, plus, minus = [], isWhole = false }: RowRule) => {
  const read = figureReader(table);
  const parts = [
    ...plus.map((name) => [read(name), 1n] as const),
    ...minus.map((name) => [read(name), -1n] as const),
  ];
  const made = (cells: readonly string[]): Atto | null => {
    let sum = 0n;
    for (const [figure, side] of parts) {
      const amount = figure(cells);
      if (amount === null && isWhole) return null;
      sum += side * (amount ?? 0n);
    }
    return sum;
  };
  return { name: total, total: read(total), made } satisfies RowFigures;
};

const alongRows = ({ file }: Table, { name, total, made }: RowFigures, found: SumsFound): Examiner => {
  let row = 0;
  const take = (cells: readonly string[]): void => {
    row += 1;
    const [stated, expected] = [total(cells), made(cells)];
    if (stated === null || expected === null) return;
    found.checked += 1;
    if (stated !== expected) found.faults.push(faultOf(`${file}, row ${row}, ${name}`, stated, expected));
  };
  return { take: (rows) => rows.forEach(take) };
};

const downAccounts = (table: Table, { name, total, made }: RowFigures, found: SumsFound): Examiner => {
  const keys = ['entity_id', 'account', 'currency'].map((column) => table.stated.columns.indexOf(column));
  let row = 0;
  let key = '';
  let balance = 0n;
  const take = (cells: readonly string[]): void => {
    row += 1;
    const [account, stated] = [keys.map((index) => cells[index]).join(' '), total(cells)];
    const expected = account === key ? balance + (made(cells) ?? 0n) : (stated ?? 0n);
    key = account;
    balance = stated ?? expected;
    if (stated === null) return;
    found.checked += 1;
    if (stated !== expected)
      found.faults.push(faultOf(`${table.file}, row ${row}, ${name}`, stated, expected));
  };
  return { take: (rows) => rows.forEach(take) };
};

const faultOf = (place: string, stated: Atto, expected: Atto): string =>
  `${place}: expected ${attoText(expected)}, found ${attoText(stated)}`;
