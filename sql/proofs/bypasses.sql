-- What lets rows change past the schema without altering it: settings that switch foreign keys and triggers off for sessions which may
-- write the books, and event triggers, which run somebody's code in them. No rows when healthy.
-- For: verify ledger, because the definitions of tables and views do not show it.
--   psql -f sql/proofs/bypasses.sql
with writers as (
  select r.oid from pg_roles r
  where pg_has_role(r.oid, (select nspowner from pg_namespace where nspname = 'run'), 'member')
    or exists (
      select from pg_roles g
      where g.rolname in ('tieout_loader', 'tieout_analyst', 'tieout_preparer', 'tieout_approver') and pg_has_role(r.oid, g.oid, 'member')
    )
), settings as (
  select unnest(setconfig) as setting, concat_ws(' in ',
      case when setrole = 0 then 'everybody' else 'role ' || setrole::regrole::text end,
      case when setdatabase <> 0 then 'database ' || quote_ident(current_database()) end) as whose
  from pg_db_role_setting
  where setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and (setrole = 0 or setrole in (select oid from writers))
  union all
  select name || '=' || setting, 'the server' from pg_settings where source not in ('database', 'user', 'database user')
)
select format('setting %s of %s', setting, whose) as thing, 'switches foreign keys and triggers off' as fault
from settings where lower(setting) = 'session_replication_role=replica'
union all
select format('event trigger %I on %s', evtname, evtevent), 'is not of this program' from pg_event_trigger where evtenabled <> 'D'
order by 1;
