-- Entities: the sets of books there are.
-- For: the manifest of an export, and to refuse an entity that is not one. Ties to: entity_id in every report.
--   psql -f sql/export/entities.sql
select entity_id
from books.entities
order by entity_id collate "C";
