-- Entities: the sets of books and what they are called.
-- For: the cover of the report page. Ties to: entity_id in every report.
--   psql -v entity= -f sql/page/entities.sql
select entity_id, nullif(name, '') as name
from books.entities
where :'entity' = '' or entity_id = any (string_to_array(:'entity', ','))
order by entity_id collate "C";
