-- As-of: the instant until which a period's export can be complete: the period's end, or the watermark if that is earlier.
-- For: the manifest of an export. Ties to: coverage: the watermark is the earliest end of a first gapless interval, over
-- entities, streams and scopes. Null if an entity has no coverage at all. last_run: the number of the last run whose proofs count; all if
-- it is empty.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -v last_run= -f sql/export/as_of.sql
with watermark as (
  select entity_id, stream, scope, min(coalesce(covered_to, 'infinity')) as proved_to
  from books_internal.coverage_by(nullif(:'last_run', '')::bigint)
  group by entity_id, stream, scope
)
select case when bool_and(w.proved_to is not null) then least(min(w.proved_to), :'to'::timestamptz) end as as_of
from books.entities e
left join watermark w using (entity_id)
where books_internal.is_chosen(e.entity_id, :'entity');
