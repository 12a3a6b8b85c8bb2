-- Entries since: how many entries of a period, and of the time before it, were booked after a run. by: posted_at, or effective_at.
-- For: verify report, of an export that an open month has left behind. Ties to: books.entries.
--   psql -v from=2026-11-01T00:00:00Z -v to=2026-12-01T00:00:00Z -v by=posted_at -v entity= -v last_run=12 -f sql/proofs/entries_since.sql
select count(*) filter (where counted_at >= :'from'::timestamptz)::text as within, count(*) filter (where counted_at < :'from'::timestamptz)::text as before
from (
  select entity_id, entry_number, case :'by' when 'posted_at' then posted_at else effective_at end as counted_at from books.entries
) as entry
where entry_number > (select books_internal.last_entry_by(:'last_run'::bigint))
  and counted_at < :'to'::timestamptz and books_internal.is_chosen(entity_id, :'entity');
