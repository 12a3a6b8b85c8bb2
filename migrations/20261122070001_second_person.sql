-- migrate:up
-- A second person for everything that changes money or tax: a proposal holds the change whole, with the SHA-256 of its text, and
-- what comes of it names that proposal. period is null where an approval books no entry.
alter table decide.proposals drop constraint proposals_action_check;
alter table decide.proposals
  add column content_sha256 text check (content_sha256 ~ '^[0-9a-f]{64}$'),
  add check (action in ('open', 'adjust', 'settle', 'reverse', 'waive', 'dismiss', 'lots', 'counterparties', 'rates', 'profiles',
    'budget', 'accept'));

-- Whether one person may do both: version 1 is the first that was ever recorded, and without any there are two. It can be
-- switched off once, and on again.
create table decide.duties (
  version integer primary key check (version > 0),
  is_one_person boolean not null,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity
);
create unique index duties_off_once on decide.duties (is_one_person) where is_one_person;

-- The names of the two, without width, case and blanks, differ, unless one person may do both; duties_version says by which
-- setting. Look-alikes of other scripts are refused by the program.
alter table decide.approvals
  drop constraint approvals_check, drop constraint approvals_check1,
  add column duties_version integer references decide.duties,
  add check (verdict = 'approved' or period is null),
  add constraint another_person check (
    duties_version is not null
    or lower(regexp_replace(trim(normalize(approved_by, nfkc)), '\s+', ' ', 'g'))
      <> lower(regexp_replace(trim(normalize(prepared_by, nfkc)), '\s+', ' ', 'g'))
  );

-- What waived breaks and unvalued items of one entity's month may be worth together, version by version, in the reporting currency.
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

-- So many value findings of a month are accepted for its close.
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

-- The proposal that each came of; null for what was entered before there had to be one.
alter table decide.waivers add column proposal_id text, add foreign key (entity_id, proposal_id) references decide.approvals;
alter table decide.dismissals add column proposal_id text, add foreign key (entity_id, proposal_id) references decide.approvals;
alter table decide.profiles add column proposal_entity text, add column proposal_id text,
  add foreign key (proposal_entity, proposal_id) references decide.approvals;
alter table decide.outside_lots add column proposal_id text, add foreign key (entity_id, proposal_id) references decide.approvals;
alter table decide.counterparty_files add column proposal_entity text, add column proposal_id text,
  add foreign key (proposal_entity, proposal_id) references decide.approvals;
alter table land.official_files add column proposal_id text, add foreign key (entity_id, proposal_id) references decide.approvals;

-- Who is not the owner adds only what was approved: the policies stand in sql/roles.sql, beside the grants.
alter table decide.approvals enable row level security;
alter table decide.waivers enable row level security;
alter table decide.dismissals enable row level security;
alter table decide.profiles enable row level security;
alter table decide.outside_lots enable row level security;
alter table decide.counterparty_files enable row level security;
alter table decide.budgets enable row level security;
alter table decide.value_acceptances enable row level security;
alter table land.official_files enable row level security;

-- migrate:down
alter table land.official_files disable row level security, drop column proposal_id;
alter table decide.counterparty_files disable row level security, drop column proposal_id, drop column proposal_entity;
alter table decide.outside_lots disable row level security, drop column proposal_id;
alter table decide.profiles disable row level security, drop column proposal_id, drop column proposal_entity;
alter table decide.dismissals disable row level security, drop column proposal_id;
alter table decide.waivers disable row level security, drop column proposal_id;
drop table decide.value_acceptances, decide.budgets;
alter table decide.approvals disable row level security, drop column duties_version;
drop table decide.duties;
alter table decide.proposals drop column content_sha256;
