-- Compared by: the number of the last run that compared balances read up to a local time; null if none did.
-- For: verify report, of an export that shows the newest comparison at that time. Ties to: books.tie_outs.
--   psql -v time=2026-11-01T03:00:00 -v timezone=UTC -f sql/status/compared_by.sql
select max(r.run_number)::text as last_run
from books.tie_outs t
join books.runs r using (run_id)
where t.as_of <= :'time'::timestamp at time zone :'timezone';
