// The statements that may read a big table from end to end, with the tables and the reason.

type Exception = { readonly tables: readonly string[]; readonly why: string };

const CLOSING: Exception = {
  tables: ['daily', 'entries', 'tie_outs', 'transfers'],
  why: 'closing balances are rolled back for all entities at one instant: the function has no entity',
};
const ALL_DAYS: Exception = {
  tables: ['daily'],
  why: 'asks about every account of every entity on every day',
};
const READINGS: Exception = {
  tables: ['tie_outs'],
  why: 'the newest of all comparisons, a table that grows with nights and accounts',
};
const OWN_TRANSFERS: Exception = {
  tables: ['entries'],
  why: 'the pairs of transfers between own entities, joined with the entries of both sides',
};
const EVERY: Exception = {
  tables: ['entries', 'transfers'],
  why: 'a question about the whole history of every entity',
};

export const ACCEPTED: Readonly<Record<string, Exception>> = {
  'reports/breaks.sql': CLOSING,
  'reports/closing_balances.sql': CLOSING,
  'reports/reconciliation.sql': CLOSING,
  'page/breaks.sql': CLOSING,
  'page/closing.sql': CLOSING,
  'reports/general_ledger.sql': {
    tables: ['transfers'],
    why: 'the lines of value of a month, joined with their legs by a hash',
  },
  'reports/in_transit.sql': { tables: ['transfers'], why: 'what is in transit may have left at any time' },
  'reports/consolidated_trial_balance.sql': OWN_TRANSFERS,
  'reports/intercompany.sql': OWN_TRANSFERS,
  'reports/open_lots.sql': {
    tables: ['uses'],
    why: 'what is left of a lot is what was acquired less every use since',
  },
  'cookbook/balance_as_known.sql': ALL_DAYS,
  'checks/booked_not_reported.sql': READINGS,
  'reports/tie_outs.sql': READINGS,
  'page/ties.sql': READINGS,
  'export/states.sql': READINGS,
  'cookbook/consolidated.sql': READINGS,
  'checks/price_from_rate.sql': {
    tables: ['outcomes'],
    why: 'the outcomes of the records that a run landed',
  },
  'checks/settled_and_decided.sql': {
    tables: ['outcomes'],
    why: 'the few settled records, joined with their outcomes',
  },
  'export/conservation.sql': {
    tables: ['records'],
    why: 'a record without a time of its own counts when it was landed',
  },
  'export/months.sql': {
    tables: ['entries'],
    why: 'the months of all entries, for an export without a period',
  },
  'cookbook/explained.sql': { tables: ['records'], why: 'a question about every record' },
  'cookbook/orders.sql': { tables: ['records'], why: 'a question about every order' },
  'cookbook/trade_volume.sql': { tables: ['outcomes', 'records'], why: 'a question about every trade' },
  'cookbook/biggest_movements.sql': {
    tables: ['outcomes', 'records'],
    why: 'a question about every movement',
  },
  'cookbook/card_purchases.sql': EVERY,
  'cookbook/conversion_spreads.sql': {
    tables: ['transfers'],
    why: 'a conversion and its reversal, whenever they were booked, are summed before the time is looked at',
  },
  'cookbook/fees_by_month.sql': EVERY,
  'cookbook/in_transit.sql': EVERY,
  'cookbook/fees_in_money.sql': {
    tables: ['entries', 'postings'],
    why: 'a question about the whole history of every entity',
  },
};
