-- The first wallet transaction that names one of some pockets, users or addresses, which belong to entities of another database.
-- For: tieout consolidate. Ties to: books.own_transfers.
--   psql -v names='{}' -f sql/export/source_partners.sql
select f.entity_id, f.record_id, partner.name
from books_internal.far_ends f
cross join lateral (values (f.pocket_id), (f.user_id), (f.address)) as partner (name)
where partner.name = any(:'names'::text[])
order by f.entity_id collate "C", f.record_id collate "C", partner.name collate "C"
limit 1;
