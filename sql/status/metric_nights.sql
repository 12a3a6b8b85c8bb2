-- Nights as metrics: when each entity's last finished night began, whatever it found.
-- For: the metrics of Prometheus. Ties to: books.nights.
--   psql -f sql/status/metric_nights.sql
select n.entity_id as entity, extract(epoch from max(n.began_at)) as began_at
from run.nights n
join run.runs r using (run_id)
where r.finished_at is not null
group by n.entity_id
order by n.entity_id collate "C";
