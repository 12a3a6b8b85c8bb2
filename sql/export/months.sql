-- Months: those that have entries, from the earliest month touched since an instant on, since a late entry moves the
-- opening of every month after its own; since = -infinity for all of them.
-- For: the nightly, which exports each. Ties to: the effective_at of entries, cut in a timezone.
--   psql -v timezone=Europe/Madrid -v since=-infinity -f sql/export/months.sql
with entry as (
  select to_char(effective_at at time zone :'timezone', 'YYYY-MM') as month,
    recorded_at >= :'since'::timestamptz as touched
  from books.entries
)
select month
from entry
where month >= (select min(month) from entry where touched)
group by month
order by month collate "C";
