-- Months: the months with entries, from the earliest month that got an entry with a number above booked_after: an
-- entry of an open month changes the opening of every month after it. booked_after = 0 returns all months.
-- For: the nightly, which exports each. Ties to: the posted_at of entries, cut in a timezone.
--   psql -v timezone=Europe/Madrid -v booked_after=0 -f sql/export/months.sql
with entry as (
  select to_char(posted_at at time zone :'timezone', 'YYYY-MM') as month,
    entry_number > :'booked_after'::bigint as touched
  from books.entries
)
select month
from entry
where month >= (select min(month) from entry where touched)
group by month
order by month collate "C";
