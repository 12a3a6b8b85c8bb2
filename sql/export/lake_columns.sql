-- The columns of each view of schema books, in order, with their types.
-- For: tieout export --format parquet. Ties to: sql/dictionary/objects.sql.
--   psql -f sql/export/lake_columns.sql
select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'books'::regnamespace and c.relkind = 'v'
order by c.relname collate "C", a.attnum;
