-- migrate:up
-- Links: at the end of each run the rows that it wrote are digested and chained, table by table and entity by entity, so
-- that nothing on which a figure rests can be altered, put in or taken out unseen. src/run/covers.ts says which table is
-- covered how.

-- A link of a chain covers the rows after the one before it, up to last_position. A link of a state covers all rows of a
-- part as they stood, and has no last_position; mark is what the part was derived from. columns are those digested.
create table run.links (
  position bigint not null generated always as identity unique,
  entity_id text not null,
  table_name text not null,
  part text not null default '',
  link_number integer not null check (link_number > 0),
  run_id uuid not null references run.runs,
  columns text[] not null,
  rows bigint not null,
  last_position bigint,
  mark text,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  link text not null check (link ~ '^[0-9a-f]{64}$'),
  primary key (entity_id, table_name, part, link_number)
);
create index links_by_table on run.links (table_name, entity_id, part, link_number);

-- The order in which rows were written, where nothing else says so. A run has its place once it is over.
alter table run.runs add column position bigint unique;
alter table run.entities add column position bigint generated always as identity;
alter table run.conservation add column position bigint generated always as identity;
alter table land.people_keys add column position bigint generated always as identity;
alter table land.pockets add column position bigint generated always as identity;
alter table land.erasures add column position bigint generated always as identity;
alter table land.erased_records add column position bigint generated always as identity;
alter table land.holds add column position bigint generated always as identity;
alter table land.hold_releases add column position bigint generated always as identity;
alter table reconcile.tie_outs add column position bigint generated always as identity;
alter table reconcile.breaks add column position bigint generated always as identity;
alter table reconcile.candidates add column position bigint generated always as identity;
alter table reconcile.confirmations add column position bigint generated always as identity;
alter table reconcile.confirmation_lines add column position bigint generated always as identity;
alter table reconcile.clearing_matches add column position bigint generated always as identity;
alter table reconcile.own_transfers add column position bigint generated always as identity;
alter table decide.proposals add column position bigint generated always as identity;
alter table decide.approvals add column position bigint generated always as identity;
alter table decide.dismissals add column position bigint generated always as identity;
alter table decide.seals add column position bigint generated always as identity;
alter table decide.seal_approvals add column position bigint generated always as identity;
alter table decide.reopenings add column position bigint generated always as identity;
alter table decide.profiles add column position bigint generated always as identity;
alter table decide.counterparty_files add column position bigint generated always as identity;
alter table decide.counterparty_rules add column position bigint generated always as identity;
alter table decide.counterparty_accounts add column position bigint generated always as identity;
alter table decide.batches add column position bigint generated always as identity;
alter table decide.batch_lines add column position bigint generated always as identity;
alter table decide.batch_copies add column position bigint generated always as identity;

-- What is new is found without reading what is old, in the tables that grow with every night.
create index conservation_in_order on run.conservation using brin (position);
create index tie_outs_in_order on reconcile.tie_outs using brin (position);
create index candidates_in_order on reconcile.candidates using brin (position);
create index clearing_matches_in_order on reconcile.clearing_matches using brin (position);
create index own_transfers_in_order on reconcile.own_transfers using brin (position);
create index break_events_in_order on reconcile.break_events using brin (event_id);
create index batch_lines_in_order on decide.batch_lines using brin (position);
create index findings_in_order on run.findings using brin (finding_id);
create index rates_in_order on land.rates using brin (request_id);
create index official_rates_in_order on land.official_rates using brin (file_id);

-- migrate:down
drop index land.official_rates_in_order, land.rates_in_order, run.findings_in_order, decide.batch_lines_in_order,
  reconcile.break_events_in_order, reconcile.own_transfers_in_order, reconcile.clearing_matches_in_order,
  reconcile.candidates_in_order, reconcile.tie_outs_in_order, run.conservation_in_order;
alter table decide.batch_copies drop column position;
alter table decide.batch_lines drop column position;
alter table decide.batches drop column position;
alter table decide.counterparty_accounts drop column position;
alter table decide.counterparty_rules drop column position;
alter table decide.counterparty_files drop column position;
alter table decide.profiles drop column position;
alter table decide.reopenings drop column position;
alter table decide.seal_approvals drop column position;
alter table decide.seals drop column position;
alter table decide.dismissals drop column position;
alter table decide.approvals drop column position;
alter table decide.proposals drop column position;
alter table reconcile.own_transfers drop column position;
alter table reconcile.clearing_matches drop column position;
alter table reconcile.confirmation_lines drop column position;
alter table reconcile.confirmations drop column position;
alter table reconcile.candidates drop column position;
alter table reconcile.breaks drop column position;
alter table reconcile.tie_outs drop column position;
alter table land.hold_releases drop column position;
alter table land.holds drop column position;
alter table land.erased_records drop column position;
alter table land.erasures drop column position;
alter table land.pockets drop column position;
alter table land.people_keys drop column position;
alter table run.conservation drop column position;
alter table run.entities drop column position;
alter table run.runs drop column position;
drop table run.links;
