-- migrate:up
-- Batches: what was handed out to an accounting package, line by line, by whom and when, numbered without a gap in each
-- entity and year. An entry is handed out once to a package; after that only what it differs by since. Rows are added,
-- never changed.

-- settings is canonical JSON of what the head of the package's files says beside this.
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
  entries integer not null check (entries > 0),
  lines integer not null check (lines > 0),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, year, batch_number)
);

-- The lines are written before the batch that names them. day is the one that the package was told; value is debit
-- positive, in whole cents; code, name and tax are what the account map made of the account then.
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
  nature text not null,
  units numeric not null,
  value numeric not null check (value = round(value, 2) and value <> 0),
  code text not null,
  name text not null,
  tax text not null,
  primary key (entity_id, year, batch_number, line),
  foreign key (entity_id, year, batch_number) references decide.batches deferrable initially deferred
);
create index batch_lines_by_entry on decide.batch_lines (entity_id, entry_id);

-- A batch that was handed out again, the same lines to the byte.
create table decide.batch_copies (
  entity_id text not null,
  year integer not null,
  batch_number integer not null,
  copy_id bigint generated always as identity,
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, year, batch_number, copy_id),
  foreign key (entity_id, year, batch_number) references decide.batches
);

-- A number follows the last, and lines go into no batch that is there: the policies stand in sql/roles.sql.
alter table decide.batches enable row level security;
alter table decide.batch_lines enable row level security;

-- migrate:down
drop table decide.batch_copies, decide.batch_lines, decide.batches;
