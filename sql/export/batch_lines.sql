-- Batch lines: the lines of one batch as they were exported, in order.
-- For: re-export. Ties to: batch, the count of its entries and lines.
--   psql -v entity=main -v year=2026 -v number=3 -f sql/export/batch_lines.sql
select entry_id, day::text as day, kind, stream, record_id, account, currency, counterparty_type, units, value, ordinal::text as ordinal,
  code, name, tax, dimension1, dimension2
from books.batch_lines
where entity_id = :'entity' and year = :'year'::int and batch_number = :'number'::int
order by line;
