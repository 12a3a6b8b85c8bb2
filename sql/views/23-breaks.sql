-- Breaks: value, age, severity, waivers, events and likely causes.
-- For: finance.
--   psql -f sql/views/23-breaks.sql

-- How bad a break is by its worth and its age, and in how many days it is due: the owner's table.
create view books.severities as
select severity, rank, value_from, age_from, due_days from reconcile.severities;

-- The highest rank whose value or age is reached; without a price, the one that names no value.
create function books_internal.severity_of(value numeric, age_days integer) returns text language sql stable parallel safe as $$
  select s.severity
  from books.severities s
  where case when severity_of.value is null then s.value_from is null
    else s.value_from <= severity_of.value or s.age_from <= severity_of.age_days end
  order by s.rank desc
  limit 1
$$;

-- When a break that began at an instant is due, by its worth alone. In hours, so that no session's timezone counts.
create function books_internal.due_at(since timestamptz, value numeric) returns timestamptz language sql stable parallel safe as $$
  select due_at.since + make_interval(hours => 24 * s.due_days)
  from books.severities s
  where s.severity = books_internal.severity_of(due_at.value, 0)
$$;

-- Breaks accepted for one month, at one difference each.
create view books.waivers as
select w.entity_id, w.break_id, w.period, w.difference, w.by_name, w.reason, w.at, w.proposal_id, a.approved_by
from decide.waivers w
left join decide.approvals a using (entity_id, proposal_id);

-- Of each break the waiver for the month in which it was compared last, at the difference that it has.
create view books_internal.standing_waivers as
select b.entity_id, b.break_id, w.period, w.by_name, w.reason, w.at
from reconcile.breaks b
join books_internal.last_compared c using (entity_id)
join run.entities n using (entity_id)
cross join lateral (
  select * from decide.waivers k
  where (k.entity_id, k.break_id) = (b.entity_id, b.break_id) and k.difference is not distinct from b.difference
    and k.period = to_char(c.compared_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM')
  order by k.at desc
  limit 1
) as w;

-- Worth and age are those of now, or of when it was resolved. since: when books and gateway diverged, by effective time, from
-- which its age counts; diverged_after: until then they agreed, null where nothing shows it. found_at: the run that found it, or
-- found it again after a tie, from which it is due. status is waived while a waiver is for the month of the last comparison;
-- waived_through: the last month for which this difference was ever waived. A break that is resolved without a tied_run_id is somebody's word (resolved_by) that no comparison has borne out yet. `offset 0`
-- has the price looked for once, and only where somebody asks for it.
create view books.breaks as
select b.break_id, b.entity_id, b.check_name, b.subject, b.account, b.currency, b.reported, b.booked, b.difference,
  case when b.status <> 'resolved' and w.period is not null then 'waived' else b.status end as status,
  b.reason, b.opened_at, b.resolved_at, b.run_id, coalesce(b.diverged_at, b.since) as since, worth.value, worth.age_days,
  books_internal.severity_of(worth.value, worth.age_days) as severity, books_internal.due_at(b.since, worth.value) as due_at, b.assigned_to,
  b.explanation, b.explained_by, array_to_string(b.explained_records, '; ') as explained_records, b.resolved_by, b.tied_run_id,
  b.since as found_at, b.diverged_after, (
    select max(k.period) from decide.waivers k
    where (k.entity_id, k.break_id) = (b.entity_id, b.break_id) and k.difference is not distinct from b.difference
  ) as waived_through
from reconcile.breaks b
left join run.entities n using (entity_id)
left join books_internal.standing_waivers w using (entity_id, break_id)
cross join lateral (
  select books_internal.value_of(b.entity_id, b.currency, b.difference, n.currency, coalesce(b.resolved_at, 'infinity')) as value,
    books_internal.days_between(coalesce(b.diverged_at, b.since), coalesce(b.resolved_at, now())) as age_days
  offset 0
) as worth;

-- What happened to a break, when, by whom and why: rows are added, never changed. by_name is null where a run did it.
create view books.break_events as
select entity_id, break_id, event_id, at, run_id, by_name, status, difference, reason from reconcile.break_events;

-- What may explain a break, rank 1 the likeliest, as its last run with other findings saw it.
create view books.break_candidates as
select c.entity_id, c.break_id, c.rank, c.kind, c.confidence, c.sentence, c.records, c.proof, c.run_id
from reconcile.candidates c
where not exists (
  select from reconcile.candidates later
  where (later.entity_id, later.break_id) = (c.entity_id, c.break_id) and later.reading > c.reading
);
