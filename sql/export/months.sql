-- Months: those that have entries, from the earliest month touched since an instant on, since an entry of an open month
-- moves the opening of every month after it; since = -infinity for all of them.
-- For: the nightly, which exports each. Ties to: the posted_at of entries, cut in a timezone.
--   psql -v timezone=Europe/Madrid -v since=-infinity -f sql/export/months.sql
with entry as (
  select to_char(posted_at at time zone :'timezone', 'YYYY-MM') as month,
    recorded_at >= :'since'::timestamptz as touched
  from books.entries
)
select month
from entry
where month >= (select min(month) from entry where touched)
group by month
order by month collate "C";
