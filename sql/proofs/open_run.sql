-- The last run, if it has not ended: it is at work, or was killed.
-- For: verify report, because the books of such a run may change without a link. Ties to: books.runs.
--   psql -f sql/proofs/open_run.sql
select r.run_id
from books.runs r
where r.finished_at is null and not exists (select from books.runs later where later.run_number > r.run_number);
