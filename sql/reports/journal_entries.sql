-- Journal entries: a line per entry of the journal, with when it took effect, is posted and was recorded, and by whom.
-- For: journal entry testing (ISA 240): entries by hand, late, backdated or at the end of a period. Ties to: journal, the same entries in the
-- same order with the same numbers and legs; general_ledger, where value + rounding_value of an entry's postings, if positive, sum to its
-- debit_value; trial_balance, by entity: the sum of debit_value here = the sum of debit_value there + what late entries debit (they took
-- effect before the period) + rounding, which is, account by account, the cents of the other debits less their exact sum, rounded
-- once. checks proves that for each account.
-- posted_at: the posting date by which the period counts the entry. recorded_at: when the record behind the entry was stored or a person
-- acted; days_to_record: the whole days from effective_at until then, 0 if it was before. For a history read at once they are the days since.
-- No figure rests on these two, and only they differ between books that read the same records at other times.
-- prepared_by and approved_by are the people behind an entry by hand, also if a reopening took it back. debit_value is in cents, and empty
-- without a valued line, as for an entry that was corrected; unvalued of its lines have no value.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/journal_entries.sql
with numbered as materialized (
  select * from books_internal.entry_numbers(:'from'::timestamptz, :'to'::timestamptz, :'entity')
), by_hand as materialized ( -- an entry is its proposal, each time it is posted; a reversal is an entry
  select entity_id, case kind when 'manual' then proposal_id else entry_id::text end as hand_id, prepared_by, approved_by
  from books.manual_entries
), leg as materialized (
  select * from books_internal.leg_counts(:'from'::timestamptz, :'to'::timestamptz, :'by') c where books_internal.is_chosen(c.entity_id, :'entity')
), worth as materialized (
  select * from books_internal.entry_debits(:'from'::timestamptz, :'to'::timestamptz, :'by') d where books_internal.is_chosen(d.entity_id, :'entity')
)
select e.entity_id, n.number, e.entry_id, e.kind, e.effective_at, e.counted_at as posted_at, e.period, e.original_period, e.recorded_at,
  books_internal.days_between(e.effective_at, e.recorded_at) as days_to_record, e.stream, e.record_id, e.version, e.reverses,
  h.prepared_by, h.approved_by, l.legs, own.value_currency, round(w.debit_value, 2) as debit_value, coalesce(w.unvalued, 0) as unvalued,
  e.description
from books_internal.entries_within(:'from'::timestamptz, :'to'::timestamptz, :'by') e
left join numbered n using (entity_id, entry_id)
left join leg l using (entity_id, entry_id)
left join worth w using (entity_id, entry_id)
left join by_hand h on h.entity_id = e.entity_id and e.stream = 'manual'
  and h.hand_id = case e.kind when 'manual' then e.record_id else e.entry_id::text end
left join (select entity_id, currency as value_currency from books.entities) as own on own.entity_id = e.entity_id
where books_internal.is_chosen(e.entity_id, :'entity')
order by e.entity_id collate "C", e.counted_at, e.effective_at, e.entry_id;
