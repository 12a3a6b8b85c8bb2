-- Breaks: the differences that finance must look at: all that are not resolved, and those that the period resolved.
-- For: month-end close. Ties to: tie_outs, by account and currency. difference = reported - booked. Value, age and severity
-- are those of the period's end, so that no day on which it is written makes another file: at the last fill before it.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/breaks.sql
select b.entity_id, b.break_id, b.check_name, b.subject, b.account, b.currency, trim_scale(b.reported) as reported,
  trim_scale(b.booked) as booked, trim_scale(b.difference) as difference, b.status, b.reason, b.opened_at, b.resolved_at,
  b.since, worth.value, worth.age_days, books.severity_of(worth.value, worth.age_days) as severity,
  books.due_at(b.since, worth.value) as due_at, b.assigned_to, b.explanation, b.explained_by, b.explained_records, b.resolved_by,
  waived.by_name as waived_by, waived.period as waived_for, waived.reason as waived_because
from books.breaks b
left join books.entities n using (entity_id)
cross join lateral (
  select books.value_of(b.entity_id, b.currency, b.difference, n.currency, least(b.resolved_at, :'to'::timestamptz)) as value,
    books.days_between(b.since, least(b.resolved_at, :'to'::timestamptz)) as age_days
  offset 0
) as worth
left join lateral ( -- the last one, while the difference is still the one that was waived
  select w.by_name, w.period, w.reason
  from books.waivers w
  where (w.entity_id, w.break_id) = (b.entity_id, b.break_id) and w.difference is not distinct from b.difference
  order by w.at desc, w.period desc
  limit 1
) as waived on true
where (b.status <> 'resolved' or (b.resolved_at >= :'from'::timestamptz and b.resolved_at < :'to'::timestamptz))
  and (:'entity' = '' or b.entity_id = any (string_to_array(:'entity', ',')))
order by b.entity_id collate "C", b.check_name collate "C", b.subject collate "C", b.break_id collate "C";
