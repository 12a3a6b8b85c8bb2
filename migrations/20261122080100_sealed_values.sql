-- migrate:up
-- What a month was worth when it was sealed, beside what it held: the values of each of its entries as a leaf, and what
-- every account and every lot carried at its end, which the next month begins with.

-- subject: the id of an entry, or of a lot that no entry brought.
create table decide.seal_values (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  subject text not null,
  leaf bytea not null,
  primary key (entity_id, period, seal_number, subject),
  foreign key (entity_id, period, seal_number) references decide.seals deferrable initially deferred
);

-- subject: an account, or `lot` and its id, whose cost stands in exact and which has no value of its own.
create table decide.seal_closings (
  entity_id text not null,
  period text not null,
  seal_number integer not null,
  subject text not null,
  currency text not null,
  units numeric not null,
  exact numeric,
  value numeric,
  primary key (entity_id, period, seal_number, subject, currency),
  foreign key (entity_id, period, seal_number) references decide.seals deferrable initially deferred
);

alter table decide.seal_values enable row level security;
alter table decide.seal_closings enable row level security;

-- migrate:down
drop table decide.seal_closings;
drop table decide.seal_values;
