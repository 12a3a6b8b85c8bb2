-- Changes since: how many entries of a period, and of the time before it, were booked after a run, and how many breaks that began by its
-- end later runs changed. by: posted_at, or effective_at.
-- For: verify report, of an export that an open month has left behind. Ties to: books.entries, books.break_events.
--   psql -v from=2026-11-01T00:00:00Z -v to=2026-12-01T00:00:00Z -v by=posted_at -v entity= -v last_run=12 -f sql/proofs/changes_since.sql
select count(*) filter (where counted_at >= :'from'::timestamptz)::text as within, count(*) filter (where counted_at < :'from'::timestamptz)::text as before, (
  select count(distinct (e.entity_id, e.break_id))
  from books.break_events e
  join books.runs r using (run_id)
  join books.breaks b using (entity_id, break_id)
  where r.run_number > :'last_run'::bigint and e.changed_by is null and b.since < :'to'::timestamptz
    and books_internal.is_chosen(b.entity_id, :'entity')
)::text as breaks
from (
  select entity_id, entry_number, case :'by' when 'posted_at' then posted_at else effective_at end as counted_at from books.entries
) as entry
where entry_number > (select books_internal.last_entry_by(:'last_run'::bigint))
  and counted_at < :'to'::timestamptz and books_internal.is_chosen(entity_id, :'entity');
