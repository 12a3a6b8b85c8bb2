-- Seals: the entities whose month is closed, with the manifest that was sealed.
-- For: an export, which takes those files as they were. Ties to: books.sealed_files.
--   psql -v period=2026-10 -f sql/export/seals.sql
select entity_id, (seal::jsonb -> 'manifest')::text as manifest
from books.seals
where period = :'period' and status = 'closed'
order by entity_id collate "C";
