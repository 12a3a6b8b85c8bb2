// The sums that are equal in two reports of an export, for each entity.

/** A sum over the rows of a report. */
export type Side = {
  readonly report: string;
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
  /** The accounts whose rows count; all if absent. */
  readonly accounts?: RegExp;
  /** Whether only the first row of each account counts, which has its opening. */
  readonly isOpening?: boolean;
  /** Whether only the last row of each entry counts: it has the number of its legs. The rows of an entry follow each other. */
  readonly isPerEntry?: boolean;
  /** Whether only rows count whose figures make more than 0. */
  readonly isDebit?: boolean;
  /** Whether the sum is of exact figures and rounded to the cent once. */
  readonly isRounded?: boolean;
};

/** Two sums that are equal for each entity and each value of the columns `by`. */
export type Tie = {
  readonly by: readonly string[];
  readonly sides: readonly [Side, Side];
  /** Whether the first report has the books of some entities only. */
  readonly isPartial?: boolean;
};

type Sum = Omit<Side, 'report'>;

const ACCOUNT = ['account', 'currency'];
const CURRENCY = ['currency'];
const MOVED = { plus: ['debit', 'prior_period'], minus: ['credit'] };
const GROWN = { plus: ['closing_value'], minus: ['opening_value'] };
const CLOSING = { plus: ['closing'] };
const CLOSING_VALUE = { plus: ['closing_value'] };
const HELD = { accounts: /^assets:(?!tax-withheld$)/ };
const WITHHELD = { accounts: /^assets:tax-withheld$/ };
const OWN = { accounts: /^(assets|liabilities):/ };
const FEES = { accounts: /^expenses:fees:/ };
const OUTSIDE = { accounts: /^equity:external:/ };
const MONEY = { accounts: /^equity:external:(bank|card)$/ };
const CLEARING = { accounts: /^assets:clearing:/ };
const COMPARED = { accounts: /^assets:(trading|trading-bots|earn|pocket:.*|clearing:.*)$/ };
const ADVANCE = { accounts: /^liabilities:working-capital$/ };

/** A sum of a report and that of the trial balance. */
const withTrial = (by: readonly string[], report: string, sum: Sum, balance: Sum): Tie => ({
  by,
  sides: [
    { report, ...sum },
    { report: 'trial_balance', ...balance },
  ],
});

/** Columns of the same name in two reports, each alone. */
const same = (by: readonly string[], reports: readonly [string, string], names: readonly string[]): Tie[] =>
  names.map((name) => ({
    by,
    sides: [
      { report: reports[0], plus: [name] },
      { report: reports[1], plus: [name] },
    ],
  }));

const OPENING = { plus: ['balance'], isOpening: true };
const OPENING_VALUE = { plus: ['balance_value'], isOpening: true };
const FEE_FIGURES = ['in_cost', 'in_proceeds', 'expensed', 'paid_value', 'rounding_value'];
const GROUP = ['eliminated_value', 'in_transit_value', 'difference_value'];

/** An entry of the journal, and its line in the list of entries. */
const entryTie = (listed: string, posted: string): Tie => ({
  by: ['period', 'stream', 'kind'],
  sides: [
    { report: 'journal_entries', plus: [listed] },
    { report: 'journal', plus: [posted], isPerEntry: true },
  ],
  isPartial: true,
});

export const TIES: readonly Tie[] = [
  withTrial(ACCOUNT, 'journal', { plus: ['amount'] }, MOVED),
  entryTie('number', 'number'),
  entryTie('legs', 'leg'),
  {
    by: ['value_currency'],
    sides: [
      { report: 'journal_entries', plus: ['debit_value'] },
      { report: 'general_ledger', plus: ['value', 'rounding_value'], isDebit: true },
    ],
    isPartial: true,
  },
  withTrial(ACCOUNT, 'general_ledger', OPENING, { plus: ['opening'] }),
  withTrial(ACCOUNT, 'general_ledger', OPENING_VALUE, { plus: ['opening_value'] }),
  withTrial(ACCOUNT, 'general_ledger', { plus: ['debit'], minus: ['credit'] }, MOVED),
  withTrial(ACCOUNT, 'general_ledger', { plus: ['value', 'rounding_value'] }, GROWN),
  withTrial(ACCOUNT, 'statement', OPENING, { plus: ['opening'], ...OWN }),
  withTrial(ACCOUNT, 'statement', { plus: ['in'], minus: ['out', 'fee'] }, { ...MOVED, ...OWN }),
  withTrial(CURRENCY, 'asset_roll_forward', CLOSING, { ...CLOSING, ...HELD }),
  withTrial(CURRENCY, 'asset_roll_forward', CLOSING_VALUE, { ...CLOSING_VALUE, ...HELD }),
  withTrial(CURRENCY, 'holdings', { plus: ['units'] }, { ...CLOSING, ...HELD }),
  withTrial(CURRENCY, 'holdings', { plus: ['tax_withheld'] }, { ...CLOSING, ...WITHHELD }),
  withTrial(CURRENCY, 'valuation', { plus: ['units'] }, { ...CLOSING, ...HELD }),
  ...same(CURRENCY, ['holdings', 'valuation'], ['cost', 'market_value', 'lower_value', 'rounding_value']),
  withTrial(ACCOUNT, 'fees', { plus: ['amount'] }, { ...MOVED, ...FEES }),
  withTrial(ACCOUNT, 'fees', { plus: ['expensed', 'rounding_value'] }, { ...GROWN, ...FEES }),
  withTrial(ACCOUNT, 'fee_totals', { plus: ['paid'] }, { ...MOVED, ...FEES }),
  ...same(ACCOUNT, ['fee_totals', 'fees'], FEE_FIGURES),
  {
    by: ['value_currency'],
    sides: [
      { report: 'fees', plus: ['in_proceeds'] },
      { report: 'realised_gains', plus: ['fee_in_proceeds'] },
    ],
  },
  withTrial(ACCOUNT, 'counterparties', { plus: ['out'], minus: ['in'] }, { ...MOVED, ...OUTSIDE }),
  withTrial(
    ACCOUNT,
    'counterparties',
    { plus: ['out_value'], minus: ['in_value'] },
    { ...GROWN, ...OUTSIDE },
  ),
  withTrial(CURRENCY, 'cash_list', { plus: [], minus: ['amount'] }, { ...MOVED, ...MONEY }),
  withTrial(CURRENCY, 'cash_list', { plus: [], minus: ['value'] }, { ...GROWN, ...MONEY }),
  withTrial(ACCOUNT, 'prior_period', { plus: ['amount'] }, { plus: ['prior_period'] }),
  withTrial(ACCOUNT, 'prior_period', { plus: ['value'], isRounded: true }, { plus: ['prior_period_value'] }),
  withTrial(CURRENCY, 'prices_used', { plus: ['debit_value'], minus: ['credit_value'] }, GROWN),
  withTrial(CURRENCY, 'working_capital', CLOSING, { ...CLOSING, ...ADVANCE }),
  withTrial(CURRENCY, 'working_capital', CLOSING_VALUE, { ...CLOSING_VALUE, ...ADVANCE }),
  withTrial(ACCOUNT, 'in_transit', { plus: ['amount'], ...CLEARING }, { ...CLOSING, ...CLEARING }),
  withTrial(CURRENCY, 'closing_balances', { plus: ['booked'] }, { ...CLOSING, ...COMPARED }),
  withTrial(CURRENCY, 'closing_balances', { plus: ['booked_value'] }, { ...CLOSING_VALUE, ...COMPARED }),
  {
    by: ACCOUNT,
    sides: [
      { report: 'reconciliation', plus: ['amount'] },
      { report: 'reconciliation', plus: [] },
    ],
  },
  ...same(['value_currency'], ['consolidated_trial_balance', 'intercompany'], GROUP),
  ...[CLOSING_VALUE, { plus: ['missing_value'] }].map((sum) => ({
    ...withTrial(['account_code', 'asset_class'], 'consolidated_trial_balance', sum, sum),
    isPartial: true,
  })),
];
