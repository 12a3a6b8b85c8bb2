-- Seals: the entities whose month is closed, with the sealed manifest.
-- For: an export, which uses those files unchanged. Ties to: books.sealed_files.
--   psql -v period=2026-10 -f sql/export/seals.sql
select entity_id, (seal::jsonb -> 'manifest')::text as manifest
from books.seals
where period = :'period' and status = 'closed'
order by entity_id collate "C";
