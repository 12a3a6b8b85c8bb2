-- migrate:up
-- Confirmations: statements of balances that the platform signed, by their digest, and what the books said to each line.
create table reconcile.confirmations (
  entity_id text not null,
  confirmation_id text not null,
  as_of timestamptz not null,
  file_name text not null,
  file_sha256 text not null,
  evidence_name text,
  evidence_sha256 text,
  by_name text not null,
  at timestamptz not null,
  covered_to timestamptz,
  lines integer not null,
  agreed integer not null,
  differing integer not null,
  primary key (entity_id, confirmation_id)
);

-- line and stated are null for what the books hold and the statement does not name. difference = stated − booked.
create table reconcile.confirmation_lines (
  entity_id text not null,
  confirmation_id text not null,
  account text not null,
  currency text not null,
  line integer,
  stated numeric,
  booked numeric not null,
  difference numeric not null,
  status text not null check (status in ('agrees', 'differs', 'not-in-books', 'not-in-statement')),
  primary key (entity_id, confirmation_id, account, currency),
  foreign key (entity_id, confirmation_id) references reconcile.confirmations
);

-- migrate:down
drop table reconcile.confirmation_lines, reconcile.confirmations;
