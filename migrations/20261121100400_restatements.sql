-- migrate:up
-- What a changed rule decided otherwise than the rule before it: one row per record and restatement, never changed. The
-- entries of it, if any, begin at `ordinal` of the record's chain and were recorded at `at`. A rule that is gone cannot
-- be replayed, so a rebuild keeps the chains that are named here.
create table ledger.restatements (
  entity_id text not null,
  stream text not null,
  record_id text not null,
  restatement_id bigint generated always as identity,
  version integer not null,
  ordinal integer,
  at timestamptz not null,
  by_name text,
  reason text,
  from_rule integer not null,
  to_rule integer not null,
  was_outcome text not null,
  was_reason text,
  primary key (entity_id, stream, record_id, restatement_id)
);

-- migrate:down
drop table ledger.restatements;
