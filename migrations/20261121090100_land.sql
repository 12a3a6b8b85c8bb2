-- migrate:up
-- What the gateway told us, as told: records by version, the requests that brought them, what they prove.
create schema land;

create table land.requests (
  entity_id text not null,
  request_id bigint generated always as identity,
  run_id uuid not null references run.runs,
  stream text not null,
  scope text not null default '',
  method text not null,
  target text not null,
  status smallint not null,
  gateway_date timestamptz,
  gateway_request_id text,
  body_sha256 text not null,
  rows integer not null,
  sent_at timestamptz not null,
  primary key (entity_id, request_id)
);

-- payload is canonical JSON, numbers as the text that was sent, personal fields replaced by commitments.
create table land.records (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null check (version > 0),
  scope text not null default '',
  digest bytea not null,
  payload text not null,
  record_at timestamptz,
  landed_at timestamptz not null,
  request_id bigint not null,
  primary key (entity_id, stream, record_id, version)
);
-- An interval of a list, to say what is landed in it.
create index records_by_time on land.records (entity_id, stream, scope, record_at);

-- Personal fields, apart from the first day: erasing them leaves every digest standing.
create table land.people (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  path text not null,
  value text not null,
  primary key (entity_id, stream, record_id, version, path)
);

create table land.people_keys (
  entity_id text primary key,
  key bytea not null
);

-- Versions landed and not yet decided upon by a rule: the exact set, never a high-water mark.
create table land.inbox (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  primary key (entity_id, stream, record_id, version)
);

-- Time proved complete, per stream (Earn: per wallet, the scope), and the newest record's own time: a re-read of the
-- last days counts back from the older of the two.
create table land.coverage (
  entity_id text not null,
  stream text not null,
  scope text not null default '',
  covered tstzmultirange not null,
  newest_at timestamptz,
  landed integer not null default 0,
  records_sum text not null default repeat('0', 64),
  page_seal text not null default '',
  leaf_seal text not null default '',
  primary key (entity_id, stream, scope)
);

-- The certificate. A page is one answer of a list: how it was asked, what it brought (the versions first landed with it,
-- as a count and a sum of hashes that no order changes), chained by its seal to the page before it.
create table land.pages (
  entity_id text not null,
  request_id bigint not null,
  stream text not null,
  scope text not null default '',
  walk_id uuid not null,
  is_full boolean not null,
  oldest_at timestamptz,
  list_offset integer,
  list_total integer,
  cursor_in text,
  cursor_out text,
  brought integer not null,
  fresh integer not null,
  brought_sum text not null,
  seal text not null,
  primary key (entity_id, request_id),
  foreign key (entity_id, request_id) references land.requests
);

-- A leaf is an interval proved complete, by the pages of its walk up to request_id: what is landed in it, counted and
-- summed at that moment, chained to the leaf before it.
create table land.leaves (
  entity_id text not null,
  stream text not null,
  scope text not null default '',
  leaf_id bigint generated always as identity,
  walk_id uuid not null,
  run_id uuid not null references run.runs,
  request_id bigint not null,
  proof text not null check (proof in ('window', 'split', 'list', 'cursor')),
  covered tstzrange not null,
  list_total integer,
  records integer not null,
  records_sum text not null,
  seal text not null,
  primary key (entity_id, stream, scope, leaf_id),
  foreign key (entity_id, request_id) references land.requests
);

-- Where a walk goes on after a kill, as JSON. Gone when the walk ends.
create table land.resume_tokens (
  entity_id text not null,
  stream text not null,
  scope text not null default '',
  token text not null,
  saved_at timestamptz not null,
  primary key (entity_id, stream, scope)
);

-- One reading of a balance list. The gateway has no as-of, so each night reads before and after its streams.
create table land.snapshots (
  entity_id text not null,
  request_id bigint not null,
  run_id uuid not null references run.runs,
  product text not null check (product in ('trading', 'pocket', 'earn')),
  phase text not null check (phase in ('before', 'after')),
  taken_at timestamptz not null,
  primary key (entity_id, request_id),
  foreign key (entity_id, request_id) references land.requests
);
create index snapshots_latest on land.snapshots (entity_id, product, request_id);

-- total is balance + blocked (+ blocked output), null when a part of it cannot be read as an amount.
create table land.balances (
  entity_id text not null,
  request_id bigint not null,
  item_id text not null,
  currency text not null,
  balance numeric,
  blocked numeric,
  total numeric,
  payload text not null,
  primary key (entity_id, request_id, item_id),
  foreign key (entity_id, request_id) references land.snapshots
);

-- Every pocket ever listed for an entity: a pocket that never was belongs to somebody else.
create table land.pockets (
  entity_id text not null,
  pocket_id text not null,
  currency text not null,
  first_listed_at timestamptz not null,
  primary key (entity_id, pocket_id)
);

-- migrate:down
drop schema land cascade;
