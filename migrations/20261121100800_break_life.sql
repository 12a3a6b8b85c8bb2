-- migrate:up
-- The life of a break: who has it, what a person says to it, since when it stands without a pause, and the run that saw
-- it tie. What was before stays in reconcile.break_events. How bad a break is and when it is due is a table.

-- since: the run that opened it, or opened it again after a tie. resolved_by: a person who said that it is settled.
-- tied_run_id: the run that saw it tie; without one a resolved break is somebody's word, and no proof.
alter table reconcile.breaks
  add column since timestamptz,
  add column assigned_to text check (assigned_to ~ '\S'),
  add column explanation text check (explanation ~ '\S'),
  add column explained_by text check (explained_by ~ '\S'),
  add column explained_records text[],
  add column resolved_by text check (resolved_by ~ '\S'),
  add column tied_run_id uuid references run.runs,
  add check ((explanation is null) = (explained_by is null)),
  add check (status = 'resolved' or (tied_run_id is null and resolved_by is null));

update reconcile.breaks b set tied_run_id = case when status = 'resolved' then run_id end, since = coalesce((
  select max(told.at)
  from (
    select at, status, lag(status) over (order by event_id) as before
    from reconcile.break_events e
    where (e.entity_id, e.break_id) = (b.entity_id, b.break_id)
  ) as told
  where told.before = 'resolved' and told.status <> 'resolved'
), opened_at);
alter table reconcile.breaks alter column since set not null;

-- A break is of the highest rank whose value, in the reporting currency, or whose age it has reached; without a price it
-- is of the one that names no value. It is due so many days after it began, by its value alone. The owner changes this
-- with plain SQL, and every break is judged by it at once.
create table reconcile.severities (
  severity text primary key check (severity ~ '\S'),
  rank smallint not null unique,
  value_from numeric unique check (value_from >= 0),
  age_from integer check (age_from > 0),
  due_days integer not null check (due_days >= 0),
  check (value_from is not null or age_from is null)
);
insert into reconcile.severities (severity, rank, value_from, age_from, due_days) values
  ('low', 1, 0, null, 30),
  ('medium', 2, 100, 14, 14),
  ('unpriced', 3, null, null, 7),
  ('high', 4, 1000, 45, 5),
  ('critical', 5, 10000, 90, 1);

-- migrate:down
drop table reconcile.severities;
alter table reconcile.breaks
  drop column since, drop column assigned_to, drop column explanation, drop column explained_by,
  drop column explained_records, drop column resolved_by, drop column tied_run_id;
