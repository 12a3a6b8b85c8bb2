-- migrate:up
-- Who is on the other side: rules of a file that a named person handed in, version by version, the last in force. They are
-- the same for every entity, and few. Rows are added, never changed.
create table decide.counterparty_files (
  version integer primary key check (version > 0),
  file_name text not null,
  by_name text not null check (by_name ~ '\S'),
  at timestamptz not null
);

-- A rule holds where all that it names does; of a bank account it keeps what may be shown of it.
create table decide.counterparty_rules (
  version integer not null references decide.counterparty_files,
  line integer not null,
  class text check (class in ('bank', 'blockchain', 'card', 'person', 'platform')),
  address text,
  bank_account text,
  operation text,
  counterparty text not null check (counterparty ~ '\S'),
  nature text not null check (nature in ('own', 'own-entity', 'third-party', 'platform')),
  primary key (version, line),
  check (coalesce(class, address, bank_account, operation) is not null)
);

-- A bank account as the records of each entity hold it: a commitment under that entity's key, in each way of writing it.
create table decide.counterparty_accounts (
  entity_id text not null,
  version integer not null,
  line integer not null,
  commitment text not null check (commitment ~ '^personal:[0-9a-f]{64}$'),
  primary key (entity_id, version, line, commitment),
  foreign key (version, line) references decide.counterparty_rules
);

-- migrate:down
drop table decide.counterparty_accounts, decide.counterparty_rules, decide.counterparty_files;
