-- The first wallet transaction that names one of some pockets or users, which belong to entities of another database.
-- For: tieout consolidate. Ties to: books.own_transfers.
--   psql -v names='{}' -f sql/export/source_partners.sql
select entity_id, record_id, case when pocket_id = any(:'names'::text[]) then pocket_id else user_id end as name
from books_internal.far_ends
where pocket_id = any(:'names'::text[]) or user_id = any(:'names'::text[])
order by entity_id collate "C", record_id collate "C"
limit 1;
