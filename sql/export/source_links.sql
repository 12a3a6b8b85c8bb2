-- The last link of each chain of digests, in order: equal rows mean equal books.
-- For: tieout consolidate. Ties to: run.links, which tieout verify recomputes.
--   psql -f sql/export/source_links.sql
select entity_id, table_name, part, link_number, link
from books_internal.last_links
order by entity_id collate "C", table_name collate "C", part collate "C";
