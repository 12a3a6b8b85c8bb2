-- Unknown status: a status word of the gateway that the rules do not know, on records that wait because of it. Any word that
-- begins with `waiting` waits, and is booked once it is completed; a record with any other unknown word is a reject.
-- For: reconcile, which reports it in every run. Severity: finding.
-- What to do: ask the platform what the word means, and add it to the words of the rules.
--   psql -v run=<run_id> -f sql/checks/unknown_status.sql
with waiting as (
  select r.entity_id, r.stream, r.record_id, r.payload::jsonb ->> 'status' as status
  from books_internal.not_final n
  join books.records r using (entity_id, stream, record_id, version)
  where r.outcome not in ('rejected', 'not yet normalized')
)
select entity_id, stream || ' status ' || status as subject, null as account, null as currency, null::numeric as reported,
  null::numeric as booked, null::numeric as difference,
  format('%s has an unknown status, "%s", on %s so far: %s', stream, status,
    case count(*) when 1 then 'one record' else count(*) || ' records' end, min(record_id)) as reason
from waiting
where status not in ('pending', 'waiting', 'waiting-user-information', 'waiting-user', 'waiting-funds')
  and exists (select from books.runs where run_id = :'run'::uuid)
group by entity_id, stream, status
order by entity_id, subject
