-- Breaks as the report page tells them, those that somebody must look at first, the gravest first; waived ones with who
-- waived them, for which period and why. The rows and figures of breaks.csv; standing is open, waived or resolved.
-- For: the report page. Ties to: breaks.csv; worth is rounded here, and exact there.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/breaks.sql
with judged as (
  select b.*, case when b.status in ('waived', 'resolved') then b.status else 'open' end as standing, worth.value, worth.age_days as age, books.severity_of(worth.value, worth.age_days) as gravity,
    books.due_at(b.since, worth.value) as due
  from (
    select entity_id, break_id, check_name, subject, account, currency, reported, booked, difference, status, reason, since,
      resolved_at, assigned_to, explanation, explained_by, resolved_by, tied_run_id
    from books.breaks
  ) b
  left join books.entities n using (entity_id)
  cross join lateral (
    select books.value_of(b.entity_id, b.currency, b.difference, n.currency, least(b.resolved_at, :'to'::timestamptz)) as value,
      books.days_between(b.since, least(b.resolved_at, :'to'::timestamptz)) as age_days
    offset 0
  ) as worth
  where (b.status <> 'resolved' or (b.resolved_at >= :'from'::timestamptz and b.resolved_at < :'to'::timestamptz))
    and (:'entity' = '' or b.entity_id = any (string_to_array(:'entity', ',')))
)
select j.entity_id, j.break_id, j.check_name, j.subject, j.account, j.currency, trim_scale(j.reported) as reported,
  trim_scale(j.booked) as booked, trim_scale(j.difference) as difference, j.status, j.reason, j.since, j.resolved_at,
  round(j.value, 2) as worth, j.age as age_days, j.gravity as severity, j.due as due_at, j.due < :'to'::timestamptz as is_overdue,
  j.assigned_to, j.explanation, j.explained_by, j.resolved_by, j.tied_run_id is not null as is_seen_to_tie,
  w.by_name as waived_by, w.reason as waived_because, w.at as waived_at, w.period as waived_for, j.standing,
  round(sum(j.value) over (partition by j.standing), 2) as standing_worth
from judged j
left join books.severities s on s.severity = j.gravity
left join lateral (
  select by_name, reason, at, period from books.waivers
  where j.status = 'waived' and (entity_id, break_id) = (j.entity_id, j.break_id)
  order by at desc, period desc limit 1
) as w on true
order by j.standing, s.rank desc nulls last, j.value desc nulls last,
  j.since, j.entity_id collate "C", j.break_id collate "C";
