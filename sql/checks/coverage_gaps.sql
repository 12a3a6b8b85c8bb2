-- Coverage gaps: intervals between the proved ones of a stream that are not proved complete; a record in them may be missing.
-- For: whoever must know what was read. Severity: counted. (Every run counts gaps itself; no break is opened.)
-- What to do: run extract --full; if a gap stays, a finding of the run names it and describes the list.
--   psql -v run=<run_id> -f sql/checks/coverage_gaps.sql
select entity_id, concat_ws(' ', stream, nullif(scope, ''), 'from', coalesce((gap_from at time zone 'UTC')::text, 'its beginning')) as subject, null as account,
  null as currency, null::numeric as reported, null::numeric as booked, null::numeric as difference,
  format('%s is not proved complete from %s to %s', concat_ws(' ', stream, nullif(scope, '')),
    coalesce((gap_from at time zone 'UTC')::text, 'its beginning'), coalesce((gap_to at time zone 'UTC')::text, 'its end')) as reason
from books.coverage_gaps
where exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
