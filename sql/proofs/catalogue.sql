-- Catalogue of some schemas, one row for each object and aspect: definitions, columns, rules, owners, rights.
-- Two databases made from the same files have the same rows, whoever owns them.
-- For: verify ledger, which compares these rows with those of a freshly created schema.
--   psql -v schemas=run,land,ledger,reconcile,decide,value,books,books_internal -f sql/proofs/catalogue.sql
with ours as (
  select oid, nspname as name, nspowner, nspacl, format('schema %I', nspname) as thing
  from pg_namespace where nspname = any (string_to_array(:'schemas', ','))
), roles as (
  select oid, case when oid = (select nspowner from ours where name = 'run') then 'the owner' else quote_ident(rolname) end as name
  from pg_roles
  union all
  select 0, 'public'
), relations as (
  select c.oid, c.relkind as kind, c.relowner, c.relacl, format('%I.%I', n.name, c.relname) as name, concat_ws(' ',
      case c.relkind when 'r' then 'table' when 'p' then 'table' when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' when 'i' then 'index' when 'I' then 'index' else 'relation' end,
      format('%I.%I', n.name, c.relname)) as thing,
    concat_ws(', ', 'kind ' || c.relkind::text, 'persistence ' || c.relpersistence::text, 'row security ' || c.relrowsecurity::text,
      'also for the owner ' || c.relforcerowsecurity::text, c.reloptions::text) as form
  from pg_class c join ours n on n.oid = c.relnamespace
), functions as (
  select p.oid, p.prokind as kind, p.proowner, p.proacl, 'function ' || p.oid::regprocedure as thing
  from pg_proc p join ours n on n.oid = p.pronamespace
), columns as (
  select format('column %s.%I', r.name, a.attname) as thing, a.attacl, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, case a.attidentity when 'a' then 'identity' when 'd' then 'identity by default' end,
      case when a.attgenerated <> '' then 'generated' else 'default' end || ' ' || pg_get_expr(d.adbin, d.adrelid),
      (select 'collate ' || l.collname from pg_collation l where l.oid = a.attcollation and l.collname <> 'default')) as form
  from relations r join pg_attribute a on a.attrelid = r.oid left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
  where r.kind in ('r', 'p', 'v', 'm', 'f', 'c') and a.attnum > 0 and not a.attisdropped
), owned (thing, owner) as (
  select thing, nspowner from ours
  union all
  select thing, relowner from relations
  union all
  select thing, proowner from functions
), rights (thing, acl) as (
  select thing, coalesce(nspacl, acldefault('n', nspowner)) from ours
  union all
  select thing, coalesce(relacl, acldefault((case kind when 'S' then 's' else 'r' end)::"char", relowner)) from relations
  where kind in ('r', 'p', 'v', 'm', 'f', 'S')
  union all
  select thing, coalesce(proacl, acldefault('f', proowner)) from functions
  union all
  select thing, attacl from columns where attacl is not null
  union all
  select concat('default rights', ' in schema ' || d.defaclnamespace::regnamespace::text), d.defaclacl from pg_default_acl d
  where d.defaclnamespace in (select oid from ours) or (d.defaclnamespace, d.defaclrole) = (0, (select nspowner from ours where name = 'run'))
), facts (thing, aspect, text) as (
  select thing, 'owner', name from owned join roles on roles.oid = owned.owner
  union all
  select thing, 'form', form from relations
  union all
  select thing, 'form', form from columns
  union all
  select thing, 'rights', string_agg(lower(x.privilege_type) || ' to ' || g.name
      || case when x.is_grantable then ' with grant option' else '' end, ', ' order by g.name, x.privilege_type)
  from rights cross join aclexplode(acl) x join roles g on g.oid = x.grantee group by thing
  union all
  select thing, 'definition', pg_get_viewdef(oid) from relations where kind in ('v', 'm')
  union all
  select thing, 'definition', pg_get_indexdef(oid) from relations where kind in ('i', 'I')
  union all
  select thing, 'definition', case when kind = 'a' then 'an aggregate' else pg_get_functiondef(oid) end from functions
  union all
  select format('constraint %I on %s', c.conname, r.name), 'definition',
    pg_get_constraintdef(c.oid) || case when c.convalidated then '' else ' (not validated)' end
  from pg_constraint c join relations r on r.oid = c.conrelid where c.contype not in ('n', 't') -- not null belongs to its column
  union all
  select format('trigger %I on %s', t.tgname, r.name), 'definition', pg_get_triggerdef(t.oid) || ', enabled ' || t.tgenabled::text
  from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal
  union all
  select r.thing, 'disabled foreign keys', count(*)::text
  from pg_trigger t join relations r on r.oid = t.tgrelid where t.tgisinternal and t.tgenabled <> 'O' group by r.thing
  union all
  select format('rule %I on %s', w.rulename, r.name), 'definition', pg_get_ruledef(w.oid) || ', enabled ' || w.ev_enabled::text
  from pg_rewrite w join relations r on r.oid = w.ev_class where w.rulename <> '_RETURN'
  union all
  select format('policy %I on %s', p.polname, r.name), 'definition', concat_ws(', ', 'for ' || p.polcmd::text,
    'permissive ' || p.polpermissive::text, 'to ' || (select string_agg(g.name, ', ' order by g.name) from roles g where g.oid = any (p.polroles)),
    'using ' || pg_get_expr(p.polqual, p.polrelid), 'with check ' || pg_get_expr(p.polwithcheck, p.polrelid))
  from pg_policy p join relations r on r.oid = p.polrelid
  union all
  select r.thing, 'children', string_agg(i.inhrelid::regclass::text, ', ' order by i.inhrelid::regclass::text)
  from pg_inherits i join relations r on r.oid = i.inhparent group by r.thing
  union all
  select object.type || ' ' || object.identity, 'form', 'is there'
  from pg_depend d cross join pg_identify_object(d.classid, d.objid, d.objsubid) as object
  where d.refclassid = 'pg_namespace'::regclass and d.refobjid in (select oid from ours)
    and d.classid not in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_default_acl'::regclass)
)
select thing, aspect, text from facts order by thing collate "C", aspect collate "C";
