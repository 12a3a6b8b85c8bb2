-- Runs and their findings.
-- For: the operator; outside monitoring.
--   psql -f sql/views/04-runs.sql

create view books.runs as
select run_id, job, started_at, finished_at, exit_code, requests, summary, pages, pages_fewest,
  round(pages::numeric / nullif(pages_fewest, 0), 3) as pages_ratio, run_number, entries_before,
  (select n.entries_before from run.runs n where n.run_number > r.run_number order by n.run_number limit 1) as entries_to, requests_before,
  (select n.requests_before from run.runs n where n.run_number > r.run_number order by n.run_number limit 1) as requests_to
from run.runs r;
comment on view books.runs is
  'One row per run: one execution of a job.';
comment on column books.runs.run_id is 'Run.';
comment on column books.runs.job is 'Job that ran, such as nightly or reconcile.';
comment on column books.runs.started_at is 'When the run began, by the database''s clock.';
comment on column books.runs.finished_at is 'When the run ended, by the same clock: earlier than started_at if that was set back meanwhile; null while it runs, and for ever if it was killed, or a later run took the books from it.';
comment on column books.runs.exit_code is '0 clean, 1 finished with findings, 2 failed; null whenever finished_at is.';
comment on column books.runs.requests is 'Number of requests sent to the gateway, each try counted, answered or not, also if the run failed; of one that has not ended or was killed, as the request gate counted them, or 0 if TIEOUT_GATE_URL names another database.';
comment on column books.runs.summary is 'What the run did, in one line; null whenever finished_at is.';
comment on column books.runs.pages is 'Number of pages read, also if the run failed; 0 until it has ended.';
comment on column books.runs.pages_fewest is 'Fewest pages that could have held what was read.';
comment on column books.runs.pages_ratio is 'pages / pages_fewest, three decimals; null if nothing was read.';
comment on column books.runs.run_number is 'Order in which runs began, from 1.';
comment on column books.runs.entries_before is 'Number of the last entry before the run.';
comment on column books.runs.entries_to is 'Number of the last entry that the run booked; null for the last run, which may still go on.';
comment on column books.runs.requests_before is 'Id of the last request before the run.';
comment on column books.runs.requests_to is 'Id of the last request of the run; null for the last run, which may still go on.';

-- The first run that these jobs have not looked at when `run` begins: the one after the last of them that ended with 0 or 1. What a killed or
-- failed run landed and booked, or a stage that ran alone, is new to the next one.
create function books_internal.unseen_since(run uuid, jobs text[]) returns table (entries_before bigint, requests_before bigint)
language sql stable parallel safe rows 1 as $$
  select r.entries_before, r.requests_before
  from books.runs r
  where r.run_number > coalesce((
    select p.run_number from books.runs p
    where p.run_number < (select this.run_number from books.runs this where this.run_id = run)
      and p.job = any (jobs) and p.exit_code in (0, 1)
    order by p.run_number desc limit 1
  ), 0)
  order by r.run_number limit 1
$$;

create view books.findings as
select run_id, entity_id, severity, subject, detail from run.findings;
comment on view books.findings is
  'One row per problem that a run reported.';
comment on column books.findings.entity_id is 'Entity that it is about; null if it concerns the whole run.';
comment on column books.findings.severity is 'finding counts for the exit code; note does not.';
comment on column books.findings.subject is 'What it is about.';
comment on column books.findings.detail is 'What happened, in words.';

-- Whether a run came to its end: with 0 or 1, or with 2 because entities failed. The summary of one that failed as a whole begins with
-- the failure, and not with what was booked.
create function books_internal.has_concluded(exit_code integer, summary text) returns boolean
language sql immutable parallel safe as $$
  select coalesce(exit_code in (0, 1) or exit_code = 2 and summary not like 'failed: %', false)
$$;

-- Whether a run came to its end for an entity, which may have failed in it.
create function books_internal.has_concluded_for(entity text, run uuid) returns boolean
language sql stable parallel safe as $$
  select books_internal.has_concluded(r.exit_code, r.summary) and not exists (
    select from books.findings f
    where (f.entity_id, f.run_id, f.severity, f.subject) = (entity, run, 'finding', 'failed')
  )
  from books.runs r where r.run_id = run
$$;

-- The entities with records that no check has seen when a run begins, and the request after which they landed: the last one of the
-- last nightly or reconcile that compared the entity and came to its end for it. A run of one entity, or a night that skips one, has
-- looked at no other. `offset 0` has the request found once for an entity.
create view books_internal.unchecked_entities as
select this.run_id, e.entity_id, seen.after_request
from run.runs this
cross join run.entities e
cross join lateral (
  select r.requests_before as after_request
  from run.runs r
  where r.run_number > coalesce((
    select p.run_number from run.runs p
    where p.run_number < this.run_number and p.job in ('nightly', 'reconcile')
      and exists (select from reconcile.tie_outs t where (t.entity_id, t.run_id) = (e.entity_id, p.run_id))
      and books_internal.has_concluded_for(e.entity_id, p.run_id)
    order by p.run_number desc limit 1
  ), 0)
  order by r.run_number limit 1 offset 0
) as seen
where exists (select from land.pages p where p.entity_id = e.entity_id and p.request_id > seen.after_request and p.brought > 0);

-- The same in one row, which a statement over records reads once: the request after which the first of them landed, by which they are
-- found, and that of each entity. Null without any.
create function books_internal.unchecked_since(run uuid) returns table (requests_before bigint, by_entity jsonb)
language sql stable parallel safe rows 1 as $$
  select min(u.after_request), jsonb_object_agg(u.entity_id, u.after_request)
  from books_internal.unchecked_entities u
  where u.run_id = run
$$;

create view books.nights as
select n.run_id, n.entity_id, n.began_at, n.lists_run_id <> n.run_id as is_skipped, n.reason, n.lists_run_id,
  lists.began_at as lists_read_at
from run.nights n
join run.nights lists on (lists.entity_id, lists.run_id) = (n.entity_id, n.lists_run_id);
comment on view books.nights is
  'One row per entity and nightly that finished with it: its lists were read, or skipped because nothing had changed since they were.';
comment on column books.nights.began_at is 'When the reading began, by the database''s clock.';
comment on column books.nights.is_skipped is 'Only the balances were read: no coverage and no comparison of this run.';
comment on column books.nights.reason is 'Why the lists were read; null if they were skipped.';
comment on column books.nights.lists_run_id is 'Run that read the lists: this one, or the earlier one since which nothing changed.';
comment on column books.nights.lists_read_at is 'When that reading began.';
