-- Breaks since: how many breaks people assigned, explained, waived or resolved after a run.
-- For: verify report, of an export whose breaks have moved on. Ties to: books.break_events.
--   psql -v entity= -v last_run=12 -f sql/proofs/breaks_since.sql
select count(distinct (e.entity_id, e.break_id))::text as breaks
from books.break_events e
join books.runs r using (run_id)
where r.run_number > :'last_run'::bigint and e.changed_by is not null and books_internal.is_chosen(e.entity_id, :'entity');
