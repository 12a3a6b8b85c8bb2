-- migrate:up
-- Tie-outs of every run, and the breaks, whose identity is what they are about.
create schema reconcile;

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
  primary key (entity_id, run_id, account, currency)
);

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
  opened_at timestamptz not null,
  resolved_at timestamptz,
  run_id uuid not null references run.runs,
  primary key (entity_id, break_id)
);

-- The life of a break: nothing is deleted.
create table reconcile.break_events (
  entity_id text not null,
  break_id text not null,
  event_id bigint generated always as identity,
  at timestamptz not null,
  run_id uuid references run.runs,
  by_name text,
  status text not null,
  difference numeric,
  reason text not null,
  primary key (entity_id, break_id, event_id)
);

-- migrate:down
drop schema reconcile cascade;
