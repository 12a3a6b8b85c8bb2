-- Months: months are closed in order, each once.
-- For: close. Ties to: the period of entries, books.seals.
--   psql -v entity=main -v period=2026-10 -f sql/close/months.sql
with closed as (
  select max(period) as through from books.seals where entity_id = :'entity' and status = 'closed'
)
select month as subject,
  case when month <= closed.through then 'is closed already' else format('has entries and is not closed: close %s --by NAME first', month) end as detail
from closed
cross join (
  select distinct period as month from books.entries where entity_id = :'entity' and period < :'period'
  union
  select :'period'::text
) as months
where (month = :'period' and month <= closed.through) or (month < :'period' and month > coalesce(closed.through, ''))
order by month;
