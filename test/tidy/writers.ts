// Who writes which table, for the house rules.

/** Who writes a table, and nobody else. Two names are two moments of a row's life, said beside it. */
export const WRITERS: Readonly<Record<string, readonly string[]>> = {
  'run.runs': ['src/run.ts'],
  'run.writer_lock': [], // locked, and never written
  'run.findings': ['src/run.ts'],
  'run.conservation': ['src/normalize/conservation.ts'],
  // Begun by the job, bound to the gateway's user by landing, to timezone and currency by the first entry, and told
  // when its lists were last read whole.
  'run.entities': ['jobs/entities.ts', 'jobs/extract.ts', 'src/land/balances.ts', 'src/settings.ts'],
  'run.links': ['src/run-links.ts'],
  'run.listings': ['jobs/entities.ts'],
  'land.requests': ['src/land/land.ts'],
  'land.records': ['src/land/records.ts'],
  'land.people': ['src/land/records.ts', 'src/land/erase.ts'], // filled by landing, erased by a person's decision
  'land.people_keys': ['src/land/land.ts'],
  // Filled by landing and by a rebuild, emptied by booking.
  'land.inbox': ['src/land/records.ts', 'src/normalize/normalize.ts', 'src/normalize/forget.ts'],
  'land.erasures': ['src/land/erase.ts'],
  'land.erased_records': ['src/land/erase.ts'],
  'land.holds': ['src/land/holds.ts'],
  'land.hold_releases': ['src/land/holds.ts'],
  'land.coverage': ['src/land/certificate.ts'],
  'land.leaves': ['src/land/certificate.ts'],
  'land.pages': ['src/land/certificate.ts'],
  'land.resume_tokens': ['src/land/land.ts'],
  'land.snapshots': ['src/land/balances.ts'],
  'land.balances': ['src/land/balances.ts'],
  'land.pockets': ['src/land/balances.ts'],
  'land.rate_lists': ['src/land/rates.ts'],
  'land.rates': ['src/land/rates.ts'],
  'land.answers': ['src/land/answers.ts'],
  'land.official_files': ['src/land/official.ts'],
  'land.official_rates': ['src/land/official.ts'],
  'ledger.entries': ['src/ledger/ledger.ts'],
  'ledger.transfers': ['src/ledger/ledger.ts'],
  'ledger.daily': ['src/ledger/daily.ts'],
  'decide.proposals': ['src/decide/decide.ts'],
  'decide.approvals': ['src/decide/decide.ts'],
  'decide.dismissals': ['src/decide/rejects.ts'],
  'decide.waivers': ['src/decide/waivers.ts'],
  'decide.outside_lots': ['src/decide/outside-lots.ts'],
  'decide.profiles': ['src/decide/profiles.ts'],
  'decide.counterparty_files': ['src/decide/counterparties.ts'],
  'decide.counterparty_rules': ['src/decide/counterparties.ts'],
  'decide.counterparty_accounts': ['src/decide/counterparties.ts'],
  'decide.seals': ['src/close/seal.ts'],
  'decide.seal_leaves': ['src/close/seal.ts'],
  'decide.seal_files': ['src/close/seal.ts'],
  'decide.batches': ['src/decide/batches.ts'],
  'decide.batch_lines': ['src/decide/batches.ts'],
  'decide.batch_copies': ['src/decide/batches.ts'],
  'decide.seal_approvals': ['src/close/close.ts'],
  'decide.reopenings': ['src/close/close.ts'],
  // Decided by normalizing, decided again by a changed rule, dropped by a rebuild.
  'ledger.outcomes': ['src/normalize/normalize.ts', 'src/normalize/restate.ts', 'src/normalize/forget.ts'],
  'ledger.restatements': ['src/normalize/restate.ts'],
  ...Object.fromEntries(
    ['postings', 'lots', 'uses', 'findings', 'months'].map((it) => [`value.${it}`, ['src/value/writing.ts']]),
  ),
  'reconcile.tie_outs': ['src/reconcile/reconcile.ts'],
  'reconcile.clearing_matches': ['src/reconcile/clearing.ts'],
  'reconcile.clearing_days': ['src/reconcile/clearing.ts'],
  'reconcile.own_transfers': ['src/reconcile/across.ts'],
  'reconcile.own_days': ['src/reconcile/across.ts'],
  'reconcile.breaks': ['src/reconcile/breaks.ts', 'src/reconcile/life.ts'], // by runs, and by people
  'reconcile.break_events': ['src/reconcile/break-events.ts'],
  'reconcile.severities': [], // the owner, in SQL
  'reconcile.candidates': ['src/reconcile/candidates.ts'],
  'reconcile.confirmations': ['src/reconcile/confirm.ts'],
  'reconcile.confirmation_lines': ['src/reconcile/confirm.ts'],
};
