-- migrate:up
-- Erasing people: what was erased, by whom and why; what may not be erased for now; which records stay without people.

-- One row per set of books and erasure. What was asked for stands as a commitment under the entity's key, never as text.
create table land.erasures (
  entity_id text not null,
  erasure_id text not null,
  at timestamptz not null,
  by_name text not null,
  reason text not null,
  asked_for text not null check (asked_for in ('person', 'expired')),
  commitment bytea check ((commitment is null) = (asked_for = 'expired')),
  retention_years integer not null,
  records_erased integer not null,
  fields_erased integer not null,
  kept_by_retention integer not null,
  kept_by_hold integer not null,
  first_may_go_at timestamptz,
  last_may_go_at timestamptz,
  primary key (entity_id, erasure_id)
);

-- A record whose people were erased gets none again, whatever version of it comes.
create table land.erased_records (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  erasure_id text not null,
  primary key (entity_id, stream, record_id)
);

-- A legal hold keeps every record of which a personal field equals what was named, those that come later too.
create table land.holds (
  entity_id text not null,
  hold_id text not null,
  at timestamptz not null,
  by_name text not null,
  reason text not null,
  commitment bytea not null,
  primary key (entity_id, hold_id)
);

create table land.hold_releases (
  entity_id text not null,
  hold_id text not null,
  at timestamptz not null,
  by_name text not null,
  reason text not null,
  primary key (entity_id, hold_id),
  foreign key (entity_id, hold_id) references land.holds
);

-- The planner's figures would keep the commonest values after they were erased: none are gathered, and those that were
-- go, since a column's figures go with its type.
alter table land.people alter column value type text, alter column value set statistics 0;

-- Whoever looks for a person reads them in order of their records: a plan without figures takes minutes.
create or replace function ledger.renew_statistics() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  analyze land.records, land.people, land.pages, land.requests, ledger.entries, ledger.transfers, ledger.daily, ledger.outcomes
$$;

-- migrate:down
create or replace function ledger.renew_statistics() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  analyze land.records, land.pages, land.requests, ledger.entries, ledger.transfers, ledger.daily, ledger.outcomes
$$;
alter table land.people alter column value set statistics -1;
drop table land.hold_releases, land.holds, land.erased_records, land.erasures;
