-- Records and entries as metrics: how many rows the big tables have, by the server's own count, which it keeps without reading
-- them. Partitions count for their table.
-- For: the metrics of Prometheus. Ties to: land.records and ledger.entries, about.
--   psql -f sql/status/metric_records.sql
with counted as (
  select s.n_live_tup as rows, coalesce(i.inhparent::regclass::text, format('%s.%s', s.schemaname, s.relname)) as name
  from pg_stat_user_tables s
  left join pg_inherits i on i.inhrelid = s.relid
)
select name as table_name, sum(rows) as rows
from counted
where name in ('land.records', 'land.requests', 'ledger.entries', 'ledger.transfers', 'value.postings')
group by name
order by name collate "C";
