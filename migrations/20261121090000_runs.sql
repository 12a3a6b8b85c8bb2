-- migrate:up
-- Runs and what they found; the entities whose books these are.
create schema run;

create table run.runs (
  run_id uuid primary key,
  job text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  exit_code smallint,
  requests integer not null default 0,
  pages integer not null default 0,
  pages_fewest integer not null default 0,
  summary text
);

-- A finding makes a run end with 1; a note is only said.
create table run.findings (
  entity_id text not null,
  run_id uuid not null references run.runs,
  finding_id bigint generated always as identity,
  severity text not null check (severity in ('finding', 'note')),
  subject text not null,
  detail text not null,
  primary key (entity_id, run_id, finding_id)
);

-- Timezone and currency are fixed by the first entry, the gateway's user by the first reading that names one. Every list
-- was last read from its start at full_read_at.
create table run.entities (
  entity_id text primary key,
  name text not null,
  subaccount_id text,
  gateway_user_id text,
  timezone text,
  currency text,
  first_seen_at timestamptz not null,
  full_read_at timestamptz
);

-- migrate:down
drop schema run cascade;
