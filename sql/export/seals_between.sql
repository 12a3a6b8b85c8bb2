-- Seals between: the closed months from one to another, both included, with the number, root and digest of each seal.
-- For: the manifest of an export. Ties to: books.seals; verify ledger --root checks whether one still holds.
--   psql -v first=2026-10 -v last=2026-12 -v entity= -f sql/export/seals_between.sql
select entity_id, period, seal_number, root, seal_sha256
from books.seals
where status = 'closed' and period >= :'first' and period <= :'last'
  and books_internal.is_chosen(entity_id, :'entity')
order by period, entity_id collate "C";
