-- Listed entities: those that should have been read, with the database's time.
-- For: tieout status --check --clean, the metrics of Prometheus. Ties to: books.entities.
--   psql -f sql/status/listed_entities.sql
select entity_id, clock_timestamp() as read_at
from books_internal.listed_entities
order by entity_id collate "C";
