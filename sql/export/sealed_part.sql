-- Sealed part: one piece of a report as it was sealed, counted from 0; no row after the last.
-- For: an export of a closed month. Ties to: the SHA-256 of the whole file in the seal.
--   psql -v entity=main -v period=2026-10 -v name=journal.csv -v part=0 -At -f sql/export/sealed_part.sql
select content
from books_internal.sealed_files
where entity_id = :'entity' and period = :'period' and name = :'name' and part = :'part'::int;
