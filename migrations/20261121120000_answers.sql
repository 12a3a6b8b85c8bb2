-- migrate:up
-- Answers that are no list of records: kept as told, each traced to its request, for checks to look at. payload is canonical
-- JSON, numbers as the text that was sent. Rows are added, never changed.
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

-- migrate:down
drop table land.answers;
