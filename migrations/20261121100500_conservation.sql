-- migrate:up
-- What each run that booked could prove: landed = booked + rejected + set aside, per stream and rule version, by count,
-- by the sum of the ids' hashes, and by sum per side and currency (`sums`, amounts as text). A night that reads again
-- proves again: the last reading counts. Rule version 0: not decided upon.
create table run.conservation (
  entity_id text not null,
  run_id uuid not null references run.runs,
  reading integer not null,
  stream text not null,
  rule_version integer not null,
  landed integer not null,
  booked integer not null,
  rejected integer not null,
  set_aside integer not null,
  landed_ids text not null,
  booked_ids text not null,
  rejected_ids text not null,
  set_aside_ids text not null,
  sums jsonb not null,
  primary key (entity_id, run_id, reading, stream, rule_version)
);

-- migrate:down
drop table run.conservation;
