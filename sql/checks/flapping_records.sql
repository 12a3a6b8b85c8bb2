-- Flapping records: a record that a run found changed, and that only alternates between the same few states, or has changed
-- fifty times. Each change is stored as received, and its entry is reversed and booked again.
-- For: reconcile, which reports it in every run. Of what the run landed. Severity: finding.
-- What to do: ask the platform which state is true; until it stops changing, each reading may store one more version.
--   psql -v run=<run_id> -f sql/checks/flapping_records.sql
with changed as (
  select r.entity_id, r.stream, r.record_id, r.version as versions, (
    select count(distinct c.digest) from books.chain c
    where (c.entity_id, c.stream, c.record_id) = (r.entity_id, r.stream, r.record_id)
  ) as states
  from books.records r
  where r.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
    and r.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> r.entity_id)::bigint
    and r.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid) and r.version >= 4
)
select entity_id, stream || ' ' || record_id as subject, null as account, null as currency, states::numeric as reported,
  versions::numeric as booked, null::numeric as difference,
  format('changes back and forth: %s versions so far, %s of them different', versions, states) as reason
from changed
where states * 2 <= versions or versions >= 50
order by entity_id, stream, record_id
