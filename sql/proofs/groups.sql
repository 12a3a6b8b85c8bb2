-- Groups of the roles, and the faults of each: a group must have no power over the server and must be in no other group.
-- For: verify ledger, because rights granted table by table protect nothing from a role that bypasses them all.
--   psql -f sql/proofs/groups.sql
select 'role ' || r.rolname as thing, nullif(concat_ws(', ',
    case when r.rolsuper then 'is a superuser' end, case when r.rolbypassrls then 'bypasses row security' end,
    case when r.rolcreaterole then 'makes roles' end, case when r.rolcreatedb then 'makes databases' end,
    case when r.rolreplication then 'replicates' end, case when r.rolcanlogin then 'can log in' end,
    'is a member of ' || (
      select string_agg(m.roleid::regrole::text, ', ' order by m.roleid::regrole::text) from pg_auth_members m where m.member = r.oid
    )), '') as fault
from pg_roles r
where r.rolname in ('tieout_loader', 'tieout_analyst', 'tieout_preparer', 'tieout_approver')
order by 1;
