-- Nights as metrics: when each entity's last finished night began, whatever it found; 0 if it never had one, so that its age is
-- as large as an alert needs, and if that time has not come: the clock was set back since. A subaccount that the gateway no longer
-- lists has none: its last night only grows older.
-- For: the metrics of Prometheus. Ties to: books.nights.
--   psql -f sql/status/metric_nights.sql
select e.entity_id as entity, case when past.began_at <= clock_timestamp() then extract(epoch from past.began_at) else 0 end as began_at
from books_internal.listed_entities e
left join (
  select distinct on (n.entity_id) n.entity_id, n.began_at
  from run.nights n
  join run.runs r using (run_id)
  where books_internal.has_concluded(r.exit_code, r.summary)
  order by n.entity_id, r.run_number desc
) as past using (entity_id)
order by e.entity_id collate "C";
