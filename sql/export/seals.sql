-- Seals: the entities whose month is closed, with the files that were sealed.
-- For: an export, which takes those files as they were. Ties to: books.sealed_files.
--   psql -v period=2026-10 -f sql/export/seals.sql
select entity_id, (seal::jsonb -> 'files')::text as files
from books.seals
where period = :'period' and status = 'closed'
order by entity_id collate "C";
