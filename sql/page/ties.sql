-- Ties: for each set of books, how many reported balances tie at the newest comparison, and how many of those rolled back to
-- the period's end: tied, break, in-flight, pending, in-transit, uncovered; tied, break, not read.
-- For: the report page. Ties to: tie_outs.csv and closing_balances.csv, counted by status.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/ties.sql
select reading, entity_id, status, accounts, as_of
from (
  select 'newest' as reading, entity_id, status, count(*) as accounts, max(as_of) as as_of
  from books.newest_tie_outs
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, status
  union all
  select 'closing', entity_id, status, count(*), max(read_at)
  from books.closing_balances(:'to'::timestamptz)
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, status
) as counted
order by reading collate "C", entity_id collate "C", status collate "C";
