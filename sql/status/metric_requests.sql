-- Requests as metrics: how many were sent in the last minute and have their answers stored, over all processes that write these books.
-- For: the metrics of Prometheus. Ties to: land.requests.
--   psql -f sql/status/metric_requests.sql
select count(*) as last_minute
from land.requests
where run_id in (select run_id from run.runs order by run_number desc limit 20)
  and sent_at > clock_timestamp() - interval '1 minute';
