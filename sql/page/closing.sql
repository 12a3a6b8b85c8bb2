-- Closing: for each set of books, how many balances tie at the period's end, rolled back from a later reading: tied, break, not
-- read.
-- For: the report page. Ties to: closing_balances.csv, counted by status.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -f sql/page/closing.sql
select 'closing' as reading, entity_id, status, count(*) as accounts, max(read_at) as as_of
from books_internal.closing_balances_of(:'to'::timestamptz, :'entity')
where books_internal.is_chosen(entity_id, :'entity')
group by entity_id, status
order by entity_id collate "C", status collate "C";
