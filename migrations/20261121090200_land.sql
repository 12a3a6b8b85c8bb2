-- migrate:up
-- What the gateway sent, as received: records by version, the requests that brought them, what they prove; balances and rates;
-- personal fields apart. A column `position` is the order in which rows were written, where no other column is.
create schema land;

-- A request to the gateway, and how it was answered.
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

-- A record, version by version. payload is canonical JSON, numbers as the text that was sent, personal fields replaced by
-- commitments. A vacuum adds new blocks to the indexes of block ranges; by default it would wait for a fifth of the table, all of which
-- each search reads.
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
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000);
-- What is landed in an interval of a list.
create index records_by_time on land.records (entity_id, stream, scope, record_at);
-- What a run landed lies together, so that an index of block ranges, which costs next to nothing, is enough.
create index records_by_request on land.records using brin (request_id);
-- The records of a period, by their own time or that of landing. A first night reads some lists from their end and others from their
-- beginning, so that a range of blocks holds several stretches of time.
create index records_by_own_time on land.records
  using brin ((coalesce(record_at, landed_at)) timestamptz_minmax_multi_ops) with (pages_per_range = 32);
-- Records with several versions: few of many.
create index records_changed on land.records (entity_id, stream, record_id) where version > 1;
-- Orders that may still be open, which block funds: few of many.
create index records_of_open_orders on land.records (entity_id, record_id)
  where stream = 'trading-orders' and coalesce(payload::jsonb ->> 'status', '') not in ('filled', 'cancelled', 'canceled');
-- The entries of address books, by address; hashed, since an address may be longer than an index allows.
create index records_by_address on land.records (entity_id, md5(lower(payload::jsonb ->> 'address'))) where stream = 'address-book';
-- Those that a night brought. The condition on the request, which all records meet, keeps this index from a search by address: on
-- statistics from before an address book landed it looked as good there, and read the whole book for each transfer.
create index records_of_address_book on land.records (entity_id, request_id) where stream = 'address-book' and request_id > 0;
-- Wallet transactions by the address on either side. Most have none, which the text shows before it is parsed.
create index records_to_address on land.records (entity_id, md5(lower(payload::jsonb #>> '{destination,address}')))
  where stream = 'wallet-transactions' and payload like '%"address":%';
create index records_from_address on land.records (entity_id, md5(lower(payload::jsonb #>> '{origin,address}')))
  where stream = 'wallet-transactions' and payload like '%"address":%';
-- Proofs cut records by their own time, or that of landing; without these the planner expects few of a month and looks each one up.
create statistics land.records_own_time on (coalesce(record_at, landed_at)) from land.records;

-- Versions landed that no rule has decided yet: the exact set, never a high-water mark. They are decided in the order of their
-- requests: what a page brought lies together, and the versions of one record come one after another.
create table land.inbox (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  request_id bigint not null,
  primary key (entity_id, request_id, stream, record_id, version)
);

-- Personal fields, apart from the first day: erasing them leaves every digest valid. The planner would keep the commonest
-- values after they were erased, so it gathers none.
create table land.people (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  version integer not null,
  path text not null,
  value text not null,
  primary key (entity_id, stream, record_id, version, path)
);
alter table land.people alter column value set statistics 0;

-- The key of an entity's commitments.
create table land.people_keys (
  entity_id text primary key,
  key bytea not null,
  position bigint not null generated always as identity
);

-- An erasure of personal data in one set of books. The text searched for is stored as a commitment under the entity's key,
-- never as text.
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
  position bigint not null generated always as identity,
  primary key (entity_id, erasure_id)
);

-- A record without personal fields: none of its later versions gets any again.
create table land.erased_records (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  erasure_id text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, stream, record_id)
);

-- A legal hold keeps every record with a personal field of one value, later records too.
create table land.holds (
  entity_id text not null,
  hold_id text not null,
  at timestamptz not null,
  by_name text not null,
  reason text not null,
  commitment bytea not null,
  position bigint not null generated always as identity,
  primary key (entity_id, hold_id)
);

-- The release of a hold.
create table land.hold_releases (
  entity_id text not null,
  hold_id text not null,
  at timestamptz not null,
  by_name text not null,
  reason text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, hold_id),
  foreign key (entity_id, hold_id) references land.holds
);

-- The records that a hold covers: those of the day it was placed, and later ones as they land. None of them may be erased before the
-- hold is released, and verify ledger names one that was: an erasure leaves nothing else by which to tell.
create table land.held_records (
  entity_id text not null,
  hold_id text not null,
  stream text not null,
  record_id text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, hold_id, stream, record_id),
  foreign key (entity_id, hold_id) references land.holds
);
create index held_records_by_record on land.held_records (entity_id, stream, record_id);

-- Nobody but the owner dates what is decided about people: the policies are in sql/roles.sql.
alter table land.erasures enable row level security;
alter table land.holds enable row level security;
alter table land.hold_releases enable row level security;

-- Time proved complete, per stream (Earn: per wallet, the scope), and the newest record's own time: a re-read of the last days
-- counts back from the older of the two.
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

-- The certificate. A page is one answer of a list: how it was requested, what it brought (the versions first landed with it,
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
-- The last total of a list: most lists have none, and all their pages would be read to find that out.
create index pages_with_total on land.pages (entity_id, stream, scope, request_id) where list_total is not null;

-- A proved interval, by the pages of its walk up to request_id: what is landed in it, counted and summed at that moment,
-- chained to the leaf before it.
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

-- Where a walk goes on after a kill, as JSON. Removed when the walk ends.
create table land.resume_tokens (
  entity_id text not null,
  stream text not null,
  scope text not null default '',
  token text not null,
  saved_at timestamptz not null,
  primary key (entity_id, stream, scope)
);

-- A reading of a list of balances. The gateway has no as-of, so each night reads before and after its streams.
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
-- The reading that a comparison names by its time.
create index snapshots_by_time on land.snapshots (entity_id, taken_at);

-- An item of a list of balances. total is balance + blocked (+ blocked output), null if one of them cannot be read as an
-- amount.
create table land.balances (
  entity_id text not null,
  request_id bigint not null,
  item_id text not null,
  currency text not null,
  balance numeric,
  blocked numeric,
  total numeric,
  payload text not null,
  primary key (entity_id, request_id, item_id, currency), -- one wallet may hold a balance in each currency
  foreign key (entity_id, request_id) references land.snapshots
);
-- Whether a pocket was ever listed under another currency, without reading the lists of all nights.
create index balances_by_item on land.balances (entity_id, item_id, currency);

-- Every pocket ever listed for an entity: a pocket that never was is somebody else's.
create table land.pockets (
  entity_id text not null,
  pocket_id text not null,
  currency text not null,
  first_listed_at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, pocket_id)
);

-- Answers that are no list of records, as received, each traced to its request, for checks to look at. payload is canonical
-- JSON, numbers as the text that was sent.
create table land.answers (
  entity_id text not null,
  request_id bigint not null,
  operation text not null check (operation in ('balance-numbers', 'working-capital', 'catalog')),
  taken_at timestamptz not null,
  payload text not null,
  primary key (entity_id, request_id),
  foreign key (entity_id, request_id) references land.requests
);
create index answers_latest on land.answers (operation, entity_id, request_id);

-- One answer of a rate operation, or one of the instants that it was asked for. payload is canonical JSON, numbers as the text
-- that was sent. `received` counts the rates received, `skipped` those of them that were null or not positive. A chart has no
-- instant of its own.
create table land.rate_lists (
  entity_id text not null,
  request_id bigint not null,
  entry integer not null,
  source text not null check (source in ('rates', 'chart')),
  subject text not null default '',
  at timestamptz,
  payload text not null,
  received integer not null,
  skipped integer not null,
  primary key (entity_id, request_id, entry),
  foreign key (entity_id, request_id) references land.requests
);

-- The usable rates among them: units of a currency for one US dollar.
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
create index rates_in_order on land.rates using brin (request_id);

-- Files of official rates that a person imported, newest last: a later file's rate of a day replaces an earlier one's.
create table land.official_files (
  entity_id text not null,
  file_id bigint generated always as identity,
  source text not null check (source in ('ecb')),
  name text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  proposal_id text,
  primary key (entity_id, file_id),
  foreign key (entity_id, proposal_id) references decide.approvals
);
alter table land.official_files enable row level security; -- what was approved alone: the policy is in sql/roles.sql

-- Units of a currency for one of `quote`, on a day.
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
create index official_rates_in_order on land.official_rates using brin (file_id);
-- The newest rate of a currency, among those of all others since 1999.
create index official_rates_by_day on land.official_rates (currency, day);

-- A delivery of the authorization webhook, and the answer that it got: written before the answer is sent. body is the text as
-- received, in which commitments replace the personal values; the other columns are what was read of it, null if unreadable.
-- Deliveries arrive beside the runs, so their numbers have no gap, and each run links those that came since the last one.
create table land.authorizations (
  entity_id text not null,
  delivery_number bigint not null check (delivery_number > 0),
  received_at timestamptz not null,
  transaction_id text,
  user_id text,
  transaction_type text,
  amount numeric,
  currency text,
  is_authorized boolean not null,
  reason text not null,
  body text not null,
  body_sha256 text not null check (body_sha256 ~ '^[0-9a-f]{64}$'),
  primary key (entity_id, delivery_number)
);
create index authorizations_by_transaction on land.authorizations (entity_id, transaction_id);

-- An account of our own outside the platform: one at a bank, or an address on a chain. The number of a bank account is personal:
-- number_marks are the commitments to its spellings under the entity's key, empty if no file named it, and masked shows its ends.
create table land.external_accounts (
  entity_id text not null,
  account_name text not null check (account_name ~ '\S'),
  kind text not null check (kind in ('bank', 'chain')),
  currency text not null,
  masked text,
  number_marks text[] not null,
  address text,
  network text,
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, account_name),
  check ((kind = 'chain') = (address is not null))
);

-- A statement of such an account as imported, numbered from 1 in the order of its account: what a bank stated between two
-- balances, or the transactions of an address. bank_number is the bank's own number of it. starts_on and ends_on are days of the
-- bank; a list of transactions is complete between starts_at and ends_at. reading says how a CSV with the bank's own headings was read.
create table land.external_statements (
  entity_id text not null,
  account_name text not null,
  statement_number integer not null check (statement_number > 0),
  format text not null check (format in ('camt.053', 'mt940', 'norma43', 'csv', 'chain-csv', 'etherscan')),
  reading text,
  file_name text not null,
  file_sha256 text not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  bank_number text,
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  opening numeric,
  closing numeric,
  lines integer not null check (lines >= 0),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, account_name, statement_number),
  foreign key (entity_id, account_name) references land.external_accounts,
  check ((opening is null) = (closing is null))
);

-- A line of such a statement, numbered from 1 in the order of its account. amount is positive if money entered the account.
-- payload is the line as received, as canonical JSON in which commitments replace personal values; reference_marks are the
-- commitments to what may be a reference in it. An unrelated line has another counterparty than those that the import named.
create table land.external_lines (
  entity_id text not null,
  account_name text not null,
  line_number integer not null check (line_number > 0),
  statement_number integer not null,
  file_line integer not null,
  booked_on date not null,
  value_on date not null,
  happened_at timestamptz,
  amount numeric not null,
  hash text,
  address text,
  reference_marks text[] not null,
  is_related boolean not null,
  payload text not null,
  position bigint not null generated always as identity,
  primary key (entity_id, account_name, line_number),
  foreign key (entity_id, account_name, statement_number) references land.external_statements
);

-- A statement that a person withdrew because the wrong file was imported: it stays, and its lines count no more.
create table land.external_withdrawals (
  entity_id text not null,
  account_name text not null,
  statement_number integer not null,
  reason text not null check (reason ~ '\S'),
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null,
  position bigint not null generated always as identity,
  primary key (entity_id, account_name, statement_number),
  foreign key (entity_id, account_name, statement_number) references land.external_statements
);

-- migrate:down
drop schema land cascade;
