-- Break ages: the breaks that nobody has waived or resolved, oldest first, with their age in days as of an instant.
-- For: the weekly meeting. Ties to: breaks.
--   psql -v as_of=2026-11-01T00:00:00Z -f sql/cookbook/break_ages.sql
select extract(day from :'as_of'::timestamptz - opened_at)::integer as age_days, entity_id, break_id, check_name, subject,
  account, currency, trim_scale(difference) as difference, status, reason
from books.breaks
where status not in ('waived', 'resolved') and opened_at < :'as_of'::timestamptz
order by opened_at, entity_id collate "C", break_id collate "C";
