-- Dependents: every object in the database outside some schemas and PostgreSQL's own, by a key that stays the same for the
-- object's lifetime. The columns, defaults, policies and triggers of others' tables count too.
-- For: migrate, which compares the objects before and after. Ties to: pg_identify_object.
--   psql -v schemas='{run,land,ledger,reconcile,decide,value,books,books_internal}' -f sql/dictionary/dependents.sql
with ours as (
  select oid from pg_namespace where nspname = any(:'schemas'::name[]) or nspname ~ '^pg_' or nspname = 'information_schema'
), relations as (
  select oid from pg_class where relnamespace not in (select oid from ours)
), objects (classid, objid, objsubid) as (
  select 'pg_class'::regclass, oid, 0 from relations
  union all
  select 'pg_class'::regclass, attrelid, attnum from pg_attribute
  where attrelid in (select oid from relations) and attnum > 0 and not attisdropped
  union all
  select 'pg_proc'::regclass, oid, 0 from pg_proc where pronamespace not in (select oid from ours)
  union all
  select 'pg_constraint'::regclass, oid, 0 from pg_constraint where connamespace not in (select oid from ours)
  union all
  select 'pg_policy'::regclass, oid, 0 from pg_policy where polrelid in (select oid from relations)
  union all
  select 'pg_attrdef'::regclass, oid, 0 from pg_attrdef where adrelid in (select oid from relations)
  union all
  select 'pg_trigger'::regclass, oid, 0 from pg_trigger where tgrelid in (select oid from relations) and not tgisinternal
)
select concat_ws('/', classid::oid, objid, objsubid) as key, type || ' ' || identity as name
from objects cross join pg_identify_object(classid, objid, objsubid)
order by name;
