-- Sequences behind the rows that they numbered: a run would fail on a number that is taken, or number what it writes among rows that
-- are linked already, whose links then look altered. No rows when healthy.
-- For: verify ledger, because the definitions of tables do not show it. Ties to: run.links, which names the last number of each table.
--   psql -f sql/proofs/sequences.sql
with numbered as (
  select s.oid, format('%I.%I', n.nspname, t.relname) as name, a.attname as number_name
  from pg_class s
  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
  join pg_class t on t.oid = d.refobjid
  join pg_namespace n on n.oid = t.relnamespace
  join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
  where s.relkind = 'S' and n.nspname in ('run', 'land', 'ledger', 'reconcile', 'decide')
), last (name, number_name, largest) as (
  select l.table_name, coalesce((select 'position' from pg_attribute a where a.attrelid = to_regclass(l.table_name) and a.attname = 'position'),
    c.number_name), max(l.last_position)
  from run.links l join numbered c on c.name = l.table_name
  where l.table_name <> 'run.runs' group by 1, 2
  union all
  select 'run.runs', 'run_number', max(run_number) from run.runs
  union all
  select 'land.leaves', 'leaf_id', max(leaf_id) from land.leaves
  union all
  select 'ledger.entries', 'entry_number', max(entry_number) from ledger.entries
)
select 'sequence ' || n.oid::regclass as thing,
  format('is behind %s.%s: it gave %s, and a row has %s', n.name, n.number_name, coalesce(pg_sequence_last_value(n.oid)::text, 'nothing'), l.largest) as fault
from numbered n join last l using (name, number_name)
where l.largest > coalesce(pg_sequence_last_value(n.oid), 0)
order by 1;
