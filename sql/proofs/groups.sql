-- The groups of the roles, and what is wrong with each: a group owns no power of the server and is in no other group.
-- For: verify ledger, since rights that are granted table by table are worth nothing to somebody who passes them all.
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
