-- Entities not read: subaccounts that the gateway lists and of which nothing is landed; no row if no key was allowed to read
-- the list, so that the answer is unknown.
-- For: the cover of an export. Ties to: books.subaccounts.
--   psql -f sql/export/entities_not_read.sql
select coalesce(string_agg(s.entity_id, ',' order by s.entity_id collate "C"), '') as entities
from (select distinct entity_id from run.listings) as main
left join books_internal.subaccounts s on s.main_entity_id = main.entity_id and not s.is_read
having count(*) > 0;
