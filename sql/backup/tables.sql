-- Tables of a dump: every table of our schemas with its columns, the order of its rows, and the tables that it refers to. A
-- partitioned table is one table, and the table that only serves as a lock is none. The order is that of the primary key, the same in a database of any collation.
-- For: tieout dump and restore. Ties to: the migrations.
--   psql -v schemas='{run,land}' -f sql/backup/tables.sql
with local as (
  select datcollate in ('C', 'POSIX') as is_plain from pg_database where datname = current_database()
), base as (
  select c.oid, format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any(:'schemas'::text[]) and c.relkind in ('r', 'p') and not c.relispartition
    and c.oid is distinct from to_regclass('run.writer_lock')
)
select b.name,
  (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
    where a.attrelid = b.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
  coalesce((
    select string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 and not l.is_plain then ' collate "C"' else '' end,
      ', ' order by place.number)
    from pg_index i
    cross join lateral unnest(i.indkey::int2[]) with ordinality as place (attnum, number)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = place.attnum
    where i.indrelid = b.oid and i.indisprimary
  ), '1') as row_order,
  array(select distinct other.name from pg_constraint k join base other on other.oid = k.confrelid
    where k.conrelid = b.oid and k.contype = 'f' and other.oid <> b.oid and not k.condeferrable order by 1) as refers_to
from base b
cross join local l
order by b.name collate "C";
