-- Coverage of a period: each stream of each set of books, and the intervals of the period that are not proved: a gap
-- between two proved intervals, or what was not read (before the first, after the last). An entity without any stream has
-- one row of nulls; a stream that is proved throughout has one row without an interval. read_to: the end of the last
-- proved interval, null if there is none.
-- For: the calendar of the report page. Ties to: coverage.csv.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -v last_run= -f sql/page/coverage.sql
with list as (
  select entity_id, stream, scope, range_agg(tstzrange(covered_from, covered_to)) as covered
  from books_internal.coverage_by(nullif(:'last_run', '')::bigint)
  group by entity_id, stream, scope
)
select e.entity_id, l.stream, l.scope, upper(l.covered) as read_to, lower(missing) as missing_from, upper(missing) as missing_to,
  case
    when lower(missing) >= upper(l.covered) or upper(missing) <= lower(l.covered) then 'not read'
    when missing is not null then 'gap'
  end as what
from books.entities e
left join list l using (entity_id)
left join lateral unnest(tstzmultirange(tstzrange(:'from'::timestamptz, :'to'::timestamptz)) - l.covered) as missing on true
where books_internal.is_chosen(e.entity_id, :'entity')
order by e.entity_id collate "C", l.stream collate "C", l.scope collate "C", missing;
