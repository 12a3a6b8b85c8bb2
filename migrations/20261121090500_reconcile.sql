-- migrate:up
-- Comparisons: tie-outs of every run, the breaks with their life and their causes, pairs in clearing and between entities, and
-- statements that the platform signed. A column `position` is the order in which rows were written.
create schema reconcile;

-- A tie-out. A night reads again what moved while it was read: each comparison of a run is a reading, and the last one counts.
create table reconcile.tie_outs (
  entity_id text not null,
  run_id uuid not null references run.runs,
  account text not null,
  currency text not null,
  as_of timestamptz not null,
  reported numeric,
  booked numeric not null,
  difference numeric,
  status text not null check (status in ('tied', 'break', 'in-flight', 'pending', 'in-transit', 'uncovered')),
  reason text,
  reading smallint not null default 1 check (reading > 0),
  position bigint not null generated always as identity,
  primary key (entity_id, run_id, account, currency, reading)
);
create index tie_outs_in_order on reconcile.tie_outs using brin (position);
-- The last comparison of an account, without reading those of all nights.
create index tie_outs_by_account on reconcile.tie_outs (entity_id, account, currency, position);

-- A break; its id derives from what it is about. since: the run that opened it, or opened it again after a tie. diverged_at:
-- the effective time at which books and gateway diverged: that of the record known to cause it, else the first reading with a
-- difference; diverged_after: until then they agreed, null if nothing shows when they last did. resolved_by: the person who
-- marked it as resolved; tied_run_id: the run that saw it tie; without one a resolved break is a person's word and no proof.
-- Whether a break is waived follows from the waivers and the month.
create table reconcile.breaks (
  entity_id text not null,
  break_id text not null,
  check_name text not null,
  subject text not null,
  account text,
  currency text,
  reported numeric,
  booked numeric,
  difference numeric,
  status text not null check (status in ('open', 'assigned', 'explained', 'waived', 'resolved')),
  reason text not null,
  reason_parts text,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  run_id uuid not null references run.runs,
  since timestamptz not null,
  assigned_to text check (assigned_to ~ '\S'),
  explanation text check (explanation ~ '\S'),
  explained_by text check (explained_by ~ '\S'),
  explained_records text[],
  resolved_by text check (resolved_by ~ '\S'),
  tied_run_id uuid references run.runs,
  diverged_at timestamptz,
  diverged_after timestamptz,
  position bigint not null generated always as identity,
  primary key (entity_id, break_id),
  check ((explanation is null) = (explained_by is null)),
  check (status = 'resolved' or (tied_run_id is null and resolved_by is null))
);

-- The life of a break: nothing is deleted.
create table reconcile.break_events (
  entity_id text not null,
  break_id text not null,
  event_id bigint generated always as identity,
  at timestamptz not null,
  run_id uuid not null references run.runs,
  by_name text check (by_name ~ '\S'),
  status text not null check (status in ('open', 'assigned', 'explained', 'waived', 'resolved')),
  difference numeric,
  reason text not null,
  primary key (entity_id, break_id, event_id),
  foreign key (entity_id, break_id) references reconcile.breaks
);
create index break_events_in_order on reconcile.break_events using brin (event_id);
alter table reconcile.break_events enable row level security; -- people's steps belong to the run at work: the policies are in sql/roles.sql

-- A break has the highest rank whose value, in the reporting currency, or whose age it has reached; without a price the one
-- that names no value. It is due a number of days after it was found, by its value alone. The owner changes this with plain SQL,
-- and it applies to every break at once.
create table reconcile.severities (
  severity text primary key check (severity ~ '\S'),
  rank smallint not null unique,
  value_from numeric unique check (value_from >= 0),
  age_from integer check (age_from > 0),
  due_days integer not null check (due_days >= 0),
  check (value_from is not null or age_from is null)
);
insert into reconcile.severities (severity, rank, value_from, age_from, due_days) values
  ('low', 1, 0, null, 30),
  ('medium', 2, 100, 14, 14),
  ('unpriced', 3, null, null, 7),
  ('high', 4, 1000, 45, 5),
  ('critical', 5, 10000, 90, 1);

-- What may explain a break, the likeliest first, with the arithmetic. Rows are added only when the explanation changes: the
-- last reading of a break counts, and run_id is the run that saw it first.
create table reconcile.candidates (
  entity_id text not null,
  break_id text not null,
  reading integer not null,
  rank integer not null,
  run_id uuid not null references run.runs,
  kind text not null,
  confidence numeric not null check (confidence between 0 and 1),
  sentence text not null,
  records text[] not null,
  proof text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, break_id, reading, rank),
  foreign key (entity_id, break_id) references reconcile.breaks
);
create index candidates_in_order on reconcile.candidates using brin (position);

-- What meets in clearing: the two views of one transfer, paired one to one, with the evidence and its grounds. A pair names
-- entries, so that it stands for what was booked when it was made: once one of the two is reversed it no longer stands, and the
-- other may pair again. Rows are added, never changed.
create table reconcile.clearing_matches (
  entity_id text not null,
  debit_entry_id uuid not null,
  credit_entry_id uuid not null,
  account text not null,
  currency text not null,
  amount numeric not null check (amount > 0),
  debit_stream text not null,
  debit_record_id text not null,
  debit_at timestamptz not null,
  credit_stream text not null,
  credit_record_id text not null,
  credit_at timestamptz not null,
  grounds text not null check (grounds in ('pocket', 'amount and time', 'another pocket')),
  run_id uuid not null references run.runs,
  matched_at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, debit_entry_id, credit_entry_id, account, currency)
);
create index clearing_matches_by_credit on reconcile.clearing_matches (entity_id, credit_entry_id);
create index clearing_matches_in_order on reconcile.clearing_matches using brin (position);
-- The few pairs that somebody may want to look at.
create index clearing_matches_odd on reconcile.clearing_matches (entity_id)
where debit_stream = credit_stream or grounds = 'another pocket'
  or greatest(debit_at - credit_at, credit_at - debit_at) > interval '24:00:00';
-- The few pairs that lie far apart in time, by the time between: found by an instant at which one side had moved and the other had not.
create index clearing_matches_apart on reconcile.clearing_matches
using gist (tstzrange(least(debit_at, credit_at), greatest(debit_at, credit_at), '(]'))
where greatest(debit_at - credit_at, credit_at - debit_at) > interval '24:00:00';

-- How far each day of a clearing account was paired, so that a night reads only the days that moved or hold something
-- unpaired: the sums of ledger.daily when the day was last looked at, and how many of its moves had no counterpart.
create table reconcile.clearing_days (
  entity_id text not null,
  account text not null,
  currency text not null,
  effective_day date not null,
  debit numeric not null,
  credit numeric not null,
  unmatched integer not null check (unmatched >= 0),
  primary key (entity_id, account, currency, effective_day)
);

create index clearing_days_unmatched on reconcile.clearing_days (entity_id) where unmatched > 0;

-- What an account summed to when its days were last paired: as long as it sums to that, no day has changed, because debits and
-- credits only grow. equity:external stands for people and chains together, which own_days adds up, with its number of addresses.
create table reconcile.paired_totals (
  entity_id text not null,
  account text not null,
  currency text not null,
  debit numeric not null,
  credit numeric not null,
  addresses integer not null,
  primary key (entity_id, account, currency)
);

-- The balances at the ends of the days of an asset account, up to a day that lies a month or more back, in short: what had been
-- debited and credited by then, the days below zero, and the lowest balance. It holds as long as nothing is posted up to that day.
create table reconcile.lows (
  entity_id text not null,
  account text not null,
  currency text not null,
  through_day date not null,
  debit numeric not null,
  credit numeric not null,
  days_below integer not null check (days_below >= 0),
  first_below date,
  lowest numeric,
  lowest_on date,
  primary key (entity_id, account, currency),
  check ((days_below = 0) = (first_below is null) and (days_below = 0) = (lowest is null) and (days_below = 0) = (lowest_on is null))
);

-- What went from one of our entities to another: the leg of a person or of a chain in the books of each, paired one to one, with the
-- grounds. On a chain it may be another pocket of the same entity. Pairs stand and fall as those of clearing do. amount_out left
-- from_entity; amount_in arrived at to_entity, and may differ by the fee.
create table reconcile.own_transfers (
  from_entity text not null,
  from_entry_id uuid not null,
  to_entity text not null,
  to_entry_id uuid not null,
  currency text not null,
  amount_out numeric not null check (amount_out > 0),
  amount_in numeric not null check (amount_in > 0),
  from_stream text not null,
  from_record_id text not null,
  from_at timestamptz not null,
  to_stream text not null,
  to_record_id text not null,
  to_at timestamptz not null,
  grounds text not null check (grounds in ('record', 'pocket', 'user', 'amount and time', 'address', 'hash', 'address and hash')),
  run_id uuid not null references run.runs,
  matched_at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (from_entity, from_entry_id, to_entity, to_entry_id, currency),
  check (from_entity <> to_entity or grounds in ('address', 'hash', 'address and hash'))
);
create index own_transfers_by_arrival on reconcile.own_transfers (to_entity, to_entry_id);
create index own_transfers_in_order on reconcile.own_transfers using brin (position);

-- All entries of the records of which one is in a pair of own transfers after a position, or in one that an entry after a number changes,
-- because it reverses one of the two or stands for its record again.
create function reconcile.paired_since(last_entry bigint, last_position bigint)
returns table (entity_id text, entry_id uuid) language sql stable parallel safe as $$
  with fresh as materialized (
    select e.entity_id, e.reverses as entry_id from ledger.entries e where e.entry_number > last_entry and e.reverses is not null
    union
    select was.entity_id, was.entry_id
    from ledger.entries e
    join ledger.entries was on (was.entity_id, was.stream, was.record_id) = (e.entity_id, e.stream, e.record_id) and was.ordinal < e.ordinal
    where e.entry_number > last_entry and e.reverses is null and e.ordinal > 2 and was.reverses is null
  ), pair as (
    select k.* from reconcile.own_transfers k where k.position > last_position
    union
    select k.* from fresh u join reconcile.own_transfers k on (k.from_entity, k.from_entry_id) = (u.entity_id, u.entry_id)
    union
    select k.* from fresh u join reconcile.own_transfers k on (k.to_entity, k.to_entry_id) = (u.entity_id, u.entry_id)
  ), side as (
    select p.from_entity as entity_id, p.from_entry_id as entry_id from pair p
    union
    select p.to_entity, p.to_entry_id from pair p
  )
  select distinct e.entity_id, e.entry_id
  from side
  join ledger.entries own using (entity_id, entry_id)
  join ledger.entries e on (e.entity_id, e.stream, e.record_id) = (own.entity_id, own.stream, own.record_id)
$$;

-- How far each day of equity:external:person and equity:external:blockchain was paired: the sums of ledger.daily and the number
-- of addresses on which the entity receives the currency when it was last looked at, and how many of its legs name one of our
-- entities without a counterpart there.
create table reconcile.own_days (
  entity_id text not null,
  currency text not null,
  effective_day date not null,
  debit numeric not null,
  credit numeric not null,
  addresses integer not null,
  lone integer not null check (lone >= 0),
  primary key (entity_id, currency, effective_day)
);
create index own_days_lone on reconcile.own_days (entity_id, currency, effective_day) where lone > 0;

-- What a bank or a chain shows and what an entry moved there, paired one to one, with the evidence and its grounds. A pair names
-- the entry, so that it stands for what was booked when it was made: once the entry is reversed it no longer stands, and the line
-- may pair again. If a record was cancelled because the payment was returned, its entry and the reversal (is_return) each have a line,
-- and stand together. line_amount and entry_amount are positive if money left the platform; they differ by a fee that the entry
-- has, or because one of the two is wrong: then the pair is a break.
create table reconcile.external_matches (
  entity_id text not null,
  account_name text not null,
  line_number integer not null,
  entry_id uuid not null,
  kind text not null check (kind in ('bank', 'chain')),
  account text not null,
  currency text not null,
  line_amount numeric not null,
  entry_amount numeric not null,
  fee numeric not null,
  stream text not null,
  record_id text not null,
  effective_at timestamptz not null,
  effective_day date not null,
  days_apart integer not null check (days_apart >= 0),
  grounds text not null check (grounds in (
    'reference', 'amount and day', 'amount and order', 'hash', 'address and amount'
  )),
  run_id uuid not null references run.runs,
  matched_at timestamptz not null,
  position bigint not null generated always as identity,
  is_return boolean not null,
  primary key (entity_id, account_name, line_number, entry_id)
);
create index external_matches_by_entry on reconcile.external_matches (entity_id, entry_id);

-- A statement that the platform gave, by its digest: of balances at as_of, or its own figures of the calendar year that ends then. A
-- year's money is in currency, and differs if it lies further apart than tolerance.
create table reconcile.confirmations (
  entity_id text not null,
  confirmation_id text not null,
  as_of timestamptz not null,
  year text check (year ~ '^\d{4}$'),
  currency text,
  tolerance numeric check (tolerance >= 0),
  file_name text not null,
  file_sha256 text not null,
  evidence_name text,
  evidence_sha256 text,
  by_name text not null,
  at timestamptz not null,
  covered_to timestamptz,
  lines integer not null,
  agreed integer not null,
  differing integer not null,
  position bigint not null generated always as identity,
  primary key (entity_id, confirmation_id),
  check (num_nonnulls(year, currency, tolerance) in (0, 3))
);

-- A line of a statement, compared with the books. line and stated are null for what the books hold and the statement does not
-- name. difference = stated − booked.
create table reconcile.confirmation_lines (
  entity_id text not null,
  confirmation_id text not null,
  account text not null,
  currency text not null,
  line integer,
  stated numeric,
  booked numeric not null,
  difference numeric not null,
  status text not null check (status in ('agrees', 'differs', 'not-in-books', 'not-in-statement')),
  position bigint not null generated always as identity,
  primary key (entity_id, confirmation_id, account, currency),
  foreign key (entity_id, confirmation_id) references reconcile.confirmations
);

-- A row of the platform's figures of a year, compared with dac8_check. line and the stated figures are null for what the books have
-- and the file does not; stated_count is also null where no number is reported. booked_value is null if nothing of the row has a value,
-- and valued is how many of booked_count have one. differing lists what differs in a row that both have.
create table reconcile.confirmation_year_lines (
  entity_id text not null,
  confirmation_id text not null,
  asset text not null,
  what text not null,
  sub_type text not null,
  line integer,
  stated_units numeric,
  booked_units numeric not null,
  stated_value numeric,
  booked_value numeric,
  valued bigint not null,
  stated_count bigint,
  booked_count bigint not null,
  valuation text,
  status text not null check (status in ('agrees', 'differs', 'not-in-books', 'not-in-file')),
  differing text[] not null check (differing <@ array['units', 'money', 'count']),
  position bigint not null generated always as identity,
  primary key (entity_id, confirmation_id, asset, what, sub_type),
  foreign key (entity_id, confirmation_id) references reconcile.confirmations
);

-- migrate:down
drop schema reconcile cascade;
