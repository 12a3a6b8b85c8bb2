-- Ties: for each set of books, how many reported balances tie at the newest comparison: tied, break, in-flight, pending,
-- in-transit, uncovered.
-- For: the report page. Ties to: tie_outs.csv, counted by status.
--   psql -v entity= -v last_run= -f sql/page/ties.sql
select 'newest' as reading, entity_id, status, count(*) as accounts, max(as_of) as as_of
from books_internal.tie_outs_by(nullif(:'last_run', '')::bigint)
where books_internal.is_chosen(entity_id, :'entity')
group by entity_id, status
order by entity_id collate "C", status collate "C";
