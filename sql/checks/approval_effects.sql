-- Approval effects: an approved proposal whose entry is not booked, or of which other rows are stored than it has, and an entry
-- of the stream manual that nothing approved. A command of tieout stores an approval and its effect together; SQL of an
-- approver may store one without the other. Rows are counted here, those of a file of rates left out; verify ledger compares
-- them one by one.
-- For: reconcile. Across entities. Severity: break.
-- What to do: npx tieout rebuild books the entry, and names the files that it changes. Of anything else, the approver who stored
-- the approval stores the rest, or the books are restored from a dump from before it. What nothing approved, rebuild leaves out.
--   psql -v run=<run_id> -f sql/checks/approval_effects.sql
select a.entity_id, 'proposal ' || a.proposal_id as subject, null as account, null as currency,
  null::numeric as reported, null::numeric as booked, null::numeric as difference,
  format('%s approved it (%s), %s', a.approved_by, a.action, u.what) as reason, a.approved_at as since,
  jsonb_build_object('kind', u.kind, 'records', array['manual ' || a.proposal_id], 'name', a.approved_by) as reason_parts
from books_internal.approval_effects a
cross join lateral (
  select 'approval_effects.rows' as kind,
    format('%s of its %s rows are stored: store or remove the rest as the approver, or restore a dump from before it', a.stored, a.wanted) as what
  where a.wanted <> a.stored
  union all
  select 'approval_effects.entry', 'and its entry is not booked: npx tieout rebuild books it'
  where a.wanted is null and a.stored = 0 and a.is_in_month
  union all
  select 'approval_effects.month', 'and neither its entry nor its month is stored: restore a dump from before it'
  where a.wanted is null and a.stored = 0 and not a.is_in_month
) as u
where exists (select from books.runs where run_id = :'run'::uuid)
union all
select e.entity_id, 'entry ' || e.entry_id, null, null, null, null, null,
  'it was booked by hand and nobody approved it: npx tieout rebuild leaves it out', e.recorded_at,
  jsonb_build_object('kind', 'approval_effects.unapproved', 'records', array['manual ' || e.record_id])
from books_internal.unapproved_entries e
where exists (select from books.runs where run_id = :'run'::uuid)
order by entity_id, subject
