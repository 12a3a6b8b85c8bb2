-- Run: whether a run is in these books.
-- For: the nightly, whose notes about its folders hold for the books that the run wrote. Ties to: books.runs.
--   psql -v run=00000000-0000-4000-8000-000000000001 -f sql/export/run.sql
select run_id from run.runs where run_id::text = :'run';
