-- Coverage: the intervals in which every record is proved to be landed, [covered_from, covered_to), per stream.
-- For: audit: how far the books can be trusted. Ties to: the manifest's as_of. An empty covered_from means since the beginning;
-- gap_until is the end of the gap that follows. last_run: the number of the last run whose proofs count; all if it is empty.
--   psql -v entity= -v last_run= --csv -f sql/reports/coverage.sql
select entity_id, stream, scope, nullif(covered_from, '-infinity') as covered_from,
  nullif(covered_to, 'infinity') as covered_to,
  lead(covered_from) over (partition by entity_id, stream, scope order by covered_from nulls first) as gap_until, records
from books_internal.coverage_by(nullif(:'last_run', '')::bigint) as proved
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", stream collate "C", scope collate "C", proved.covered_from nulls first;
