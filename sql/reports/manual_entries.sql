-- Manual entries: entries by people, with preparer, approver, reason and the digest of the supporting document.
-- For: month-end close, audit. Ties to: journal, by entry_id, where kind is manual or reversal and stream is manual. No
-- program books a difference away, so this is the complete list of entries without a record of the gateway.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/manual_entries.sql
select entity_id, entry_id, effective_at, period, belongs_to, kind, action, proposal_id, description, reason, evidence_name,
  evidence_sha256, prepared_by, prepared_at, approved_by, approved_at, about_stream, about_record_id, reverses, reversed_by, legs
from books.manual_entries
where books_internal.posting_date(belongs_to, :'by', effective_at, posted_at) >= :'from'::timestamptz
  and books_internal.posting_date(belongs_to, :'by', effective_at, posted_at) < :'to'::timestamptz
  and books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", effective_at, entry_id;
