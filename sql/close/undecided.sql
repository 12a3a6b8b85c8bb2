-- Undecided: every landed record must have its outcome.
-- For: close. Ties to: books.conservation, undecided.
--   psql -v entity=main -f sql/close/undecided.sql
select stream as subject, format('%s records are landed and not yet normalized: run normalize', count(*)) as detail
from land.inbox
where entity_id = :'entity'
group by stream
order by stream;
