-- Manual entries: entries by people, with preparer, approver, reason and the digest of the supporting document.
-- For: month-end close, audit. Ties to: journal, by entry_id, where kind is manual or reversal and stream is manual. No
-- program books a difference away, so this is the complete list of entries without a record of the gateway. debit_value is what the entry
-- debits in value_currency, as much as it credits: the sum of the positive cents of its lines in general_ledger. It is empty without lines
-- of value, as for an entry that was reversed at its own instant; unvalued of its lines have no value.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/manual_entries.sql
select entity_id, entry_id, effective_at, period, original_period, kind, action, proposal_id, description, reason, evidence_name,
  evidence_sha256, prepared_by, prepared_at, approved_by, approved_at, about_stream, about_record_id, reverses, reversed_by, legs,
  v.value_currency, v.debit_value, v.unvalued
from books.manual_entries m
cross join lateral (
  select max(l.value_currency) as value_currency, case when count(l.value) > 0 then round(coalesce(sum(l.value) filter (where l.value > 0), 0), 2) end as debit_value,
    count(*) filter (where l.value is null) as unvalued
  from books_internal.value_lines l
  where (l.entity_id, l.entry_id) = (m.entity_id, m.entry_id)
) as v
where books_internal.posting_date(entity_id, original_period, :'by', effective_at, posted_at) >= :'from'::timestamptz
  and books_internal.posting_date(entity_id, original_period, :'by', effective_at, posted_at) < :'to'::timestamptz
  and books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", effective_at, entry_id;
