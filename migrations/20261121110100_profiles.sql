-- migrate:up
-- Whose books these are, as a named person says it, version by version; and which subaccounts the gateway listed.

-- Each version is the whole profile, null where nothing is said. Currency and timezone are those that the books are begun
-- with: run.entities holds them from the first entry on, and a profile may only agree. Rows are added, never changed.
create table decide.profiles (
  entity_id text not null,
  version integer not null check (version > 0),
  legal_name text,
  tax_id text,
  taxpayer text,
  owner text check (owner in ('own', 'client')),
  currency text check (currency ~ '^[A-Z0-9]{2,12}$'),
  timezone text,
  cost_method text check (cost_method in ('fifo', 'average')),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, version)
);

-- The list of subaccounts, as the key of entity_id was told it; a row where it is another list than before.
create table run.listings (
  entity_id text not null,
  listing_id bigint generated always as identity,
  run_id uuid not null references run.runs,
  listed_at timestamptz not null,
  subaccounts text[] not null,
  primary key (entity_id, listing_id)
);

-- migrate:down
drop table run.listings, decide.profiles;
