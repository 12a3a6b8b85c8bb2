-- Booked by: the number of the run that booked the last of some entries; null if the books have none of them.
-- For: verify report, of an export that shows these entries. Ties to: books.entries.
--   psql -v entities='{main}' -v entries='{01a177dd-ff80-8000-8000-000000000006}' -f sql/status/booked_by.sql
select max(r.run_number)::text as last_run
from books.runs r
where r.entries_before < (
  select max(e.entry_number)
  from unnest(:'entities'::text[], :'entries'::uuid[]) as shown (entity_id, entry_id)
  join books.entries e using (entity_id, entry_id)
);
