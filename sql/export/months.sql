-- Months: the months with entries.
-- For: an export without a period, which spans them. Ties to: the posted_at of entries, cut in a timezone.
--   psql -v timezone=Europe/Madrid -f sql/export/months.sql
select distinct to_char(posted_at at time zone :'timezone', 'YYYY-MM') collate "C" as month
from books.entries
order by month;
