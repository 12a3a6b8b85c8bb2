-- As-of: the instant until which a period's export can be complete: the period's end, or the watermark if that is earlier.
-- For: the manifest of an export. Ties to: coverage: the watermark is the earliest end of an interval that begins at the beginning, over
-- entities, streams and scopes. Null if a list has no such interval. last_run: the number of the last run whose proofs count; all if
-- it is empty.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -v last_run= -f sql/export/as_of.sql
select case when bool_and(l.proved_to is not null) then least(min(l.proved_to), :'to'::timestamptz) end as as_of
from books.entities e
left join lateral (
  select proved.proved_to
  from (
    select c.stream, min(coalesce(c.covered_to, 'infinity')) filter (where coalesce(c.covered_from, '-infinity') = '-infinity') as proved_to
    from books_internal.coverage_by(nullif(:'last_run', '')::bigint) c
    where c.entity_id = e.entity_id
    group by c.stream, c.scope
  ) as proved
  full join (
    select x.stream from books_internal.expected_lists(nullif(:'last_run', '')::bigint) x where x.entity_id = e.entity_id
  ) as expected using (stream)
) as l on true
where books_internal.is_chosen(e.entity_id, :'entity');
