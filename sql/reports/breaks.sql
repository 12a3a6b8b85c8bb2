-- Breaks: the differences that finance must look at: all that are not resolved, and those that the period resolved.
-- For: month-end close. Ties to: tie_outs, by account and currency. difference = reported - booked.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/breaks.sql
select entity_id, break_id, check_name, subject, account, currency, trim_scale(reported) as reported,
  trim_scale(booked) as booked, trim_scale(difference) as difference, status, reason, opened_at, resolved_at
from books.breaks
where (status <> 'resolved' or (resolved_at >= :'from'::timestamptz and resolved_at < :'to'::timestamptz))
  and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
order by entity_id collate "C", check_name collate "C", subject collate "C", break_id collate "C";
