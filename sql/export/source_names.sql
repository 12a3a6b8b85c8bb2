-- The pockets, users, addresses, received transactions and social-pay orders of a database's entities: what a record of another may name.
-- account: the name again if it is a pocket or a user, which belong to one account of the gateway alone.
-- For: tieout consolidate. Ties to: books.own_transfers.
--   psql -f sql/export/source_names.sql
select name, min(entity_id collate "C") as entity_id, case when bool_or(is_account) then name end as account
from books_internal.own_names
group by name
order by name collate "C";
