-- migrate:up
-- What went from one of our entities to another: the leg of a person in the books of each, paired one to one, each pair
-- kept with its grounds; and how far each day of such legs was looked at, so that a night reads the days that moved.

-- A pair names entries, so that it stands for what was booked when it was made: where one of the two is reversed it no
-- longer holds, and the other may pair again. Rows are added, never changed. from_entity's money left, amount_out; what
-- to_entity was told to have come, amount_in, may differ by the fee.
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
  grounds text not null check (grounds in ('record', 'pocket', 'user', 'amount and time')),
  run_id uuid not null references run.runs,
  matched_at timestamptz not null,
  primary key (from_entity, from_entry_id, to_entity, to_entry_id, currency),
  check (from_entity <> to_entity)
);
create index own_transfers_by_arrival on reconcile.own_transfers (to_entity, to_entry_id);

-- What ledger.daily said of a day of equity:external:person when it was last looked at, and how many of its legs name
-- another of our entities and found no counterpart there.
create table reconcile.own_days (
  entity_id text not null,
  currency text not null,
  effective_day date not null,
  debit numeric not null,
  credit numeric not null,
  lone integer not null check (lone >= 0),
  primary key (entity_id, currency, effective_day)
);
create index own_days_lone on reconcile.own_days (entity_id, currency, effective_day) where lone > 0;

-- migrate:down
drop table reconcile.own_days, reconcile.own_transfers;
