-- Runs as metrics: per job and exit code how many there were, when the last one began and ended, and how long it took; null if the
-- clock says that it ended before it began, because it was set back meanwhile.
-- For: the metrics of Prometheus. Ties to: books.runs.
--   psql -f sql/status/metric_runs.sql
select job, exit_code::text as exit_code, count(*) as runs,
  extract(epoch from (array_agg(started_at order by run_number desc))[1]) as started_at,
  extract(epoch from (array_agg(finished_at order by run_number desc))[1]) as finished_at, sum(requests) as requests, sum(pages) as pages,
  extract(epoch from (array_agg(case when finished_at >= started_at then finished_at - started_at end order by run_number desc))[1]) as seconds
from run.runs
where exit_code is not null
group by job, exit_code
order by job collate "C", exit_code;
