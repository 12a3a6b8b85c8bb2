-- The first record that names one of some pockets, users, addresses, transactions of a chain or social-pay orders, which belong to entities
-- of another database: a wallet transaction, or an accepted order.
-- For: tieout consolidate. Ties to: books.own_transfers.
--   psql -v names='{}' -f sql/export/source_partners.sql
select entity_id, stream, record_id, name
from books_internal.far_names
where name = any(:'names'::text[])
order by entity_id collate "C", stream collate "C" desc, record_id collate "C", name collate "C"
limit 1;
