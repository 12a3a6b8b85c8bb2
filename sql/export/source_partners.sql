-- The first wallet transaction that names one of some pockets, users, addresses or transactions of a chain, which belong to entities of
-- another database.
-- For: tieout consolidate. Ties to: books.own_transfers.
--   psql -v names='{}' -f sql/export/source_partners.sql
select entity_id, record_id, name
from books_internal.far_names
where name = any(:'names'::text[])
order by entity_id collate "C", record_id collate "C", name collate "C"
limit 1;
