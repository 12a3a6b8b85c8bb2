-- Rejects by stream: the number of records that no rule accepts today, and how many are neither settled nor dismissed.
-- For: the report page. Ties to: rejects.csv, counted.
--   psql -v entity= -f sql/page/rejects.sql
select entity_id, stream, count(*) as rejects, count(*) filter (where decision is null) as undecided
from books.rejects
where books_internal.is_chosen(entity_id, :'entity')
group by entity_id, stream
order by entity_id collate "C", stream collate "C";
