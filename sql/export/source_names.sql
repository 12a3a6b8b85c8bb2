-- The pockets, users, addresses, received transactions and social-pay orders of a database's entities: what a record of another may name.
-- For: tieout consolidate. Ties to: books.own_transfers.
--   psql -f sql/export/source_names.sql
select name, min(entity_id collate "C") as entity_id
from books_internal.own_names
group by name
order by name collate "C";
