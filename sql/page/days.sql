-- Days of a period, or weeks or calendar months of it, in a timezone: the first local date of each, its start and its end.
-- For: the calendar and the charts of the report page. Ties to: the bounds of the period, which cut the first and the last.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v timezone=Europe/Madrid -v step='1 day' -f sql/page/days.sql
select day::date as day, greatest(books_internal.local_start(day, :'timezone'), :'from'::timestamptz) as starts_at,
  least(books_internal.local_start(day + :'step'::interval, :'timezone'), :'to'::timestamptz) as ends_at
from generate_series(
  date_trunc(case :'step' when '1 month' then 'month' else 'day' end, :'from'::timestamptz at time zone :'timezone'),
  (:'to'::timestamptz at time zone :'timezone') - interval '1 microsecond', :'step'::interval) as day
order by day;
