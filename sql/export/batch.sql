-- Batch: one export batch, as stored.
-- For: re-export. Ties to: batch_lines.
--   psql -v entity=main -v year=2026 -v number=3 -f sql/export/batch.sql
select package, period, currency, timezone, map_sha256, settings, facts, summary, exported_at, exported_by, entries::text as entries
from books.batches
where entity_id = :'entity' and year = :'year'::int and batch_number = :'number'::int;
