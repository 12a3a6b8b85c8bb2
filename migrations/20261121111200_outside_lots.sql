-- migrate:up
-- Lots that are the taxpayer's own and lie outside: bought elsewhere, with what they cost, from a file that a person handed
-- in with evidence. They wait there until units of their kind come in from a wallet of our own. Rows are added, never changed.
create table decide.outside_lots (
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
  primary key (entity_id, lot_number),
  unique (entity_id, file_sha256, line)
);

-- No entry brought them.
alter table value.lots alter column entry_id drop not null, alter column leg drop not null;

-- migrate:down
alter table value.lots alter column entry_id set not null, alter column leg set not null;
drop table decide.outside_lots;
