-- Break ages: the breaks that are neither waived nor resolved, oldest first, with their age in days as of an instant. The age
-- counts from when the break began, or began again after a tie.
-- For: the weekly meeting. Ties to: breaks.
--   psql -v as_of=2026-11-01T00:00:00Z -f sql/cookbook/break_ages.sql
select floor(extract(epoch from :'as_of'::timestamptz - since) / 86400)::integer as age_days, entity_id, break_id, check_name, subject, account, currency,
  trim_scale(difference) as difference, status, reason
from books.breaks
where status not in ('waived', 'resolved') and since < :'as_of'::timestamptz
order by since, entity_id collate "C", break_id collate "C";
