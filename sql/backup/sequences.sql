-- Sequences of the books, each with the column that takes its values. The first value is that of the sequence as created.
-- For: tieout restore, which proves that no sequence is behind its column. Ties to: the migrations.
--   psql -v schemas='{run,land}' -f sql/backup/sequences.sql
select format('%I.%I', n.nspname, s.relname) as name, format('%I.%I', tn.nspname, t.relname) as table_name,
  quote_ident(a.attname) as column_name
from pg_class s
join pg_namespace n on n.oid = s.relnamespace
join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
join pg_class t on t.oid = d.refobjid
join pg_namespace tn on tn.oid = t.relnamespace
join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
where s.relkind = 'S' and n.nspname = any(:'schemas'::text[])
order by 1;
