-- migrate:up
-- What may explain a break, the likeliest first, with the arithmetic. Appended only when it is not what it was: the last
-- reading of a break counts, run_id is the run that saw it first.
create table reconcile.candidates (
  entity_id text not null,
  break_id text not null,
  reading integer not null,
  rank integer not null,
  run_id uuid not null references run.runs,
  kind text not null,
  confidence numeric not null check (confidence between 0 and 1),
  sentence text not null,
  records text[] not null,
  proof text not null,
  primary key (entity_id, break_id, reading, rank),
  foreign key (entity_id, break_id) references reconcile.breaks
);

-- migrate:down
drop table reconcile.candidates;
