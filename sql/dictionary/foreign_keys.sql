-- Foreign keys of the tables behind the views: which table refers to which, by which columns.
-- For: the entity-relationship diagram in sql/README.md. Ties to: the migrations.
--   psql -f sql/dictionary/foreign_keys.sql
select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent,
  string_agg(a.attname, ', ' order by k.position) as columns,
  bool_or(not a.attnotnull) as is_optional
from pg_constraint c
join pg_namespace n on n.oid = c.connamespace
cross join lateral unnest(c.conkey) with ordinality as k (number, position)
join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
where c.contype = 'f' and c.conparentid = 0 and n.nspname in ('run', 'land', 'ledger', 'reconcile', 'decide', 'value')
group by c.oid, c.conrelid, c.confrelid
order by 1, 2, 3;
