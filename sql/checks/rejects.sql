-- Rejects: records that no rule accepts and that are neither settled nor dismissed; none of them is booked.
-- For: whoever works on rejects. Severity: counted. (Every run counts them itself; no break is opened.)
-- What to do: read the reason and the payload in books.rejects; run extract --full if the platform has corrected the record;
-- otherwise enter what it was (rejects settle), or state why it need not be booked (rejects dismiss).
--   psql -v run=<run_id> -f sql/checks/rejects.sql
select entity_id, stream || ' ' || record_id as subject, null as account, null as currency, null::numeric as reported,
  null::numeric as booked, null::numeric as difference, reason
from books.rejects
where decision is null and exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
