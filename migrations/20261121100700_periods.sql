-- migrate:up
-- Closed periods: what was sealed, entry by entry and file by file, who approved it, and what was opened again.
-- Everything up to the last period sealed and not reopened is closed. Rows are added, never changed.

-- belongs_to: the closed month in which the entry took effect, where period is a later one.
alter table ledger.entries add column belongs_to text check (belongs_to < period);
create index entries_late on ledger.entries (entity_id, belongs_to) where belongs_to is not null;

-- seal is the canonical JSON of all that was sealed; requests_to is the last request landed before it, the clock by
-- which a record is early or late, since no machine's clock decides that.
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
  primary key (entity_id, period, seal_number),
  foreign key (entity_id, period, seal_number, prepared_by)
    references decide.seals (entity_id, period, seal_number, prepared_by),
  check (lower(trim(approved_by)) <> lower(trim(prepared_by)))
);

-- The leaves of the root: one for each entry of the period. They and the files are written before the seal that names them.
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

create table decide.reopenings (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  requests_to bigint not null,
  by_name text not null check (by_name ~ '\S'),
  reason text not null check (reason ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, period, seal_number),
  foreign key (entity_id, period, seal_number) references decide.seals
);

-- Who is not the owner adds entries to open periods only: the policies stand in sql/roles.sql, beside the grants.
alter table ledger.entries enable row level security;
alter table ledger.transfers enable row level security;

-- migrate:down
alter table ledger.transfers disable row level security;
alter table ledger.entries disable row level security;
drop table decide.reopenings, decide.seal_files, decide.seal_leaves, decide.seal_approvals, decide.seals;
drop index ledger.entries_late;
alter table ledger.entries drop column belongs_to;
