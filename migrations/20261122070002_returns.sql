-- migrate:up
-- Late entries that went back into their month when it was reopened: what undid each where it counted, and what it stands as now.
-- A rebuild keeps their chains, since nothing landed tells when that was. Rows are added, never changed.
create table ledger.returns (
  entity_id text not null,
  entry_id uuid not null,
  undone_by uuid not null,
  redone_as uuid not null,
  period text not null check (period ~ '^\d{4}-\d{2}$'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, entry_id)
);
create index returns_by_undoing on ledger.returns (entity_id, undone_by);

-- migrate:down
drop table ledger.returns;
