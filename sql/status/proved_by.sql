-- Proved by: the number of the first run that proved a list up to a local time, known to the second; null if none did.
-- For: verify report, of an export that shows coverage up to that time. Ties to: books.coverage.
--   psql -v time=2026-11-01T03:00:00 -v timezone=UTC -f sql/status/proved_by.sql
select min(run_number) as run_number
from books_internal.proved_intervals
where upper(covered) > :'time'::timestamp at time zone :'timezone' - interval '1 second'
  and upper(covered) < :'time'::timestamp at time zone :'timezone' + interval '1 second';
