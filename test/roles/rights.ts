// What each role is meant to do beyond reading the books, in the letters of the refusal table.

/** Where something may be taken back or changed, and how: every other table only grows, for every role. */
export const CHANGING: Readonly<Record<string, string>> = {
  'run.runs': 'si~--c',
  'run.entities': 'si~--c',
  'land.coverage': 'si~--c',
  'land.inbox': 'si-d-c',
  'land.resume_tokens': 'si~d-c',
  'reconcile.breaks': 'si~--c',
  'reconcile.clearing_days': 'si~--c',
  'reconcile.own_days': 'si~--c',
  ...Object.fromEntries(
    ['postings', 'lots', 'uses', 'findings', 'months'].map((it) => [`value.${it}`, 'si-d-c']),
  ),
  'ledger.daily': 'si~--c',
  'ledger.outcomes': 'si~--c',
};

/** What people may do beside reading the books: decide, and enter what was approved, row by row. */
export const DECIDING: Readonly<Record<string, { readonly preparer: string; readonly approver: string }>> = {
  'decide.proposals': { preparer: 'si---c', approver: 's-----' },
  'decide.approvals': { preparer: 's-----', approver: 'si---c' },
  'decide.dismissals': { preparer: 'si---c', approver: 's-----' },
  'decide.waivers': { preparer: 'si---c', approver: 's-----' },
  'decide.profiles': { preparer: 'si---c', approver: 's-----' },
  'decide.counterparty_files': { preparer: 'si---c', approver: 's-----' },
  'decide.counterparty_rules': { preparer: 'si---c', approver: 's-----' },
  'decide.counterparty_accounts': { preparer: 'si---c', approver: 's-----' },
  'decide.outside_lots': { preparer: 'si---c', approver: 's-----' },
  'decide.seals': { preparer: 'si----', approver: 's-----' },
  'decide.seal_leaves': { preparer: 'si----', approver: 's-----' },
  'decide.seal_files': { preparer: 'si----', approver: 's-----' },
  'decide.seal_approvals': { preparer: 's-----', approver: 'si---c' },
  'decide.batches': { preparer: 'si----', approver: 's-----' },
  'decide.batch_lines': { preparer: 'si----', approver: 's-----' },
  'decide.batch_copies': { preparer: 'si---c', approver: 's-----' },
  'decide.reopenings': { preparer: 's-----', approver: 'si---c' },
  'reconcile.breaks': { preparer: 's-~---', approver: '------' },
  'reconcile.break_events': { preparer: '-i---c', approver: '------' },
  'land.official_files': { preparer: 'si---c', approver: '------' },
  'land.official_rates': { preparer: 'si---c', approver: '------' },
  'land.people': { preparer: '------', approver: 's--d--' },
  'land.people_keys': { preparer: '------', approver: 'si---c' },
  'land.erasures': { preparer: '------', approver: 'si---c' },
  'land.erased_records': { preparer: '------', approver: 'si---c' },
  'land.holds': { preparer: '------', approver: 'si---c' },
  'land.hold_releases': { preparer: '------', approver: 'si---c' },
  'land.records': { preparer: '------', approver: 's-----' },
  'run.entities': { preparer: '------', approver: 's-----' },
  'ledger.entries': { preparer: 's-----', approver: 'si----' },
  'ledger.transfers': { preparer: 's-----', approver: 'si----' },
  'ledger.daily': { preparer: '------', approver: 'si~--c' },
};
