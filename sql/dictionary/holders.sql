-- Holders: open transactions that have touched schemas other than PostgreSQL's own. Only roles with the right to see when a
-- session's transaction began get it. A prepared transaction has no session, and stays until somebody ends it by name.
-- For: migrate, when it does not get its locks. Ties to: pg_locks.
--   psql -f sql/dictionary/holders.sql
with locks_granted as (
  select l.pid, l.virtualtransaction
  from pg_locks l join pg_class c on c.oid = l.relation
  where l.granted and l.database = (select oid from pg_database where datname = current_database())
    and c.relnamespace = any (array(select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'))
    and l.relation is distinct from to_regclass('run.writer_lock')
), holders (since, who, pid) as (
  select a.xact_start, format('pid %s, user %s', a.pid, a.usename), a.pid
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid() and a.pid in (select pid from locks_granted)
  union all
  select p.prepared, format('prepared transaction %L, user %s, which only commit or rollback prepared ends', p.gid, p.owner), 0
  from pg_prepared_xacts p join pg_locks own on own.locktype = 'transactionid' and own.transactionid = p.transaction
  where own.pid is null and own.virtualtransaction in (select virtualtransaction from locks_granted where pid is null)
)
select format('%s%s', who, ', in a transaction since ' || to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as who
from holders
order by since nulls last, pid;
