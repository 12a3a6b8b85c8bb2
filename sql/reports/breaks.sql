-- Breaks: the differences that finance must look at: all that began by the period's end and are not resolved, and those
-- resolved in the period; for each entity, the highest value first.
-- For: month-end close. Ties to: tie_outs, by account and currency. difference = reported - booked. Value, age, severity and
-- difference are as of the period's end, at the newest price before it, so that the file is the same on any later day.
-- In a period that is not over, age is as of the last comparison of books and gateway.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/breaks.sql
select b.entity_id, b.break_id, b.check_name, b.subject, b.account, b.currency, trim_scale(b.reported) as reported,
  trim_scale(b.booked) as booked, trim_scale(state.difference) as difference, state.status, b.reason, b.opened_at, b.resolved_at,
  b.since, state.value, state.age_days, state.severity, state.due_at, b.assigned_to, b.explanation, b.explained_by, b.explained_records,
  b.resolved_by, state.waived_by, state.waived_for, state.waived_because
from books_internal.breaks_within(:'from'::timestamptz, :'to'::timestamptz, :'entity') state
join books.breaks b using (entity_id, break_id)
where books_internal.is_chosen(b.entity_id, :'entity')
order by b.entity_id collate "C", state.value desc nulls last, b.check_name collate "C", b.subject collate "C", b.break_id collate "C";
