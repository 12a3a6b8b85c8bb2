-- migrate:up
-- Rates as told: lists of exchange rates and price charts of the gateway, each traced to its request, and official
-- rates from files that a person handed in. Rows are added, never changed.

-- One answer of a rate operation, or one of the instants that it was asked for: payload is canonical JSON, numbers as the
-- text that was sent. `skipped` counts the rates that were null or no positive number. A chart has no instant of its own.
create table land.rate_lists (
  entity_id text not null,
  request_id bigint not null,
  entry integer not null,
  source text not null check (source in ('rates', 'chart')),
  subject text not null default '',
  at timestamptz,
  payload text not null,
  told integer not null,
  skipped integer not null,
  primary key (entity_id, request_id, entry),
  foreign key (entity_id, request_id) references land.requests
);

-- What of it can be used: units of a currency for one US dollar.
create table land.rates (
  entity_id text not null,
  currency text not null,
  at timestamptz not null,
  request_id bigint not null,
  entry integer not null,
  rate numeric not null check (rate > 0),
  primary key (entity_id, currency, at, request_id),
  foreign key (entity_id, request_id, entry) references land.rate_lists
);

create index rates_by_time on land.rates (currency, at);

-- Files of official rates, newest last: a later file's rate of a day takes the place of an earlier one's.
create table land.official_files (
  entity_id text not null,
  file_id bigint generated always as identity,
  source text not null check (source in ('ecb')),
  name text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  primary key (entity_id, file_id)
);

-- Units of a currency for one of `quote`, of a day.
create table land.official_rates (
  entity_id text not null,
  currency text not null,
  day date not null,
  file_id bigint not null,
  quote text not null,
  rate numeric not null check (rate > 0),
  primary key (entity_id, currency, day, file_id),
  foreign key (entity_id, file_id) references land.official_files
);

-- migrate:down
drop table land.official_rates, land.official_files, land.rates, land.rate_lists;
