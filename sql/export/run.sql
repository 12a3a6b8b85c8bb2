-- Run: whether a run is in these books to its end, or is the one that asks. Books as of a moment during a run, such as a restored
-- backup, lack what it wrote later, and give its numbers to other rows.
-- For: the nightly, whose notes about its folders hold for the books that the run wrote. Ties to: books.runs.
--   psql -v run=00000000-0000-4000-8000-000000000001 -v asking=00000000-0000-4000-8000-000000000002 -f sql/export/run.sql
select run_id from run.runs where run_id::text = :'run' and (finished_at is not null or run_id::text = :'asking');
