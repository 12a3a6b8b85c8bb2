// Covers: for every table, how a later change to it is detected. A chain digests each row once, in the order written; a
// state digests all rows of a part when a run ends; a proof recomputes the table from others. A table without any of
// these needs a reason, and a test fails for a table that is not listed.

/**
 * For append-only tables. `by` is the column that orders rows as they were written; `only` lists the columns that never
 * change (default: all).
 */
export type Chain = {
  readonly by: string;
  /** Rows are also written while no run is open, each numbered from 1 without a gap: the next run links them. */
  readonly isBesideRuns?: boolean;
  /** The column with the owning entity; null for tables that serve all entities. Default entity_id. */
  readonly entity?: string | null;
  readonly only?: readonly string[];
};

/**
 * For tables whose rows change. `part` is the column that divides them; `marks` is a query for the sources that each part
 * was derived from: a part is digested again only if its mark is another, and each time if it is null.
 */
export type State = {
  readonly entity?: string | null;
  readonly part?: string;
  readonly marks?: string;
};

type Cover = {
  readonly chain?: Chain;
  readonly state?: State;
  /** The command that proves the table by recomputing it. */
  readonly proof?: 'verify coverage' | 'verify ledger';
  /** Why no change is detected. */
  readonly none?: string;
  /** Columns that affect no figure, and why. */
  readonly except?: Readonly<Record<string, string>>;
};

const ADDED = { chain: { by: 'position' } } as const;
const READ = { chain: { by: 'request_id' } } as const;
const SHARED = { chain: { by: 'position', entity: null } } as const;

/** The values of a month derive from all months of its taxpayer up to it, its own included. */
const MARKS = `
  select m.entity_id, m.period as part, md5(string_agg(concat_ws(' ', e.entity_id, e.period, e.entries, e.fingerprint), ','
    order by e.period, e.entity_id)) as mark
  from value.months m join value.months e on e.taxpayer = m.taxpayer and e.period <= m.period
  group by 1, 2`;
const VALUES = { state: { part: 'period', marks: MARKS } } as const;

/**
 * Externally held lots may belong to months without entries. They derive from what the months from theirs on show of their taxpayer; without
 * such a month they have no mark.
 */
const LOTS = `
  select entity_id, part, case count(*) when 1 then max(mark) else md5(string_agg(mark, ',' order by mark)) end as mark
  from (${MARKS} union all select distinct l.entity_id, l.period, (
      select md5(string_agg(concat_ws(' ', e.entity_id, e.period, e.entries, e.fingerprint), ',' order by e.period, e.entity_id))
      from value.months e where e.taxpayer = l.taxpayer and e.period >= l.period
    ) from value.lots l where l.entry_id is null) as m group by 1, 2`;

/** The days that were paired change only with the totals up to which they were, and with what is left unpaired. */
const pairedMarks = (accounts: string, open: string): string => `
  select entity_id, 'now' as part, md5(string_agg(mark, ',' order by mark)) as mark
  from (
    select entity_id, concat_ws(' ', account, currency, debit, credit, addresses) as mark from reconcile.paired_totals
    where account like '${accounts}'
    union all
    ${open}
  ) as m group by 1`;
const PAIRED_CLEARING = pairedMarks(
  'assets:clearing:%',
  `select entity_id, concat_ws(' ', account, currency, effective_day, unmatched) from reconcile.clearing_days where unmatched > 0`,
);
const PAIRED_TRANSFERS = pairedMarks(
  'equity:external',
  `select entity_id, concat_ws(' ', currency, effective_day, lone) from reconcile.own_days where lone > 0`,
);

export const COVERS: Readonly<Record<string, Cover>> = {
  'run.runs': SHARED,
  'run.links': {
    chain: { by: 'position', entity: null },
    except: { position: 'the number of a link orders it too' },
  },
  'run.writer_lock': { none: 'it has no rows, only a lock' },
  'run.findings': { chain: { by: 'finding_id' } },
  'run.entities': {
    chain: { by: 'position', only: ['entity_id', 'name', 'subaccount_id', 'first_seen_at'] },
    state: {},
  },
  'run.listings': { chain: { by: 'listing_id' } },
  'run.conservation': ADDED,
  'run.nights': ADDED,
  'run.verdicts': ADDED,
  'run.tasks': { none: 'it says what a shared night has still to read; its nights and its end are chained' },
  'run.workers': { none: 'it says which processes work, and no figure rests on it' },
  'run.budgets': { none: 'it says when requests may be sent, and no figure rests on it' },
  'run.openings': { none: 'it says which bans a run hears of, and no figure rests on it' },
  'run.sends': { none: 'it says when requests were sent; those that were answered are in land.requests' },
  'run.hints': { none: 'it says what to read first; what was read is proved without it' },
  'run.listening': {
    none: 'it says whether an unchanged entity may be read later; what was read is proved without it',
  },

  'land.requests': READ,
  'land.records': { proof: 'verify coverage' },
  'land.pages': { proof: 'verify coverage' },
  'land.leaves': { proof: 'verify coverage' },
  'land.coverage': { proof: 'verify coverage' },
  'land.people': {
    none: 'a person can be erased, so no figure rests on it; verify ledger names a field that is altered or missing',
  },
  'land.people_keys': ADDED,
  'land.inbox': { proof: 'verify ledger' },
  'land.resume_tokens': { none: 'it only says where a walk goes on; what was read is proved without it' },
  'land.snapshots': READ,
  'land.balances': READ,
  'land.pockets': ADDED,
  'land.rate_lists': READ,
  'land.rates': READ,
  'land.answers': READ,
  'land.authorizations': { chain: { by: 'delivery_number', isBesideRuns: true } },
  'land.external_accounts': ADDED,
  'land.external_statements': ADDED,
  'land.external_lines': ADDED,
  'land.external_withdrawals': ADDED,
  'land.official_files': { chain: { by: 'file_id' } },
  'land.official_rates': { chain: { by: 'file_id' } },
  'land.erasures': ADDED,
  'land.erased_records': ADDED,
  'land.holds': ADDED,
  'land.held_records': ADDED,
  'land.hold_releases': ADDED,

  'ledger.entries': {
    proof: 'verify ledger',
    except: { entry_number: 'it says which run booked an entry, and no figure rests on it' },
  },
  'ledger.transfers': { proof: 'verify ledger' },
  'ledger.daily': { proof: 'verify ledger' },
  'ledger.totals': { proof: 'verify ledger' },
  'ledger.outcomes': { proof: 'verify ledger' },
  'ledger.returns': ADDED,
  'ledger.restatements': { chain: { by: 'restatement_id' } },

  'reconcile.tie_outs': ADDED,
  'reconcile.breaks': {
    chain: {
      by: 'position',
      only: ['entity_id', 'break_id', 'check_name', 'subject', 'account', 'currency', 'opened_at'],
    },
    state: {},
  },
  'reconcile.break_events': { chain: { by: 'event_id' } },
  'reconcile.candidates': ADDED,
  'reconcile.confirmations': ADDED,
  'reconcile.confirmation_lines': ADDED,
  'reconcile.confirmation_year_lines': ADDED,
  'reconcile.external_matches': ADDED,
  'reconcile.clearing_matches': ADDED,
  'reconcile.clearing_days': { state: { marks: PAIRED_CLEARING } },
  'reconcile.own_transfers': { chain: { by: 'position', entity: 'from_entity' } },
  'reconcile.own_days': { state: { marks: PAIRED_TRANSFERS } },
  'reconcile.paired_totals': { state: {} },
  'reconcile.lows': { state: {} },
  'reconcile.severities': { state: { entity: null } },

  'decide.proposals': ADDED,
  'decide.approvals': ADDED,
  'decide.duties': SHARED,
  'decide.budgets': ADDED,
  'decide.value_acceptances': ADDED,
  'decide.dismissals': ADDED,
  'decide.waivers': { chain: { by: 'waiver_id' } },
  'decide.seals': ADDED,
  'decide.seal_approvals': ADDED,
  'decide.seal_leaves': { proof: 'verify ledger' },
  'decide.seal_files': { proof: 'verify ledger' },
  'decide.seal_values': { proof: 'verify ledger' },
  'decide.seal_closings': { proof: 'verify ledger' },
  'decide.reopenings': ADDED,
  'decide.profiles': ADDED,
  'decide.counterparty_files': SHARED,
  'decide.counterparty_rules': SHARED,
  'decide.counterparty_accounts': ADDED,
  'decide.charts': SHARED,
  'decide.chart_lines': SHARED,
  'decide.chart_classes': SHARED,
  'decide.label_files': SHARED,
  'decide.labels': SHARED,
  'decide.external_lots': { chain: { by: 'lot_number' } },
  'decide.lot_choices': { chain: { by: 'choice_number' } },
  'decide.batches': ADDED,
  'decide.batch_lines': ADDED,
  'decide.batch_copies': ADDED,

  'value.postings': VALUES,
  'value.monthly': { proof: 'verify ledger' },
  'value.open_lots': { proof: 'verify ledger' },
  'value.lots': { state: { part: 'period', marks: LOTS } },
  'value.uses': VALUES,
  'value.findings': VALUES,
  'value.months': { state: {} },
  'value.sources': { state: {} },
};

/** Every chained table except run.links, which is chained last. */
export const chained = (): [table: string, chain: Chain][] =>
  Object.entries(COVERS).flatMap(([table, { chain }]) =>
    chain && table !== 'run.links' ? [[table, chain] as [string, Chain]] : [],
  );

export const states = (): [table: string, state: State][] =>
  Object.entries(COVERS).flatMap(([table, { state }]) => (state ? [[table, state] as [string, State]] : []));
