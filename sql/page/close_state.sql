-- The state of the close: each month of the period, of each set of books: open, closed, or closed and approved, and by whom.
-- For: the report page. Ties to: books.seals.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v timezone=UTC -v entity= -f sql/page/close_state.sql
select n.entity_id, nullif(n.name, '') as name, to_char(day, 'YYYY-MM') as month,
  case when s.period is null then 'open' when s.approved_at is null then 'closed' else 'approved' end as state, s.prepared_by, s.sealed_at,
  case when s.approved_at is not null then s.approved_by end as approved_by, s.approved_at
from books.entities n
cross join generate_series(date_trunc('month', :'from'::timestamptz at time zone :'timezone'),
  (:'to'::timestamptz at time zone :'timezone') - interval '1 microsecond', interval '1 month') as day
left join books.seals s on s.entity_id = n.entity_id and s.period = to_char(day, 'YYYY-MM') and s.status = 'closed'
where books_internal.is_chosen(n.entity_id, :'entity')
order by month, n.entity_id collate "C";
