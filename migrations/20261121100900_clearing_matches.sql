-- migrate:up
-- What meets in clearing: the two views of one move, paired one to one, each pair kept with its evidence; and how far each
-- day of a clearing account was looked at, so that a night reads only the days that moved or that hold something unpaired.
-- Notes about records look at those that a run landed, found by when they were: they lie in that order, so a BRIN index,
-- which costs next to nothing, is enough.

-- A pair names entries, so that it stands for what was booked when it was made: where one of the two is reversed it no
-- longer holds, and the other may pair again. Rows are added, never changed.
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
  run_id uuid not null references run.runs,
  matched_at timestamptz not null,
  primary key (entity_id, debit_entry_id, credit_entry_id, account, currency)
);
create index clearing_matches_by_credit on reconcile.clearing_matches (entity_id, credit_entry_id);
-- The few pairs that somebody may want to look at.
create index clearing_matches_odd on reconcile.clearing_matches (entity_id)
where debit_stream = credit_stream or greatest(debit_at - credit_at, credit_at - debit_at) > interval '24:00:00';

-- What ledger.daily said of a day when it was last looked at, and how many of its moves found no counterpart.
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

create index records_by_landing on land.records using brin (landed_at);

-- migrate:down
drop index land.records_by_landing;
drop table reconcile.clearing_days, reconcile.clearing_matches;
