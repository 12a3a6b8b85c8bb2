-- Breaks for the report page, highest severity and value first; waived ones with the person, the period and the reason of the
-- waiver. The rows and figures of breaks.csv; standing is open, waived or resolved. Overdue is what was due at the last
-- comparison of books and gateway, or at the period's end if that is earlier.
-- For: the report page. Ties to: breaks.csv; value is rounded here, and exact there.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/breaks.sql
with judged as (
  select b.entity_id, b.break_id, b.check_name, b.subject, b.account, b.currency, b.reported, b.booked, state.difference, state.status,
    b.reason_parts, b.since, b.resolved_at, b.assigned_to, b.explanation, b.explained_by, b.resolved_by, b.tied_run_id, state.value, state.age_days,
    state.severity, state.due_at, state.waived_by, state.waived_because, state.waived_at, state.waived_for, state.measured_at,
    case when state.status in ('waived', 'resolved') then state.status else 'open' end as standing
  from books_internal.breaks_within(:'from'::timestamptz, :'to'::timestamptz, :'entity') state
  join books.breaks b using (entity_id, break_id)
  where books_internal.is_chosen(b.entity_id, :'entity')
)
select j.entity_id, j.break_id, j.check_name, j.subject, j.account, j.currency, trim_scale(j.reported) as reported,
  trim_scale(j.booked) as booked, trim_scale(j.difference) as difference, j.status, j.reason_parts, j.since, j.resolved_at,
  round(j.value, 2) as value, j.age_days, j.severity, j.due_at, j.due_at < j.measured_at as is_overdue,
  j.assigned_to, j.explanation, j.explained_by, j.resolved_by, j.tied_run_id is not null as is_seen_to_tie,
  j.waived_by, j.waived_because, j.waived_at, j.waived_for, j.standing,
  round(sum(j.value) over (partition by j.standing), 2) as standing_value
from judged j
left join books.severities s using (severity)
order by j.standing, s.rank desc nulls last, j.value desc nulls last,
  j.since, j.entity_id collate "C", j.break_id collate "C";
