-- migrate:up
-- What people decide, by name: proposals and approvals, profiles, rules, waivers, budgets, seals and export batches. None of
-- it is derived, so no rebuild touches it. Rows are added, never changed; a column `position` is the order in which they were
-- written. Row security lets everybody but the owner add only what was approved: the policies are in sql/roles.sql, beside the
-- grants.
create schema decide;

-- A proposal holds the whole change that one person prepares. content is canonical JSON, and content_sha256 is its digest;
-- proposal_id begins the SHA-256 of what is asked for, so that asking twice is asking once.
create table decide.proposals (
  entity_id text not null,
  proposal_id text not null,
  action text not null check (action in (
    'open', 'adjust', 'settle', 'reverse', 'waive', 'dismiss', 'lots', 'choose', 'counterparties', 'rates', 'profiles', 'chart', 'labels', 'budget', 'accept'
  )),
  content text not null,
  reason text not null check (reason ~ '\S'),
  evidence_name text,
  evidence_sha256 text check (evidence_sha256 ~ '^[0-9a-f]{64}$'),
  prepared_by text not null check (prepared_by ~ '\S'),
  prepared_at timestamptz not null,
  content_sha256 text check (content_sha256 ~ '^[0-9a-f]{64}$'),
  position bigint not null generated always as identity,
  primary key (entity_id, proposal_id),
  unique (entity_id, proposal_id, prepared_by)
);

-- Whether one person may both prepare and approve: the last version counts, and without any two people are needed. It can be
-- allowed once, and taken back.
create table decide.duties (
  version integer primary key check (version > 0),
  is_one_person boolean not null,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity
);
create unique index duties_off_once on decide.duties (is_one_person) where is_one_person;

-- Another person's verdict. period is the open month in which the entry counts; null if the approval books no entry.
-- duties_version is the setting under which one person did both. Punctuation, spaces, accents and case do not make another
-- person: the program compares names by what they look like, in every script (src/base/names.ts), and verify ledger does it
-- again; the database refuses the plainest of them, whatever client asks.
create table decide.approvals (
  entity_id text not null,
  proposal_id text not null,
  verdict text not null check (verdict in ('approved', 'refused')),
  reason text,
  prepared_by text not null,
  approved_by text not null check (approved_by ~ '\S'),
  approved_at timestamptz not null,
  period text check (period ~ '^\d{4}-\d{2}$'),
  original_period text,
  duties_version integer references decide.duties,
  position bigint not null generated always as identity,
  primary key (entity_id, proposal_id),
  foreign key (entity_id, proposal_id, prepared_by) references decide.proposals (entity_id, proposal_id, prepared_by),
  check (verdict = 'approved' or period is null),
  check (verdict = 'approved' or coalesce(reason, '') ~ '\S'),
  constraint another_person check (
    duties_version is not null or
    lower(regexp_replace(normalize(approved_by, nfkd),
      '[[:space:][:punct:]\u00a0-\u00bf\u02b0-\u036f\u2000-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'))
    <> lower(regexp_replace(normalize(prepared_by, nfkd),
      '[[:space:][:punct:]\u00a0-\u00bf\u02b0-\u036f\u2000-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'))
  )
);

-- A rejected version that somebody looked at and that need not be booked. A later version is judged anew.
create table decide.dismissals (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  proposal_id text,
  position bigint not null generated always as identity,
  primary key (entity_id, stream, record_id, version),
  foreign key (entity_id, proposal_id) references decide.approvals
);

-- A break accepted for the close of one month, at one difference: another difference is another decision.
create table decide.waivers (
  entity_id text not null,
  waiver_id bigint generated always as identity,
  break_id text not null,
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  difference numeric,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  proposal_id text,
  primary key (entity_id, break_id, waiver_id),
  foreign key (entity_id, proposal_id) references decide.approvals
);

-- What waived breaks and unvalued items of one entity's month may come to together, version by version, in the reporting
-- currency.
create table decide.budgets (
  entity_id text not null,
  version integer not null check (version > 0),
  ceiling numeric not null check (ceiling >= 0),
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  proposal_id text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, version),
  foreign key (entity_id, proposal_id) references decide.approvals
);

-- The number of value findings of a month that are accepted for its close.
create table decide.value_acceptances (
  entity_id text not null,
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  proposal_id text not null,
  findings_max integer not null check (findings_max > 0),
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, period, proposal_id),
  foreign key (entity_id, proposal_id) references decide.approvals
);

-- Whose books these are, version by version. Each version is the whole profile, null where nothing is set. Currency, timezone
-- and the start of the fiscal year are those that the books begin with: run.entities has them from the first entry on, and a
-- profile may only agree.
create table decide.profiles (
  entity_id text not null,
  version integer not null check (version > 0),
  legal_name text,
  tax_id text,
  taxpayer text,
  owner text check (owner in ('own', 'client')),
  currency text check (currency ~ '^[A-Z0-9]{2,12}$'),
  timezone text,
  cost_method text check (cost_method in ('fifo', 'average', 'hifo', 'specific')),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_entity text,
  proposal_id text,
  position bigint not null generated always as identity,
  fiscal_year_start smallint check (fiscal_year_start between 1 and 12),
  lot_rules text check (lot_rules ~ '^[a-z0-9:-]+( [a-z0-9:-]+)*$'),
  residence text check (residence ~ '^[A-Z]{2}$'),
  primary key (entity_id, version),
  foreign key (proposal_entity, proposal_id) references decide.approvals
);

-- Who is on the other side: files of rules, version by version, the last in force. They are the same for every entity, and few.
create table decide.counterparty_files (
  version integer primary key check (version > 0),
  file_name text not null,
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_entity text,
  proposal_id text,
  position bigint not null generated always as identity,
  foreign key (proposal_entity, proposal_id) references decide.approvals
);

-- A rule matches what has everything that the rule names. Of a bank account it stores what may be shown.
create table decide.counterparty_rules (
  version integer not null references decide.counterparty_files,
  line integer not null,
  class text check (class in ('bank', 'blockchain', 'card', 'person', 'platform')),
  address text,
  bank_account text,
  operation text,
  counterparty text not null check (counterparty ~ '\S'),
  counterparty_type text not null check (counterparty_type in ('own', 'own-entity', 'third-party', 'platform')),
  position bigint not null generated always as identity,
  primary key (version, line),
  check (coalesce(class, address, bank_account, operation) is not null)
);

-- A bank account of a rule as the records of each entity hold it: a commitment under that entity's key, for each way of
-- writing it.
create table decide.counterparty_accounts (
  entity_id text not null,
  version integer not null,
  line integer not null,
  commitment text not null check (commitment ~ '^personal:[0-9a-f]{64}$'),
  position bigint not null generated always as identity,
  primary key (entity_id, version, line, commitment),
  foreign key (version, line) references decide.counterparty_rules
);

-- Charts of accounts, version by version, each a whole chart with its corrections of asset classes. Of the versions for an entity
-- (for_entity; null: all without one of their own) the last counts whose from_month, which begins a fiscal year, has come.
create table decide.charts (
  version integer primary key check (version > 0),
  for_entity text,
  chart text not null check (chart ~ '\S'),
  from_month text not null check (from_month ~ '^\d{4}-\d{2}$'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_entity text not null,
  proposal_id text not null,
  position bigint not null generated always as identity,
  foreign key (proposal_entity, proposal_id) references decide.approvals
);

-- An account path (everything below a path with :*), the class of the asset and its currency decide; empty matches all, and the
-- first line that matches counts.
create table decide.chart_lines (
  version integer not null references decide.charts,
  line integer not null,
  account text not null check (account ~ '\S'),
  class text not null check (class in ('', 'fiat', 'e-money token', 'coin', 'testnet')),
  currency text not null,
  code text not null check (code ~ '\S'),
  name_en text not null check (name_en ~ '\S'),
  name_es text not null check (name_es ~ '\S'),
  name_de text not null check (name_de ~ '\S'),
  statement text not null check (statement in ('balance sheet', 'income statement')),
  statement_class text not null check (statement_class ~ '\S'),
  position bigint not null generated always as identity,
  primary key (version, line)
);

create table decide.chart_classes (
  version integer not null references decide.charts,
  currency text not null check (currency ~ '\S'),
  class text not null check (class in ('fiat', 'e-money token', 'coin', 'testnet')),
  position bigint not null generated always as identity,
  primary key (version, currency)
);

-- Labels: what people call an entity, a pocket, an account or a counterparty in reports. Each file replaces the one before as a whole.
create table decide.label_files (
  version integer primary key check (version > 0),
  file_name text not null check (file_name ~ '\S'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_entity text not null,
  proposal_id text not null,
  position bigint not null generated always as identity,
  foreign key (proposal_entity, proposal_id) references decide.approvals
);

create table decide.labels (
  version integer not null references decide.label_files,
  kind text not null check (kind in ('entity', 'pocket', 'account', 'counterparty')),
  id text not null check (id ~ '\S'),
  label text not null check (label ~ '\S'),
  position bigint not null generated always as identity,
  primary key (version, kind, id)
);

-- Externally held lots: bought elsewhere, with what they cost, from a file that a person imported with evidence. They wait
-- there until units of their kind come in from one of our own wallets.
create table decide.external_lots (
  entity_id text not null,
  lot_number bigint generated always as identity,
  currency text not null,
  units numeric not null check (units > 0),
  cost numeric not null check (cost >= 0),
  cost_currency text not null,
  acquired_on date not null,
  file_name text not null,
  file_sha256 text not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  line integer not null,
  evidence_name text not null,
  evidence_sha256 text not null check (evidence_sha256 ~ '^[0-9a-f]{64}$'),
  reason text not null check (reason ~ '\S'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_id text,
  primary key (entity_id, lot_number),
  unique (entity_id, file_sha256, line),
  foreign key (entity_id, proposal_id) references decide.approvals
);

-- The lots that a person named for a disposal, by its record and asset; the newest file that names a disposal counts.
create table decide.lot_choices (
  entity_id text not null,
  choice_number bigint generated always as identity,
  stream text not null,
  record_id text not null,
  currency text not null,
  lot_entity_id text not null,
  lot_id text not null,
  acquired_at timestamptz not null,
  units numeric not null check (units > 0),
  file_name text not null,
  file_sha256 text not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  line integer not null,
  reason text not null check (reason ~ '\S'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_id text not null,
  primary key (entity_id, choice_number),
  foreign key (entity_id, proposal_id) references decide.approvals
);
create index lot_choices_by_record on decide.lot_choices (entity_id, stream, record_id, currency, choice_number);

-- Closed months: everything up to the last month sealed and not reopened is closed. seal is the canonical JSON of all that was
-- sealed; requests_to is the last request landed before it: a record is early or late by this number, since no machine's clock
-- decides that.
create table decide.seals (
  entity_id text not null,
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  seal_number integer not null check (seal_number > 0),
  requests_to bigint not null,
  entries integer not null,
  root text not null check (root ~ '^[0-9a-f]{64}$'),
  seal text not null,
  prepared_by text not null check (prepared_by ~ '\S'),
  sealed_at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, period, seal_number),
  unique (entity_id, period, seal_number, prepared_by)
);

-- Another person's name under a seal; without one the seal says that there was no segregation of duties.
create table decide.seal_approvals (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  prepared_by text not null,
  approved_by text not null check (approved_by ~ '\S'),
  approved_at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, period, seal_number),
  foreign key (entity_id, period, seal_number, prepared_by)
    references decide.seals (entity_id, period, seal_number, prepared_by),
  constraint another_person check (
    lower(regexp_replace(normalize(approved_by, nfkd),
      '[[:space:][:punct:]\u00a0-\u00bf\u02b0-\u036f\u2000-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'))
    <> lower(regexp_replace(normalize(prepared_by, nfkd),
      '[[:space:][:punct:]\u00a0-\u00bf\u02b0-\u036f\u2000-\u206f\ufe00-\ufe0f\ufeff]', '', 'g'))
  )
);

-- The leaves of the root: one for each entry of the month. They and the files are written before the seal that names them.
create table decide.seal_leaves (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  entry_id uuid not null,
  leaf bytea not null,
  primary key (entity_id, period, seal_number, entry_id),
  foreign key (entity_id, period, seal_number) references decide.seals deferrable initially deferred
);

-- The reports as they were sealed, in pieces that end anywhere.
create table decide.seal_files (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  name text not null,
  part integer not null,
  content text not null,
  primary key (entity_id, period, seal_number, name, part),
  foreign key (entity_id, period, seal_number) references decide.seals deferrable initially deferred
);

-- The values of each entry at the seal, as a leaf. subject: the id of an entry, or of a lot that no entry brought.
create table decide.seal_values (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  subject text not null,
  leaf bytea not null,
  primary key (entity_id, period, seal_number, subject),
  foreign key (entity_id, period, seal_number) references decide.seals deferrable initially deferred
);

-- What every account and every lot carried at the end of a sealed month, with which the next month begins. subject: an
-- account, or `lot` and its id, whose cost is in exact and which has no value of its own.
create table decide.seal_closings (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  subject text not null,
  currency text not null,
  units numeric not null,
  exact numeric,
  value numeric,
  primary key (entity_id, period, seal_number, subject, currency),
  foreign key (entity_id, period, seal_number) references decide.seals deferrable initially deferred
);

-- A month opened again.
create table decide.reopenings (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  requests_to bigint not null,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, period, seal_number),
  foreign key (entity_id, period, seal_number) references decide.seals
);

-- Export batches: the entries that an accounting package received, line by line, numbered without a gap in each entity and
-- year. A package receives an entry once; after that only what it differs by since. settings is canonical JSON of the other
-- fields in the head of the package's files. facts is canonical JSON of what its manifest says of the books at that time: control
-- totals, conservation, configuration. summary: the stretch of time whose entries became one journal; null if each entry is
-- a journal of its own. Its lines are those of the entries either way.
create table decide.batches (
  entity_id text not null,
  year integer not null check (year between 1970 and 2999),
  batch_number integer not null check (batch_number > 0),
  package text not null check (package ~ '^[a-z]+$'),
  period text not null,
  currency text not null,
  timezone text not null,
  map_sha256 text not null check (map_sha256 ~ '^[0-9a-f]{64}$'),
  settings text not null,
  facts text not null,
  summary text check (summary in ('day', 'week', 'month')),
  entries integer not null check (entries > 0),
  lines integer not null check (lines > 0),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, year, batch_number)
);

-- The lines are written before the batch that names them. day is the one that the package received; value is debit positive,
-- in whole cents; code, name, tax and the dimensions are what the account map made of the account then.
create table decide.batch_lines (
  entity_id text not null,
  year integer not null,
  batch_number integer not null,
  line integer not null check (line > 0),
  ordinal integer not null check (ordinal > 0),
  entry_id uuid not null,
  day date not null,
  kind text not null check (kind in ('new', 'correction')),
  stream text not null,
  record_id text not null,
  account text not null,
  currency text not null,
  counterparty_type text not null,
  units numeric not null,
  value numeric not null check (value = round(value, 2) and value <> 0),
  code text not null,
  name text not null,
  tax text not null,
  dimension1 text not null,
  dimension2 text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, year, batch_number, line),
  foreign key (entity_id, year, batch_number) references decide.batches deferrable initially deferred
);
create index batch_lines_by_entry on decide.batch_lines (entity_id, entry_id);
create index batch_lines_in_order on decide.batch_lines using brin (position);

-- A batch exported again, the same lines to the byte.
create table decide.batch_copies (
  entity_id text not null,
  year integer not null,
  batch_number integer not null,
  copy_id bigint generated always as identity,
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, year, batch_number, copy_id),
  foreign key (entity_id, year, batch_number) references decide.batches
);

-- Months are sealed and batches numbered row by row too: nobody can seal a closed month again, or add to what a seal or a
-- batch contains. Nobody but the owner dates a decision.
alter table decide.proposals enable row level security;
alter table decide.duties enable row level security;
alter table decide.approvals enable row level security;
alter table decide.dismissals enable row level security;
alter table decide.waivers enable row level security;
alter table decide.budgets enable row level security;
alter table decide.value_acceptances enable row level security;
alter table decide.profiles enable row level security;
alter table decide.counterparty_files enable row level security;
alter table decide.charts enable row level security;
alter table decide.label_files enable row level security;
alter table decide.external_lots enable row level security;
alter table decide.lot_choices enable row level security;
alter table decide.seals enable row level security;
alter table decide.seal_leaves enable row level security;
alter table decide.seal_files enable row level security;
alter table decide.seal_values enable row level security;
alter table decide.seal_closings enable row level security;
alter table decide.seal_approvals enable row level security;
alter table decide.reopenings enable row level security;
alter table decide.batches enable row level security;
alter table decide.batch_lines enable row level security;

-- migrate:down
drop schema decide cascade;
