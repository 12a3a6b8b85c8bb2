-- Runs and their findings.
-- For: the operator; outside monitoring.
--   psql -f sql/views/04-runs.sql

-- run_number is the order in which runs began. A run landed the requests after requests_before up to requests_to, and booked
-- the entries after entries_before up to entries_to; both ends are null for the last run, which may still be going on.
create view books.runs as
select run_id, job, started_at, finished_at, exit_code, requests, summary, pages, pages_fewest,
  round(pages::numeric / nullif(pages_fewest, 0), 3) as pages_ratio, run_number, entries_before,
  lead(entries_before) over (order by run_number) as entries_to, requests_before,
  lead(requests_before) over (order by run_number) as requests_to
from run.runs;

create view books.findings as
select run_id, entity_id, severity, subject, detail from run.findings;
