-- Entities: all sets of books.
-- For: the manifest of an export, and to refuse an unknown entity. Ties to: entity_id in every report.
--   psql -f sql/export/entities.sql
select entity_id
from books.entities
order by entity_id collate "C";
