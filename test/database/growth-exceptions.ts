// The statements of a month's files that read more the longer the history is, with the reason. No other statement of a night does.

const OPENING = 'balances as of an instant are summed from the daily summary, from the first day on';
const CARRIED =
  'what is carried into the month in value is summed from the monthly summary, from the first month on';
const READINGS = 'the newest of all comparisons, a table that grows with nights and accounts';

export const GROWING: Readonly<Record<string, string>> = {
  'reports/checks.sql': OPENING,
  'reports/closing_balances.sql': OPENING,
  'reports/general_ledger.sql': OPENING,
  'reports/reconciliation.sql': OPENING,
  'reports/trial_balance.sql': OPENING,
  'page/closing.sql': OPENING,
  'reports/asset_roll_forward.sql': CARRIED,
  'reports/consolidated_trial_balance.sql': CARRIED,
  'reports/valuation.sql': CARRIED,
  'reports/working_capital.sql': CARRIED,
  'page/months.sql': CARRIED,
  'page/values.sql': CARRIED,
  'reports/holdings.sql': OPENING,
  'reports/tie_outs.sql': READINGS,
  'export/conservation_sums.sql':
    'the records of the entity by an index, and of these those of the month by block ranges',
  'page/ties.sql': READINGS,
};
