-- The state of books, in order: equal rows mean equal books, unless a run is at work.
-- For: tieout consolidate, the manifest of a lake. Ties to: run.links, which tieout verify recomputes.
--   psql -f sql/export/source_state.sql
select entity_id, table_name, part, number, link
from books_internal.book_state
order by entity_id collate "C", table_name collate "C", part collate "C", number, link nulls last;
