-- The dictionary of schema books: one row per column of each view and function, with the comments of both.
-- For: tieout views; the dictionary in sql/README.md. Ties to: the comments in sql/views.
--   psql -f sql/dictionary/objects.sql
select c.relname as name, 'view' as kind, c.relname as call, obj_description(c.oid, 'pg_class') as comment,
  a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type, col_description(c.oid, a.attnum) as column_comment,
  a.attnum as position
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'books'::regnamespace and c.relkind = 'v'
union all
select p.proname, 'function', format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)),
  obj_description(p.oid, 'pg_proc'), output.name, format_type(output.type, null), null, output.position
from pg_proc p
left join lateral (
  select arg.name, arg.type, arg.position
  from unnest(p.proargnames, p.proallargtypes, p.proargmodes) with ordinality as arg (name, type, mode, position)
  where arg.mode = 't'
) as output on true
where p.pronamespace = 'books'::regnamespace
order by name, position;
