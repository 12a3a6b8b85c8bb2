-- Groups of the roles and the logins in them, and the faults of each: a group must have no power over the server and must be in no
-- other group; a login must not pass what its group may not do. The owner is left out, and so is an owner of other books on the server.
-- For: verify ledger, because rights granted table by table protect nothing from a role that bypasses them all.
--   psql -f sql/proofs/groups.sql
with recursive groups as (
  select r.* from pg_roles r
  where r.rolname in ('tieout_loader', 'tieout_analyst', 'tieout_preparer', 'tieout_approver')
), members (oid) as (
  select m.member from pg_auth_members m join groups g on g.oid = m.roleid
  union
  select m.member from pg_auth_members m join members g on g.oid = m.roleid
), writers as ( -- whoever is one of these writes to every table, or runs programs as the server
  select oid, quote_ident(rolname) as name from pg_roles
  where rolname in ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
  union all
  select nspowner, 'the owner' from pg_namespace where nspname = 'run'
)
select 'role ' || r.rolname as thing, nullif(concat_ws(', ',
    case when r.rolsuper then 'is a superuser' end, case when r.rolbypassrls then 'bypasses row security' end,
    case when r.rolcreaterole then 'makes roles' end, case when r.rolcreatedb then 'makes databases' end,
    case when r.rolreplication then 'replicates' end, case when r.rolcanlogin then 'can log in' end,
    case when not r.rolsuper and has_parameter_privilege(r.oid, 'session_replication_role', 'set') then 'may switch foreign keys off' end,
    'is a member of ' || (
      select string_agg(m.roleid::regrole::text, ', ' order by m.roleid::regrole::text) from pg_auth_members m where m.member = r.oid
    )), '') as fault
from groups r
union all
select 'role ' || r.rolname, nullif(concat_ws(', ',
    case when r.rolsuper then 'is a superuser' end, case when r.rolbypassrls then 'bypasses row security' end,
    case when r.rolreplication then 'replicates' end,
    case when not r.rolsuper and has_parameter_privilege(r.oid, 'session_replication_role', 'set') then 'may switch foreign keys off' end,
    'may act as ' || (
      select string_agg(w.name, ', ' order by w.name) from writers w where not r.rolsuper and pg_has_role(r.oid, w.oid, 'member')
    )), '')
from pg_roles r
where r.oid in (select oid from members) and r.oid not in (select oid from groups)
  and r.oid <> (select nspowner from pg_namespace where nspname = 'run')
  and exists (select from groups g where pg_has_role(r.oid, g.oid, 'usage')) -- whoever made a group holds it, but does not act as it
order by 1;
