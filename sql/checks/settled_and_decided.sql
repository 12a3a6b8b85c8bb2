-- Settled and decided: a rejected record that a person settled by an entry, and that a rule has accepted or set aside since.
-- For: reconcile. Across entities. Severity: break.
-- What to do: reverse the person's entry (adjust --reverse); otherwise the record counts twice, or counts although it was
-- cancelled.
--   psql -v run=<run_id> -f sql/checks/settled_and_decided.sql
select m.entity_id, m.about_stream || ' ' || m.about_record_id as subject, null as account, null as currency,
  null::numeric as reported, null::numeric as booked, null::numeric as difference,
  format('%s settled it by entry %s, and its version %s is %s: reverse that entry', m.prepared_by, m.entry_id, r.version,
    r.outcome) as reason, e.effective_at as since,
  jsonb_build_object('kind', 'settled_and_decided.twice', 'records', array[m.about_stream || ' ' || m.about_record_id],
    'name', m.prepared_by, 'version', r.version::text, 'outcome', r.outcome) as reason_parts
from books.manual_entries m
join books.entries e using (entity_id, entry_id)
join books.records r on (r.entity_id, r.stream, r.record_id) = (m.entity_id, m.about_stream, m.about_record_id)
where m.action = 'settle' and m.reversed_by is null and r.outcome not in ('rejected', 'not yet normalized')
  and exists (select from books.runs where run_id = :'run'::uuid)
order by m.entity_id, subject
