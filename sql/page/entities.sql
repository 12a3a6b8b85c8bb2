-- Entities: the sets of books and their names.
-- For: the cover of the report page. Ties to: entity_id in every report.
--   psql -v entity= -f sql/page/entities.sql
select entity_id, nullif(name, '') as name
from books.entities
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C";
