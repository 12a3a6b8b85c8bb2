-- migrate:up
-- The ledger: entries and their legs. A leg moves one positive amount of one currency from credit to debit, so that
-- no entry can be unbalanced. Rows are added, never changed.
create schema ledger;

create table ledger.entries (
  entity_id text not null,
  entry_id uuid not null,
  effective_at timestamptz not null,
  recorded_at timestamptz not null,
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  kind text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  ordinal integer not null check (ordinal > 0),
  reverses uuid,
  rule_version integer not null,
  description text not null,
  primary key (entity_id, entry_id),
  unique (entity_id, stream, record_id, ordinal)
);

create table ledger.transfers (
  entity_id text not null,
  entry_id uuid not null,
  leg smallint not null check (leg > 0),
  debit text not null,
  credit text not null,
  currency text not null,
  amount numeric not null check (amount > 0 and amount < 1e30 and scale(amount) <= 18),
  primary key (entity_id, entry_id, leg),
  foreign key (entity_id, entry_id) references ledger.entries,
  check (debit <> credit)
);

-- What became of each version of each record: conserved, landed = booked + rejected + set aside.
create table ledger.outcomes (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  outcome text not null check (outcome in ('booked', 'rejected', 'set-aside')),
  reason text,
  final boolean not null,
  rule_version integer not null,
  primary key (entity_id, stream, record_id, version),
  check ((outcome = 'booked') = (reason is null))
);
-- Records that are not final are followed until they are: few, and found without reading history.
create index outcomes_not_final on ledger.outcomes (entity_id, stream, record_id, version) where not final;
create index outcomes_rejected on ledger.outcomes (entity_id, stream, record_id, version) where outcome = 'rejected';

-- migrate:down
drop schema ledger cascade;
