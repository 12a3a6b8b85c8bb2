-- Compared by: the numbers of the runs that compared the newest balances read up to a local time, the last one first; none if no run did.
-- For: verify report, of an export that shows the newest comparison at that time. Ties to: books.tie_outs.
--   psql -v time=2026-11-01T03:00:00 -v timezone=UTC -f sql/status/compared_by.sql
select distinct r.run_number
from books.tie_outs t
join books.runs r using (run_id)
where t.as_of = (select max(o.as_of) from books.tie_outs o where o.as_of <= :'time'::timestamp at time zone :'timezone')
order by r.run_number desc;
